import { randomUUID } from 'node:crypto';
import { presentLicense } from '@zakup/contracts/present';
import {
  adminLoginRequest,
  issueLicenceRequest,
  renewLicenceRequest,
  suspendLicenceRequest,
} from '@zakup/contracts/requests/auth.requests';
import { makeLicenceKey } from '@zakup/credentials/codes';
import type { LicenceCommand } from '@zakup/domain/licence/commands';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { defaultMaxConcurrentSessions } from '@zakup/domain/licence/licence-defaults';
import type { Licence } from '@zakup/domain/licence/state';
import { messages } from '@zakup/domain/messages';
import { features } from '@zakup/domain/permissions';
import { jsonBody } from '@zakup/service-kit/json-body';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { type Request, type RequestHandler, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../entity-routes.ts';
import { type CommandEnvelope, type Handled, handleCommand } from '../handle-command.ts';
import { requestHashOf } from '../ids.ts';
import { type Parsed, parseBody } from '../requests.ts';
import { claim } from '../reservations.ts';
import { recordActivation } from './activation.routes.ts';
import { tokenOf } from './authenticate.ts';
import { licenceById } from './directory.ts';
import { guessGuard } from './guess-guard.ts';

const year = 365 * 24 * 60 * 60 * 1000;

/** The platform admin's own realm: licences and codes, never a tenant's data (decisions.md 14). */
export const adminRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  const admin = authenticateAdmin(deps);
  router.post('/login', ...jsonBody(), login(deps));
  router.post('/licenses', admin, ...jsonBody(), issueLicence(deps));
  router.post('/licenses/:id/code', admin, ...jsonBody(), makeCode(deps));
  router.post('/licenses/:id/renew', admin, ...jsonBody(), changeLicence(deps, renewCommand));
  router.post('/licenses/:id/suspend', admin, ...jsonBody(), changeLicence(deps, suspendCommand));
  router.post('/licenses/:id/resume', admin, ...jsonBody(), changeLicence(deps, resumeCommand));
  return router;
};

const authenticateAdmin =
  (deps: CommandDeps): RequestHandler =>
  async (request, response, next) => {
    const token = tokenOf(request.get('Authorization'));
    const verified = token === null ? null : deps.tokens.verify(token, 'zakup-admin');
    if (verified?.kind === 'valid' && verified.claims.sid === (await deps.credentials.adminStamp())) {
      next();
      return;
    }
    const message = token === null ? messages.tokenMissing : messages.sessionExpired;
    sendProblem(response, { code: 'UNAUTHENTICATED', message });
  };

const login =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const parsed = parseBody(adminLoginRequest, request.body);
    if (parsed.kind === 'refused') {
      sendProblem(response, parsed.problem);
      return;
    }
    const { login: name, password } = parsed.body;
    const guard = guessGuard(deps.credentials, {
      account: `admin/${name}`,
      address: request.ip ?? '',
      now: deps.now(),
    });
    const waiting = await guard.admit();
    if (waiting !== null) {
      sendProblem(response, waiting);
      return;
    }
    const right = await deps.credentials.checkAdmin(name, password);
    const stamp = await deps.credentials.adminStamp();
    if (!right || stamp === null) {
      await guard.failed();
      sendProblem(response, { code: 'UNAUTHENTICATED', message: messages.wrongLogin });
      return;
    }
    await guard.succeeded();
    response.json({ success: true, error: null, data: { token: deps.tokens.issueAdmin({ login: name, stamp }) } });
  };

const envelopeOf = (deps: CommandDeps, request: Request, licenceId: string): CommandEnvelope => ({
  licenceId,
  actorId: 'admin',
  commandId: randomUUID(),
  requestHash: requestHashOf(request.method, request.originalUrl, null),
  source: 'screen',
  at: new Date(deps.now()).toISOString(),
});

const codeFor = async (deps: CommandDeps, request: Request, licenceId: string): Promise<string> => {
  const made = await deps.credentials.makeActivationCode(licenceId, 'admin', deps.now());
  if (made.kind === 'too_soon') throw new Error('The admin makes codes without waiting');
  const validUntil = new Date(made.expiresAt).toISOString();
  const command = { type: 'IssueActivationCode', by: 'admin', validUntil } as const;
  await recordActivation(deps, envelopeOf(deps, request, licenceId), command);
  return made.code;
};

/** The whole licence as only the admin sees it, with a code that its owner asked for and nobody delivered. */
const wire = async (deps: CommandDeps, done: Extract<Handled<Licence>, { kind: 'done' }>, licenceId: string) => {
  const now = deps.now();
  const pending = await deps.credentials.pendingActivationCode(licenceId, now);
  return {
    ...presentLicense(rowOf(done.target, licenceId), { now: new Date(now).toISOString(), reveal: true }),
    pendingCode: pending === null ? null : { code: pending.code, expiresAt: new Date(pending.expiresAt).toISOString() },
  };
};

const issueLicence =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const parsed = parseBody(issueLicenceRequest, request.body);
    if (parsed.kind === 'refused') {
      sendProblem(response, parsed.problem);
      return;
    }
    const { body } = parsed;
    const licenceId = Buffer.from(deps.random(8)).toString('hex');
    const licenseKey = makeLicenceKey(deps.random);
    const command: LicenceCommand = {
      type: 'IssueLicence',
      licenseKey,
      teamName: body.teamName ?? body.ownerName,
      ownerName: body.ownerName,
      ownerEmail: body.ownerEmail,
      ownerTelegram: body.ownerTelegram,
      expiresAt: body.expiresAt ?? new Date(deps.now() + year).toISOString(),
      features: body.features ?? features,
      maxConcurrentSessions: body.maxConcurrentSessions ?? defaultMaxConcurrentSessions,
    };
    const target = { entity: licenceDecider, id: licenceId };
    const handled = await handleCommand(deps, envelopeOf(deps, request, licenceId), target, async (session) => {
      const holder = { licenceId, id: licenceId };
      const taken = await claim(session, { category: 'licencekey', value: licenseKey }, holder);
      return taken ?? decideOn({ session }, licenceDecider, licenceId, command, {});
    });
    if (handled.kind === 'refused') {
      sendProblem(response, handled.problem);
      return;
    }
    const activationCode = await codeFor(deps, request, licenceId);
    const license = await wire(deps, handled, licenceId);
    const { position } = handled;
    response.json({
      success: true,
      error: null,
      data: { license, activationCode },
      position,
      revision: license.revision,
    });
  };

const makeCode =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const licence = await licenceById(deps, String(request.params['id']));
    if (licence === null) {
      sendProblem(response, { code: 'NOT_FOUND', message: messages.licenceNotFound });
      return;
    }
    response.json({ success: true, error: null, data: { activationCode: await codeFor(deps, request, licence.id) } });
  };

const renewCommand = (sent: unknown): Parsed<LicenceCommand> => {
  const parsed = parseBody(renewLicenceRequest, sent);
  return parsed.kind === 'refused' ? parsed : { kind: 'parsed', body: { type: 'RenewLicence', ...parsed.body } };
};

const suspendCommand = (sent: unknown): Parsed<LicenceCommand> => {
  const parsed = parseBody(suspendLicenceRequest, sent);
  return parsed.kind === 'refused' ? parsed : { kind: 'parsed', body: { type: 'SuspendLicence', ...parsed.body } };
};

const resumeCommand = (): Parsed<LicenceCommand> => ({ kind: 'parsed', body: { type: 'ResumeLicence' } });

const changeLicence =
  (deps: CommandDeps, commandOf: (sent: unknown) => Parsed<LicenceCommand>): RequestHandler =>
  async (request, response) => {
    const licence = await licenceById(deps, String(request.params['id']));
    if (licence === null) {
      sendProblem(response, { code: 'NOT_FOUND', message: messages.licenceNotFound });
      return;
    }
    const parsed = commandOf(request.body);
    if (parsed.kind === 'refused') {
      sendProblem(response, parsed.problem);
      return;
    }
    const target = { entity: licenceDecider, id: licence.id };
    const handled = await handleCommand(deps, envelopeOf(deps, request, licence.id), target, (session) =>
      decideOn({ session }, licenceDecider, licence.id, parsed.body, {}),
    );
    if (handled.kind === 'refused') {
      sendProblem(response, handled.problem);
      return;
    }
    const license = await wire(deps, handled, licence.id);
    const { position } = handled;
    response.json({ success: true, error: null, data: { license }, position, revision: license.revision });
  };

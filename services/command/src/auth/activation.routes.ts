import { randomUUID } from 'node:crypto';
import {
  activateRequest,
  activateStep1Request,
  activateStep2Request,
  requestCodeRequest,
} from '@zakup/contracts/requests/auth.requests';
import { makeLoginCode } from '@zakup/credentials/codes';
import { activationDecider } from '@zakup/domain/activation/activation.decider';
import type { ActivationCommand } from '@zakup/domain/activation/commands';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import type { Licence } from '@zakup/domain/licence/state';
import { messages } from '@zakup/domain/messages';
import { ownerPermissions } from '@zakup/domain/permissions';
import { jsonBody } from '@zakup/service-kit/json-body';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { DecisionSession } from '../decision-session.ts';
import type { CommandDeps } from '../deps.ts';
import { decideOn } from '../entity-routes.ts';
import { type CommandEnvelope, handleCommand } from '../handle-command.ts';
import { derivedId, requestHashOf } from '../ids.ts';
import { parseBody } from '../requests.ts';
import { claim } from '../reservations.ts';
import { accountById, type Known, licenceByKey } from './directory.ts';
import { guessGuard } from './guess-guard.ts';
import { openSession } from './open-session.ts';

const ticketCookie = 'zakup_activation';

/** The activation dialog's calls: spec.md §2 and §7, decisions.md 13. */
export const activationRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/request-code', ...jsonBody(), requestCode(deps));
  router.post('/activate-step1', ...jsonBody(), checkCode(deps));
  router.post('/activate-step2', ...jsonBody(), setPassword(deps));
  router.post('/activate', ...jsonBody(), signInByKey(deps));
  return router;
};

/** What happened to a licence's activation, by nobody who is signed in. */
const envelopeOf = (deps: CommandDeps, request: Request, licenceId: string): CommandEnvelope => ({
  licenceId,
  actorId: 'owner',
  commandId: randomUUID(),
  requestHash: requestHashOf(request.method, request.originalUrl, null),
  source: 'screen',
  at: new Date(deps.now()).toISOString(),
});

export const recordActivation = (
  deps: CommandDeps,
  envelope: CommandEnvelope,
  command: ActivationCommand,
): ReturnType<typeof handleCommand> =>
  handleCommand(deps, envelope, { entity: activationDecider, id: envelope.licenceId }, (session) =>
    decideOn({ session }, activationDecider, envelope.licenceId, command, { now: envelope.at }),
  );

/** Answers the same for every key: whether a code was made is for the owner's eyes only. */
const requestCode =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const parsed = parseBody(requestCodeRequest, request.body);
    if (parsed.kind === 'refused') {
      sendProblem(response, parsed.problem);
      return;
    }
    const now = deps.now();
    const guard = guessGuard(deps.credentials, { account: 'request-code', address: request.ip ?? '', now });
    const waiting = await guard.admit();
    if (waiting !== null) {
      sendProblem(response, waiting);
      return;
    }
    const licence = await licenceByKey(deps, parsed.body.licenseKey);
    if (licence === null) await guard.failed();
    else if (!licence.state.activated && licence.state.suspended === null) {
      const made = await deps.credentials.makeActivationCode(licence.id, 'owner', now);
      if (made.kind === 'made') {
        const validUntil = new Date(made.expiresAt).toISOString();
        const command = { type: 'IssueActivationCode', by: 'owner', validUntil } as const;
        await recordActivation(deps, envelopeOf(deps, request, licence.id), command);
      }
    }
    response.json({ success: true, error: null, data: {} });
  };

const checkCode =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const parsed = parseBody(activateStep1Request, request.body);
    if (parsed.kind === 'refused') {
      sendProblem(response, parsed.problem);
      return;
    }
    const now = deps.now();
    const { licenseKey, twoFactorCode } = parsed.body;
    const guard = guessGuard(deps.credentials, { account: licenseKey, address: request.ip ?? '', now });
    const waiting = await guard.admit();
    if (waiting !== null) {
      sendProblem(response, waiting);
      return;
    }
    const licence = await licenceByKey(deps, licenseKey);
    const checked =
      licence === null || licence.state.suspended !== null
        ? ({ kind: 'wrong' } as const)
        : await deps.credentials.checkActivationCode(licence.id, twoFactorCode, now);
    if (licence === null || checked.kind !== 'right') {
      await guard.failed();
      const errors = [{ pointer: '/twoFactorCode', detail: messages.activationCodeInvalid }];
      sendProblem(response, { code: 'VALIDATION_FAILED', message: messages.activationCodeInvalid, errors });
      return;
    }
    await guard.succeeded();
    await recordActivation(deps, envelopeOf(deps, request, licence.id), { type: 'AcceptActivationCode' });
    const { ticket, expiresAt } = await deps.credentials.openTicket(licence.id, now);
    response.cookie(ticketCookie, ticket, {
      httpOnly: true,
      sameSite: 'strict',
      secure: request.secure,
      path: '/api/licenses',
      maxAge: expiresAt - now,
    });
    const { ownerName, ownerTelegram } = licence.state;
    response.json({ success: true, error: null, data: { ownerName, ownerTelegram } });
  };

const ticketOf = (request: Request): string | null => {
  const pair = (request.get('Cookie') ?? '').split(/;\s*/u).find((one) => one.startsWith(`${ticketCookie}=`));
  return pair?.slice(ticketCookie.length + 1) ?? null;
};

/** The licence whose right code this browser has shown, when it is the one of the key. */
const ticketedLicence = async (
  deps: CommandDeps,
  request: Request,
  licenseKey: string,
): Promise<Known<Licence> | null> => {
  const ticket = ticketOf(request);
  const holder = ticket === null ? null : await deps.credentials.ticket(ticket, deps.now());
  const licence = await licenceByKey(deps, licenseKey);
  return holder !== null && licence !== null && holder.licenceId === licence.id ? licence : null;
};

/**
 * The password first, then the licence in the log, then the ticket: stopped anywhere in between, the same step run again ends the same.
 */
const setPassword =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const parsed = parseBody(activateStep2Request, request.body);
    if (parsed.kind === 'refused') {
      sendProblem(response, parsed.problem);
      return;
    }
    const licence = await ticketedLicence(deps, request, parsed.body.licenseKey);
    if (licence === null) {
      sendProblem(response, { code: 'UNAUTHENTICATED', message: messages.activationTicketMissing });
      return;
    }
    const ownerId = licence.state.ownerId ?? derivedId(licence.id, 'owner');
    const record = { userId: ownerId, licenceId: licence.id, temporary: false, validUntil: null };
    await deps.credentials.setPassword(record, parsed.body.password);
    const freshCode = makeLoginCode(deps.random);
    const envelope = envelopeOf(deps, request, licence.id);
    const handled = await handleCommand(deps, envelope, { entity: licenceDecider, id: licence.id }, (session) =>
      activate(session, licence.id, ownerId, freshCode, envelope.at),
    );
    if (handled.kind === 'refused') {
      sendProblem(response, handled.problem);
      return;
    }
    if (licence.state.activated) await deps.credentials.endSessionsOf(ownerId, 'password_changed');
    await deps.credentials.ticket(ticketOf(request) ?? '', deps.now(), { use: true });
    clearTicket(response);
    const ceoLoginCode = handled.target.state?.ceoLoginCode ?? '';
    response.json({ success: true, error: null, data: { ceoLoginCode }, position: handled.position });
  };

const clearTicket = (response: Response): void => {
  response.clearCookie(ticketCookie, { httpOnly: true, sameSite: 'strict', path: '/api/licenses' });
};

/** The licence, its owner as a person with the role CEO, and the owner's login code, in one append. */
const activate = async (
  session: DecisionSession,
  licenceId: string,
  ownerId: string,
  ceoLoginCode: string,
  now: string,
): ReturnType<typeof decideOn> => {
  const { state } = await session.load(licenceDecider, licenceId);
  const command = { type: 'ActivateLicence', ownerId, ceoLoginCode } as const;
  const problem = await decideOn({ session }, licenceDecider, licenceId, command, {});
  if (problem !== null) return problem;
  const activation = (await session.load(activationDecider, licenceId)).state;
  // A step repeated after its answer was lost finds the code used already; its ticket still proves the code.
  if (activation?.code !== 'used') {
    const refused = await decideOn({ session }, activationDecider, licenceId, { type: 'CompleteActivation' }, { now });
    if (refused !== null) return refused;
  }
  if (state === null || state.activated) return null;
  const taken = await claim(session, { category: 'authcode', value: ceoLoginCode }, { licenceId, id: ownerId });
  if (taken !== null) return taken;
  const owner = {
    type: 'CreateEmployee',
    name: state.ownerName,
    email: state.ownerTelegram,
    role: 'CEO',
    authCode: ceoLoginCode,
    permissions: ownerPermissions,
    isOwner: true,
    salaryType: null,
    salaryRate: null,
    performanceThreshold: null,
  } as const;
  return decideOn({ session }, employeeDecider, ownerId, owner, { isSelf: true, otherActiveCeos: 0 });
};

/** Signs the owner in by key and password for seven days. Unknown key, licence not activated and wrong password answer alike. */
const signInByKey =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const parsed = parseBody(activateRequest, request.body);
    if (parsed.kind === 'refused') {
      sendProblem(response, parsed.problem);
      return;
    }
    const now = deps.now();
    const { licenseKey, password, endOldest = false } = parsed.body;
    const guard = guessGuard(deps.credentials, { account: licenseKey, address: request.ip ?? '', now });
    const waiting = await guard.admit();
    if (waiting !== null) {
      sendProblem(response, waiting);
      return;
    }
    const licence = await licenceByKey(deps, licenseKey);
    const ownerId = licence?.state.ownerId ?? null;
    const account = licence === null || ownerId === null ? null : await accountById(deps, licence.id, ownerId);
    const checked = await deps.credentials.checkPassword(account?.employee.id ?? null, password, now);
    if (account === null || checked.kind === 'wrong') {
      await guard.failed();
      sendProblem(response, { code: 'UNAUTHENTICATED', message: messages.activationFailed });
      return;
    }
    await guard.succeeded();
    const signedIn = await openSession(deps, request, account, {
      via: 'licence',
      endOldest,
      passwordChangeOnly: false,
    });
    if (signedIn.kind === 'refused') sendProblem(response, signedIn.problem);
    else response.json({ success: true, error: null, data: signedIn.data });
  };

import { randomUUID } from 'node:crypto';
import type { AdminLicenseWire } from '@zakup/contracts/wire-entities';
import { noticeNames, type RebuildRequest } from '@zakup/contracts/notices';
import { presentAdminLicense } from '@zakup/contracts/to-wire';
import {
  adminLoginRequest,
  issueLicenceRequest,
  renewLicenceRequest,
  suspendLicenceRequest,
} from '@zakup/contracts/requests/auth.requests';
import { signInProblems } from '@zakup/contracts/sign-in-problems';
import { type AuthenticatedAdmin, authenticateAdmin, bearerOf } from '@zakup/credentials/authenticate';
import { makeLicenceKey } from '@zakup/credentials/codes';
import { adminAccount } from '@zakup/credentials/device-book';
import type { LicenceCommand } from '@zakup/domain/licence/commands';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { defaultMaxConcurrentSessions } from '@zakup/domain/licence/licence-defaults';
import type { Licence } from '@zakup/domain/licence/state';
import { messages } from '@zakup/domain/messages';
import { features } from '@zakup/domain/permissions';
import { presentBackup } from '@zakup/service-kit/backups';
import { networkOf } from '@zakup/service-kit/network-address';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { jsonBody } from '@zakup/service-kit/json-body';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../pipeline/decide-on.ts';
import { type CommandEnvelope, type Decide, type Handled, handleCommand } from '../pipeline/handle-command.ts';
import { parseBody, unknownParameters } from '../pipeline/requests.ts';
import { claim } from '../pipeline/reservations.ts';
import { type AdminDoor, adminSecondFactorRoutes, adminStep, adminAsksMore } from './admin-second-factor.routes.ts';
import { activationAccount, recordActivation } from './activation.routes.ts';
import { bodyRoute, type Outcome, refuse, sendOutcome, unkeyedEnvelope } from './body-route.ts';
import { type Known, licenceById } from './directory.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { resetSecondFactor } from './reset-second-factor.ts';

const year = 365 * 24 * 60 * 60 * 1000;

/** The platform admin's own realm: licences and codes, never a tenant's data (AUTH-30). */
export const adminRoutes = (deps: CommandDeps, throttle: LoginThrottle): Router => {
  const router = Router();
  const admin = adminAlone(deps);
  router.post(
    '/login',
    bodyRoute(adminLoginRequest, (body, request, response) => login(deps, throttle, body, request, response)),
  );
  router.use(adminSecondFactorRoutes(deps, throttle, adminDoor(deps)));
  router.post(
    '/logout',
    admin,
    bodyRoute(z.unknown(), (_body, request) => logout(deps, request)),
  );
  router.post(
    '/licenses',
    admin,
    bodyRoute(issueLicenceRequest, (body, request) => issueLicence(deps, body, request)),
  );
  router.post('/licenses/:id/code', admin, licenceRoute(deps, z.unknown(), makeCode));
  router.post(
    '/licenses/:id/renew',
    admin,
    licenceRoute(
      deps,
      renewLicenceRequest,
      changeLicence(({ expiresAt }) => ({ type: 'RenewLicence', expiresAt })),
    ),
  );
  router.post(
    '/licenses/:id/suspend',
    admin,
    licenceRoute(
      deps,
      suspendLicenceRequest,
      changeLicence(({ reason }) => ({ type: 'SuspendLicence', reason })),
    ),
  );
  router.post(
    '/licenses/:id/resume',
    admin,
    licenceRoute(
      deps,
      z.unknown(),
      changeLicence(() => ({ type: 'ResumeLicence' })),
    ),
  );
  router.post('/licenses/:id/second-factor/reset', admin, licenceRoute(deps, z.unknown(), resetOfOwner));
  router.post(
    '/rebuild',
    admin,
    bodyRoute(z.unknown(), () => askForRebuild(deps)),
  );
  router.post(
    '/backup',
    admin,
    bodyRoute(z.unknown(), () => beginBackup(deps)),
  );
  return router;
};

/** Whoever projects sees it within a second; one that is under way answers it too. */
const askForRebuild = async ({ readStore, now }: CommandDeps): Promise<Outcome> => {
  const request: RebuildRequest = { id: randomUUID(), at: now() };
  await readStore.note(noticeNames.rebuildRequest, { ...request });
  return { kind: 'done', data: { rebuild: { state: 'asked', askedAt: new Date(request.at).toISOString() } } };
};

/** One that is being made answers it too. */
const beginBackup = async ({ backups }: CommandDeps): Promise<Outcome> => {
  if (backups === undefined || backups.begin() === 'no_dir') {
    const message = messages.noBackupDir;
    return refuse({ code: 'VALIDATION_FAILED', message, errors: [{ pointer: '', detail: message }] });
  }
  return { kind: 'done', data: { backup: presentBackup(await backups.status()) } };
};

const adminOf = (deps: CommandDeps, request: Request): Promise<AuthenticatedAdmin> =>
  authenticateAdmin(deps, bearerOf(request.get('Authorization')));

const adminAlone =
  (deps: CommandDeps): RequestHandler =>
  async (request, response, next) => {
    const found = await adminOf(deps, request);
    if (found.kind === 'open') next();
    else sendProblem(response, signInProblems[found.reason]);
  };

const logout = async (deps: CommandDeps, request: Request): Promise<Outcome> => {
  const found = await adminOf(deps, request);
  if (found.kind === 'open') await deps.credentials.endAdminSession(found.sessionId);
  return { kind: 'done', data: {} };
};

const login = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  { login: name, password }: { readonly login: string; readonly password: string },
  request: Request,
  response: Response,
): Promise<Outcome> => {
  const wrong = { code: 'UNAUTHENTICATED', message: messages.wrongLogin } as const;
  const told = { holders: [], door: 'admin' } as const;
  const secretTry = {
    request,
    response,
    account: adminAccount(name),
    device: { kind: 'browser' },
    wrong,
    told,
  } as const;
  const attempted = await throttle.attempt(
    secretTry,
    async () => {
      // Read before: a password that is set meanwhile opens nothing for who knew the one before it.
      const stamp = await deps.credentials.adminStamp();
      if (stamp === null || !(await deps.credentials.checkAdmin(name, password))) return null;
      return { stamp, more: await adminAsksMore(deps, name) };
    },
    ({ more }) => (more ? null : adminAccount(name)),
  );
  if (attempted.kind === 'refused') return attempted;
  return (await adminStep(deps, name)) ?? adminDoor(deps).open(name, attempted.found.stamp, request);
};

const adminDoor = (deps: CommandDeps): AdminDoor => ({
  sessionOf: async (request) => {
    const found = await adminOf(deps, request);
    return found.kind === 'open' ? found : null;
  },
  open: async (name, stamp, request) => {
    const network = networkOf(request.ip);
    const sessionId = stamp === null ? null : await deps.credentials.openAdminSession(stamp, deps.now(), network);
    if (sessionId === null) return refuse({ code: 'UNAUTHENTICATED', message: messages.wrongLogin });
    return { kind: 'done', data: { token: deps.tokens.issueAdmin({ login: name, sessionId }) } };
  },
});

type LicenceAnswer<Body> = (
  deps: CommandDeps,
  licence: Known<Licence>,
  body: Body,
  request: Request,
) => Promise<Outcome>;

/** A call on the licence of the path: 404 before its query and body are looked into. */
const licenceRoute = <Schema extends z.ZodType>(
  deps: CommandDeps,
  schema: Schema,
  answer: LicenceAnswer<z.output<Schema>>,
): RequestHandler[] => [
  ...jsonBody(),
  async (request, response) => {
    const licence = await licenceById(deps, String(request.params['id']));
    if (licence === null) {
      sendProblem(response, { code: 'NOT_FOUND', message: messages.licenceNotFound });
      return;
    }
    const unknown = unknownParameters(request.query);
    if (unknown !== null) return sendProblem(response, unknown);
    const parsed = parseBody(schema, request.body);
    sendOutcome(response, parsed.kind === 'refused' ? parsed : await answer(deps, licence, parsed.body, request));
  },
];

const byAdmin = (deps: CommandDeps, request: Request, licenceId: string): CommandEnvelope =>
  unkeyedEnvelope(deps, request, { licenceId, actorId: 'admin' });

const codeFor = async (deps: CommandDeps, request: Request, licenceId: string): Promise<string> => {
  const made = await deps.credentials.makeActivationCode(licenceId, 'admin', deps.now());
  if (made.kind === 'too_soon') throw new Error('The admin makes codes without waiting');
  // Handed over by the admin: what others guessed before does not stand in its way.
  await deps.credentials.forgetTries(activationAccount(licenceId));
  const validUntil = new Date(made.expiresAt).toISOString();
  const command = { type: 'IssueActivationCode', by: 'admin', validUntil } as const;
  await recordActivation(deps, byAdmin(deps, request, licenceId), command);
  return made.code;
};

const makeCode: LicenceAnswer<unknown> = async (deps, licence, _body, request) => ({
  kind: 'done',
  data: { activationCode: await codeFor(deps, request, licence.id) },
});

/** Nobody in the licence outranks its owner, so that only the admin can help one who has lost telephone and recovery codes (AUTH-71). */
const resetOfOwner: LicenceAnswer<unknown> = async (deps, licence, _body, request) => {
  const { ownerId } = licence.state;
  if (ownerId === null) return refuse({ code: 'NOT_FOUND', message: messages.secondFactorOfOwner });
  return resetSecondFactor(
    deps,
    request,
    { licenceId: licence.id, personId: ownerId },
    { actorId: 'admin', none: messages.secondFactorOfOwner },
  );
};

/** The whole licence as only the admin sees it. */
const wire = async (
  deps: CommandDeps,
  done: Extract<Handled<Licence>, { kind: 'done' }>,
  licenceId: string,
): Promise<AdminLicenseWire> => {
  const now = deps.now();
  return presentAdminLicense(rowOf(done.target, licenceId), {
    now: new Date(now).toISOString(),
    pendingCode: await deps.credentials.pendingActivationCode(licenceId, now),
  });
};

/** Decides on the licence and answers with it, and with what `more` adds once it is in the log. */
const decideLicence = async (
  deps: CommandDeps,
  envelope: CommandEnvelope,
  decide: Decide,
  more: () => Promise<object> = async () => ({}),
): Promise<Outcome> => {
  const { licenceId, commandId } = envelope;
  const handled = await handleCommand(deps, envelope, { entity: licenceDecider, id: licenceId }, decide);
  if (handled.kind === 'refused') return refuse(handled.problem);
  const added = await more();
  const license = await wire(deps, handled, licenceId);
  const { position } = handled;
  return {
    kind: 'done',
    data: { license, ...added },
    recorded: { position, revision: license.revision, commandId },
  };
};

const issueLicence = (
  deps: CommandDeps,
  body: z.output<typeof issueLicenceRequest>,
  request: Request,
): Promise<Outcome> => {
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
  return decideLicence(
    deps,
    byAdmin(deps, request, licenceId),
    async (session) => {
      const holder = { licenceId, id: licenceId };
      const taken = await claim(session, { category: 'licencekey', value: licenseKey }, holder);
      return taken ?? decideOn({ session }, licenceDecider, licenceId, command, {});
    },
    async () => ({ activationCode: await codeFor(deps, request, licenceId) }),
  );
};

const changeLicence =
  <Body>(commandOf: (body: Body) => LicenceCommand): LicenceAnswer<Body> =>
  (deps, licence, body, request) =>
    decideLicence(deps, byAdmin(deps, request, licence.id), (session) =>
      decideOn({ session }, licenceDecider, licence.id, commandOf(body), {}),
    );

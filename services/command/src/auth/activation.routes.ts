import { derivedId } from '@zakup/contracts/derived-ids';
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
import { correlationIdsOf } from '@zakup/service-kit/correlation';
import { type Request, type Response, Router } from 'express';
import type { DecisionSession } from '../pipeline/decision-session.ts';
import type { CommandDeps } from '../deps.ts';
import { decideOn } from '../pipeline/decide-on.ts';
import { type CommandEnvelope, handleCommand } from '../pipeline/handle-command.ts';
import { claim } from '../pipeline/reservations.ts';
import { afterFirstSecret, asksForMore } from './after-first-secret.ts';
import { bodyRoute, type Outcome, refuse, unkeyedEnvelope } from './body-route.ts';
import { clearCookie, type Cookie, cookieOf, setCookie } from './cookies.ts';
import { accountById, holdersOf, type Known, licenceByKey, ownerByKey } from './directory.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { rememberDevice } from './known-device.ts';
import { ownerOf, refusedPassword } from './new-password.ts';

const ticketCookie: Cookie = { name: 'zakup_activation', path: '/api/licenses' };

/** Failures of the code are counted apart from those of the owner's password. */
export const activationAccount = (licenceId: string): string => `activation/${licenceId}`;

/** The activation dialog's calls: ACT-3 to ACT-12. */
export const activationRoutes = (deps: CommandDeps, throttle: LoginThrottle): Router => {
  const router = Router();
  const requestCode = codeMaker(deps);
  router.post(
    '/request-code',
    bodyRoute(requestCodeRequest, ({ licenseKey }, request, response) => requestCode(request, response, licenseKey)),
  );
  router.post(
    '/activate-step1',
    bodyRoute(activateStep1Request, (body, request, response) => checkCode(deps, throttle, body, request, response)),
  );
  router.post(
    '/activate-step2',
    bodyRoute(activateStep2Request, (body, request, response) => setPassword(deps, body, request, response)),
  );
  router.post(
    '/activate',
    bodyRoute(activateRequest, (body, request, response) => signInByKey(deps, throttle, body, request, response)),
  );
  return router;
};

/** What happened to a licence's activation, by nobody who is signed in. */
const byOwner = (deps: CommandDeps, request: Request, licenceId: string): CommandEnvelope =>
  unkeyedEnvelope(deps, request, { licenceId, actorId: 'owner' });

export const recordActivation = (
  deps: CommandDeps,
  envelope: CommandEnvelope,
  command: ActivationCommand,
): ReturnType<typeof handleCommand> =>
  handleCommand(deps, envelope, { entity: activationDecider, id: envelope.licenceId }, (session) =>
    decideOn({ session }, activationDecider, envelope.licenceId, command, { now: envelope.at }),
  );

/** Codes that are made at once; whoever asks beyond them asks again, as one who waits for a code does. */
const mostMaking = 100;

/**
 * Whether a code was made is for the owner's eyes only: what comes before the answer is the same for every key, and the code is made after
 * it, so that not even the time tells.
 */
const codeMaker = (deps: CommandDeps) => {
  const making = new Set<string>();

  const make = async (request: Request, { id, state }: Known<Licence>, now: number): Promise<void> => {
    const { codeSender } = deps;
    const made = await deps.credentials.makeActivationCode(id, 'owner', now, { readable: codeSender === undefined });
    if (made.kind !== 'made') return;
    codeSender?.send(state.ownerTelegram, made.code);
    const validUntil = new Date(made.expiresAt).toISOString();
    const command = { type: 'IssueActivationCode', by: 'owner', validUntil } as const;
    await recordActivation(deps, byOwner(deps, request, id), command);
  };

  const makeOnce = async (request: Request, licence: Known<Licence>, now: number): Promise<void> => {
    if (making.has(licence.id) || making.size >= mostMaking) return;
    making.add(licence.id);
    try {
      await make(request, licence, now);
    } catch (error) {
      deps.log.error({ err: error, ...correlationIdsOf(request) }, 'A code that an owner asked for could not be made');
    } finally {
      making.delete(licence.id);
    }
  };

  return async (request: Request, response: Response, licenseKey: string): Promise<Outcome> => {
    const licence = await licenceByKey(deps, licenseKey);
    const now = deps.now();
    // Where no code can be kept now, everybody is told so.
    await deps.credentials.pendingActivationCode(licence?.id ?? licenseKey, now);
    if (licence !== null && !licence.state.activated && licence.state.suspended === null)
      response.once('close', () => void makeOnce(request, licence, now));
    return { kind: 'done', data: {} };
  };
};

/** Also of an owner who is still to come. */
const ownerIdOf = ({ id, state }: Known<Licence>): string => state.ownerId ?? derivedId(id, 'owner');

const checkCode = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  { licenseKey, twoFactorCode }: { readonly licenseKey: string; readonly twoFactorCode: string },
  request: Request,
  response: Response,
): Promise<Outcome> => {
  const message = messages.activationCodeInvalid;
  const wrong = {
    code: 'VALIDATION_FAILED',
    message,
    errors: [{ pointer: '/twoFactorCode', detail: message }],
  } as const;
  const named = await licenceByKey(deps, licenseKey);
  const account = activationAccount(named?.id ?? licenseKey);
  const holders = named === null ? [] : [{ licenceId: named.id, personId: ownerIdOf(named) }];
  const told = { holders, door: 'activation' } as const;
  const secretTry = { request, response, account, device: { kind: 'unknown' }, wrong, told } as const;
  const attempted = await throttle.attempt(secretTry, async (now) => {
    const licence = await licenceByKey(deps, licenseKey);
    const open = licence === null || licence.state.suspended !== null ? null : licence;
    // Of nobody's key there is no code, which is looked for all the same.
    const checked = await deps.credentials.checkActivationCode(open?.id ?? licenseKey, twoFactorCode, now);
    return checked.kind === 'right' ? open : null;
  });
  if (attempted.kind === 'refused') return attempted;
  const { id, state } = attempted.found;
  await recordActivation(deps, byOwner(deps, request, id), { type: 'AcceptActivationCode' });
  const now = deps.now();
  const { ticket, expiresAt } = await deps.credentials.openTicket(id, now);
  setCookie(deps, request, response, ticketCookie, { value: ticket, maxAge: expiresAt - now });
  return { kind: 'done', data: { ownerName: state.ownerName, ownerTelegram: state.ownerTelegram } };
};

const ticketOf = (request: Request): string | null => cookieOf(request, ticketCookie)?.value ?? null;

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
const setPassword = async (
  deps: CommandDeps,
  { licenseKey, password }: { readonly licenseKey: string; readonly password: string },
  request: Request,
  response: Response,
): Promise<Outcome> => {
  const licence = await ticketedLicence(deps, request, licenseKey);
  if (licence === null) return refuse({ code: 'UNAUTHENTICATED', message: messages.activationTicketMissing });
  if (licence.state.suspended !== null) return refuse({ code: 'LICENSE_INACTIVE', message: messages.licenceSuspended });
  const ownerId = ownerIdOf(licence);
  const account = await accountById(deps, licence.id, ownerId);
  const holders = [...ownerOf(licence.state), ...(account === null ? [] : [account.employee.state])];
  const refused = refusedPassword({ field: 'password', password }, holders, licence.state);
  if (refused !== null) return refuse(refused);
  await deps.credentials.setPassword(
    { userId: ownerId, licenceId: licence.id, temporary: false, validUntil: null },
    password,
  );
  const freshCode = makeLoginCode(deps.random);
  const envelope = byOwner(deps, request, licence.id);
  const handled = await handleCommand(deps, envelope, { entity: licenceDecider, id: licence.id }, (session) =>
    activateLicence(session, licence.id, ownerId, freshCode, envelope.at),
  );
  if (handled.kind === 'refused') return handled;
  if (licence.state.activated) await deps.credentials.endSessionsOf(ownerId, 'password_changed');
  await deps.credentials.ticket(ticketOf(request) ?? '', deps.now(), { use: true });
  clearCookie(deps, request, response, ticketCookie);
  await rememberDevice(deps, request, response, ownerId);
  const ceoLoginCode = handled.target.state?.ceoLoginCode ?? '';
  const { position } = handled;
  return { kind: 'done', data: { ceoLoginCode }, recorded: { position, commandId: envelope.commandId } };
};

/** The licence, its owner as a person with the role CEO, and the owner's login code, in one append. */
export const activateLicence = async (
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
  // The ticket proves the code, whatever was asked for since: a step repeated after its answer was lost finds the code used already,
  // and one after another code was asked for finds that one not accepted.
  const left: readonly ActivationCommand[] =
    activation?.code === 'used'
      ? []
      : activation?.code === 'issued'
        ? [{ type: 'AcceptActivationCode' }, { type: 'CompleteActivation' }]
        : [{ type: 'CompleteActivation' }];
  for (const step of left) {
    const refused = await decideOn({ session }, activationDecider, licenceId, step, { now });
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
const signInByKey = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  given: { readonly licenseKey: string; readonly password: string; readonly endOldest?: boolean | undefined },
  request: Request,
  response: Response,
): Promise<Outcome> => {
  const { licenseKey, password, endOldest = false } = given;
  const wrong = { code: 'UNAUTHENTICATED', message: messages.activationFailed } as const;
  const named = await ownerByKey(deps, licenseKey);
  const secretTry = {
    request,
    response,
    account: named?.employee.id ?? licenseKey,
    device: { kind: 'browser' },
    wrong,
    told: { holders: holdersOf([named]), door: 'licence' },
  } as const;
  const attempted = await throttle.attempt(
    secretTry,
    async (now) => {
      const account = await ownerByKey(deps, licenseKey);
      const ids = account === null ? [] : [account.employee.id];
      const checked = await deps.credentials.checkPassword(ids, password, now);
      if (checked.kind === 'wrong' || account === null) return null;
      return { account, more: await asksForMore(deps, account) };
    },
    ({ more }) => (more ? null : secretTry.account),
  );
  if (attempted.kind === 'refused') return attempted;
  const { found, knownDevice } = attempted;
  const options = { via: 'licence', endOldest, passwordChangeOnly: false, knownDevice } as const;
  return afterFirstSecret(deps, request, found.account, options);
};

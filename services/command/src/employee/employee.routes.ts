import type { PersonWire } from '@zakup/contracts/wire-entities';
import { presentPerson, withoutPersonal } from '@zakup/contracts/to-wire';
import type { Problem } from '@zakup/contracts/problems';
import { changeUserRequest, createEmployeeRequest } from '@zakup/contracts/requests/people.requests';
import { revisionQuery } from '@zakup/contracts/requests/queries';
import { makeLoginCode, makeTemporaryPassword } from '@zakup/credentials/codes';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import type { EmployeeEvent, OwnPermissions } from '@zakup/domain/employee/events';
import type { Employee } from '@zakup/domain/employee/state';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { licenceStatus } from '@zakup/domain/licence/licence-status';
import { entriesOf } from '@zakup/domain/merge';
import { messages } from '@zakup/domain/messages';
import { rateLimited } from '@zakup/domain/sign-in-messages';
import { toRoubles } from '@zakup/domain/money';
import {
  type EmployeeSubject,
  effectivePermissions,
  may,
  permissionKeys,
  permissionsOf,
  type Person,
  personOf,
  seesCode,
} from '@zakup/domain/permissions';
import { Router } from 'express';
import { type Account, accountById, licenceById } from '../auth/directory.ts';
import { refusedPassword } from '../auth/new-password.ts';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../pipeline/decide-on.ts';
import { streamOf } from '../pipeline/ids.ts';
import { conflictOfAnyField, mergeWith } from '../pipeline/merge-conflicts.ts';
import { definedOf, denied, parseBody } from '../pipeline/requests.ts';
import { claim, claimCode, emailKey, release, releaseCode } from '../pipeline/reservations.ts';
import { type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

export type EmployeeRoute = TenantCommand<Employee, EmployeeEvent>;

/** How long a temporary password works (AUTH-28). */
export const temporaryPasswordMs = 72 * 60 * 60 * 1000;

export const employeeTarget: EmployeeRoute['target'] = ({ params }) => ({
  entity: employeeDecider,
  id: params['id'] ?? '',
});

/** The person with their code, where that is theirs now and the asker may know it now: a repeat may come long after. */
export const answerWithUser =
  (deps: CommandDeps) =>
  async (
    done: Parameters<EmployeeRoute['answer']>[0],
    id: string,
    { session: { licenceId, userId, key } }: Parameters<EmployeeRoute['answer']>[2],
  ): Promise<{ readonly user: PersonWire }> => {
    const row = rowOf(done.target, id);
    const [asker, account] = [await accountById(deps, licenceId, userId), await accountById(deps, licenceId, id)];
    const isTheirs = account?.employee.state.authCode === row.authCode;
    const showCode =
      asker !== null && account !== null && isTheirs && seesCode(personIn(deps, asker), subjectIn(account));
    const user = presentPerson(row, licenceId, showCode);
    return { user: key === undefined ? user : withoutPersonal(user) };
  };

const subjectIn = ({ employee: { id, state } }: Account) => ({ ...subjectOf(id, state), isActive: state.isActive });

const personIn = (deps: CommandDeps, { employee, licence }: Account): Person => {
  const status = licenceStatus(licence.state, new Date(deps.now()).toISOString());
  return personOf({ ...employee.state, id: employee.id }, { ...licence.state, id: licence.id }, status);
};

/** People: PPL-1 to PPL-5, ROLE-13, ROLE-14, AUTH-28, AUTH-29. */
export const employeeRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/employees/create', tenantRoute(deps, createEmployee(deps)));
  router.put('/users/:id', tenantRoute(deps, changeEmployee(deps)));
  router.delete('/users/:id', tenantRoute(deps, deactivateEmployee(deps)));
  return router;
};

const emailOf = (person: { licence: { id: string } }, email: string) =>
  ({ category: 'email', licenceId: person.licence.id, value: emailKey(email) }) as const;

/** A person as the rules about ranks see them. */
export const subjectOf = (userId: string, employee: Employee): EmployeeSubject => ({
  userId,
  role: employee.role,
  permissions: permissionsOf(employee),
  isOwner: employee.isOwner,
});

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A permissions object or its JSON, known flags only; null = nothing that replaces the role's set (ROLE-3). */
const ownPermissions = (given: Readonly<Record<string, boolean>> | string | null): OwnPermissions => {
  const value = typeof given === 'string' ? (given.trim() === '' ? null : parsedJson(given)) : given;
  if (value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) return effectivePermissions('MEDIA_BUYER', null);
  const flags = new Map(Object.entries(value));
  const known = permissionKeys.filter((key) => flags.has(key)).map((key) => [key, flags.get(key) === true] as const);
  return known.length === 0 ? null : Object.fromEntries(known);
};

/** The owner is CEO for ever and cannot leave, so that nobody else is the last one. */
const otherActiveCeos = async ({ session, person }: TenantContext, id: string): Promise<number> => {
  const licence = (await session.load(licenceDecider, person.licence.id)).state;
  return licence === null || licence.ownerId === id ? 0 : 1;
};

/** Whoever was told of as many codes as may be is told of none for a while: refused before the code is looked for, so that it says nothing of it. */
const tooManyTaken = ({ takenCodes }: CommandDeps, guesser: string): Problem | null => {
  const left = takenCodes.look(guesser);
  if (left.kind === 'taken') return null;
  const seconds = Math.ceil(left.retryAfterSeconds);
  return { code: 'RATE_LIMITED', message: rateLimited(seconds), retryAfterSeconds: seconds };
};

/**
 * The password is set once the employee is in the log. Should the process end in between, the same command sent again sets the given
 * one, or makes and shows a fresh temporary one; a password that is there is never overwritten, nor shown twice, and nobody gets one
 * who was deactivated or got another code since.
 */
const createEmployee = (deps: CommandDeps) => (): EmployeeRoute => {
  const temporaryPassword = makeTemporaryPassword(deps.random);
  const freshCode = makeLoginCode(deps.random);
  let given: { readonly password: string | undefined; readonly toBeChanged: boolean } | null = null;
  /** However often a race has it decided anew. */
  let isCounted = false;
  return {
    // It answers a code and a password.
    closedToKeys: true,
    target: ({ newId }) => ({ entity: employeeDecider, id: newId('employee') }),

    async decide(context, id) {
      const { session, person } = context;
      const refusedToAll = denied(may(person, 'employee.create', 'some'));
      if (refusedToAll !== null) return refusedToAll;
      const parsed = parseBody(createEmployeeRequest, context.body);
      if (parsed.kind === 'refused') return parsed.problem;
      const { password, ...body } = parsed.body;
      const permissions = ownPermissions(body.permissions ?? null);
      const after = { role: body.role, permissions: effectivePermissions(body.role, permissions) };
      const refused = denied(may(person, 'employee.create', { after }));
      if (refused !== null) return refused;
      const isChosen = body.authCode !== undefined;
      const guesser = `${person.licence.id} ${person.userId}`;
      const limited = isChosen && !isCounted ? tooManyTaken(deps, guesser) : null;
      if (limited !== null) return limited;
      const licence = await licenceById(deps, person.licence.id);
      if (licence === null) return { code: 'NOT_FOUND', message: messages.notFound };
      const weak =
        password === undefined ? null : refusedPassword({ field: 'password', password }, [body], licence.state);
      if (weak !== null) return weak;
      given = { password, toBeChanged: password === undefined || licence.state.settings.changeGivenPasswords };
      const authCode = body.authCode ?? freshCode;
      const holder = { licenceId: person.licence.id, id };
      if ((await claim(session, emailOf(person, body.email), holder)) !== null)
        return { code: 'DUPLICATE', message: messages.emailTaken };
      if ((await claimCode(session, { value: authCode, chosen: isChosen }, holder)) !== null) {
        if (isChosen && !isCounted) deps.takenCodes.owe(guesser);
        isCounted = true;
        return { code: 'DUPLICATE', message: messages.authCodeTaken };
      }
      const command = {
        type: 'CreateEmployee',
        name: body.name,
        email: body.email,
        role: body.role,
        authCode,
        permissions,
        isOwner: false,
        salaryType: body.salaryType ?? null,
        salaryRate: body.salaryRate ?? null,
        performanceThreshold: body.performanceThreshold ?? null,
      } as const;
      return decideOn(context, employeeDecider, id, command, { isSelf: false, otherActiveCeos: 0 });
    },

    async answer(done, id, auth) {
      const { licenceId } = auth.session;
      const user = presentPerson(rowOf(done.target, id), licenceId, true);
      const answered = { user, authCode: user.authCode };
      const account = await accountById(deps, licenceId, id);
      if (given === null || account?.employee.state.authCode !== user.authCode) return answered;
      const isMade = given.password === undefined;
      const validUntil = isMade ? deps.now() + temporaryPasswordMs : null;
      const record = { userId: id, licenceId, temporary: given.toBeChanged, validUntil, typedWith: user.authCode };
      const set = await deps.credentials.setFirstPassword(record, given.password ?? temporaryPassword);
      return set && isMade ? { ...answered, temporaryPassword } : answered;
    },
  };
};

/** Only active people hold an e-mail and a code: claims and releases what a change of either moves; the problem when it is taken. */
const moveReservations = async (
  { session, person }: TenantContext,
  id: string,
  before: Employee,
  after: { readonly active: boolean; readonly email: string; readonly freshAuthCode: string },
): Promise<Problem | null> => {
  const holder = { licenceId: person.licence.id, id };
  const comesBack = after.active && !before.isActive;
  const leaves = before.isActive && !after.active;
  const moves = emailOf(person, after.email).value !== emailOf(person, before.email).value;
  if (before.isActive && (leaves || moves)) await release(session, emailOf(person, before.email), holder);
  if (leaves) await releaseCode(session, before.authCode, holder);
  if (after.active && (comesBack || moves) && (await claim(session, emailOf(person, after.email), holder)) !== null)
    return { code: 'DUPLICATE', message: messages.emailTaken };
  if (comesBack && (await claimCode(session, { value: after.freshAuthCode, chosen: false }, holder)) !== null)
    return { code: 'DUPLICATE', message: messages.authCodeTaken };
  return null;
};

/** Ends the sessions and the password of a person who is not active now: a command sent again may find them back. */
const shutOut = async (deps: CommandDeps, licenceId: string, id: string): Promise<void> => {
  if ((await accountById(deps, licenceId, id)) !== null) return;
  // The password first: a process that ends in between leaves sessions, which are refused with the person, but no way back in.
  await deps.credentials.removePassword(id);
  await deps.credentials.endSessionsOf(id, 'revoked');
};

const changeEmployee = (deps: CommandDeps): EmployeeRoute => ({
  target: employeeTarget,

  async decide(context, id) {
    const { session, person } = context;
    const refusedToAll = denied(may(person, 'employee.change', 'some'));
    if (refusedToAll !== null) return refusedToAll;
    const loaded = await session.load(employeeDecider, id);
    const { state } = loaded;
    if (state === null) return { code: 'NOT_FOUND', message: messages.employeeNotFound };
    const before = subjectOf(id, state);
    const refused = denied(may(person, 'employee.change', { before, after: before }));
    if (refused !== null) return refused;
    const parsed = parseBody(changeUserRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { baseRevision, permissions, performanceThreshold, ...body } = parsed.body;
    const wanted = definedOf({
      ...body,
      permissions: permissions === undefined ? undefined : (ownPermissions(permissions) ?? {}),
      performanceThreshold:
        performanceThreshold === undefined || performanceThreshold === null
          ? performanceThreshold
          : toRoubles(performanceThreshold),
    });
    const at = { entity: employeeDecider, stream: streamOf('employee', person.licence.id, id), loaded };
    const merged = await mergeWith(deps.eventStore, session, at, baseRevision, wanted);
    if (merged.kind === 'refused') return merged.problem;
    const flags = entriesOf(merged.apply, 'permissions') as Record<string, boolean | null>;
    const applies = ([field]: [string, unknown]): boolean => Object.hasOwn(merged.apply, field);
    const changes = {
      ...Object.fromEntries(Object.entries({ ...body, performanceThreshold }).filter(applies)),
      ...(Object.keys(flags).length > 0 && { permissions: flags }),
    };
    const kept = Object.entries({ ...state.permissions, ...flags }).filter(
      (flag): flag is [string, boolean] => flag[1] !== null,
    );
    const role = body.role ?? state.role;
    const after = { role, permissions: effectivePermissions(role, Object.fromEntries(kept)) };
    const refusedAfter = state.isOwner ? null : denied(may(person, 'employee.change', { before, after }));
    if (refusedAfter !== null) return refusedAfter;

    const active = applies(['isActive', body.isActive]) ? body.isActive === true : state.isActive;
    if (active && !state.isActive) {
      const refusedBack = denied(may(person, 'employee.reactivate', { before: { ...before, ...after } }));
      if (refusedBack !== null) return refusedBack;
    }
    const email = applies(['email', body.email]) ? (body.email ?? state.email) : state.email;
    const freshAuthCode = makeLoginCode(deps.random);
    // Left over where a process ended while it deactivated the person; removed again for nobody who is active by now.
    if (active && !state.isActive) await shutOut(deps, person.licence.id, id);
    const taken = await moveReservations(context, id, state, { active, email, freshAuthCode });
    if (taken !== null) return taken;
    const facts = { isSelf: id === person.userId, otherActiveCeos: await otherActiveCeos(context, id) };
    return decideOn(context, employeeDecider, id, { type: 'ChangeEmployee', changes, freshAuthCode }, facts);
  },

  async answer(done, id, auth) {
    const answered = await answerWithUser(deps)(done, id, auth);
    if (!answered.user.isActive) await shutOut(deps, auth.session.licenceId, id);
    return answered;
  },
});

const deactivateEmployee = (deps: CommandDeps): EmployeeRoute => ({
  target: employeeTarget,

  async decide(context, id) {
    const { session, person } = context;
    const refusedToAll = denied(may(person, 'employee.deactivate', 'some'));
    if (refusedToAll !== null) return refusedToAll;
    const loaded = await session.load(employeeDecider, id);
    const { state } = loaded;
    if (state === null || !state.isActive) return { code: 'NOT_FOUND', message: messages.employeeNotFound };
    const others = await otherActiveCeos(context, id);
    const subject = { before: subjectOf(id, state), lastOwner: others === 0 };
    const refused = denied(may(person, 'employee.deactivate', subject));
    if (refused !== null) return refused;
    const parsed = parseBody(revisionQuery, context.query);
    if (parsed.kind === 'refused') return parsed.problem;
    const at = { entity: employeeDecider, stream: streamOf('employee', person.licence.id, id), loaded };
    const conflict = await conflictOfAnyField(deps.eventStore, session, at, parsed.body.baseRevision);
    if (conflict !== null) return conflict;
    const holder = { licenceId: person.licence.id, id };
    await release(session, emailOf(person, state.email), holder);
    await releaseCode(session, state.authCode, holder);
    const facts = { isSelf: id === person.userId, otherActiveCeos: others };
    return decideOn(context, employeeDecider, id, { type: 'DeactivateEmployee' }, facts);
  },

  async answer(_done, id, auth) {
    await shutOut(deps, auth.session.licenceId, id);
    return {};
  },
});

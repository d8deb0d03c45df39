import { presentLicense, presentPerson } from '@zakup/contracts/to-wire';
import type { Problem } from '@zakup/contracts/problems';
import type { Session } from '@zakup/credentials/credentials';
import { licenceStatus } from '@zakup/domain/licence/licence-status';
import { messages } from '@zakup/domain/messages';
import type { Request } from 'express';
import type { CommandDeps } from '../deps.ts';
import { rowOf } from '../pipeline/decide-on.ts';
import { type Outcome, refuse } from './body-route.ts';
import { networkOf } from '@zakup/service-kit/network-address';
import type { Account } from './directory.ts';

const hour = 60 * 60 * 1000;

/** A session's whole life from sign-in, not sliding (AUTH-15). */
const lifeOf = (via: Session['via']): number => (via === 'licence' ? 7 * 24 * hour : 24 * hour);

/** How many of a licence's seats one person takes at once: a computer, a phone and one more (AUTH-38). */
const mostSeatsOfOne = 3;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Only the owner of a suspended or closed licence gets in; null = may come in. */
export const refusedByLicence = ({ employee, licence }: Account, now: number): Problem | null => {
  if (employee.state.isOwner) return null;
  switch (licenceStatus(licence.state, new Date(now).toISOString())) {
    case 'suspended':
      return { code: 'LICENSE_INACTIVE', message: messages.licenceSuspended };
    case 'closed':
      return { code: 'LICENSE_INACTIVE', message: messages.licenceClosed };
    case 'active':
    case 'grace_period':
    case 'expired':
      return null;
  }
};

/** Takes a seat for a person whose secret was right, and answers the tokens with who they are. */
export const openSession = async (
  deps: CommandDeps,
  request: Request,
  account: Account,
  options: {
    readonly via: Session['via'];
    readonly endOldest: boolean;
    readonly passwordChangeOnly: boolean;
    /** Keeps an earlier session's end instead of a new life. */
    readonly expiresAt?: number;
    /** For the audit; null = it goes on with a sign-in that was told. */
    readonly knownDevice: boolean | null;
    /** Seats beside the licence's own, for a session that replaces another. */
    readonly extraSeats?: number;
  },
): Promise<Outcome> => {
  const now = deps.now();
  const { employee, licence } = account;
  const holder = { licenceId: licence.id, personId: employee.id };
  const network = networkOf(request.ip);
  const tellRefused = (reason: 'licence_inactive' | 'seats_taken'): void =>
    deps.access.refused({ holder, door: options.via, reason, network });
  const closed = refusedByLicence(account, now);
  if (closed !== null) {
    tellRefused('licence_inactive');
    return refuse(closed);
  }
  const sessionsBefore = options.endOldest ? await deps.credentials.sessionsOf(employee.id, now) : [];
  const opened = await deps.credentials.openSession(
    {
      id: hex(deps.random(16)),
      userId: employee.id,
      licenceId: licence.id,
      via: options.via,
      createdAt: now,
      expiresAt: options.expiresAt ?? now + lifeOf(options.via),
      userAgent: (request.get('User-Agent') ?? '').slice(0, 200),
      passwordChangeOnly: options.passwordChangeOnly,
    },
    {
      maxConcurrentSessions: licence.state.maxConcurrentSessions + (options.extraSeats ?? 0),
      mostOfOne: mostSeatsOfOne + (options.extraSeats ?? 0),
      endOldest: options.endOldest,
    },
  );
  if (opened.kind === 'limit') {
    const sessions = opened.own.map(({ id, createdAt, userAgent }) => ({
      id,
      createdAt: new Date(createdAt).toISOString(),
      userAgent,
    }));
    tellRefused('seats_taken');
    return refuse({ code: 'SESSION_LIMIT', message: messages.sessionLimit, sessions });
  }
  if (options.knownDevice !== null) {
    const { id: sessionId } = opened.session;
    const data = { sessionId, door: options.via, network, knownDevice: options.knownDevice };
    const signedIn = { type: 'SignedIn', data } as const;
    const replaced = await endedSince(deps, employee.id, sessionsBefore, now);
    await deps.access.tell(
      holder,
      employee.id,
      replaced.length === 0
        ? [signedIn]
        : [{ type: 'SessionsEnded', data: { sessionIds: replaced, reason: 'replaced' } }, signedIn],
    );
  }
  const view = { now: new Date(now).toISOString(), reveal: employee.state.isOwner };
  return {
    kind: 'done',
    data: {
      ...tokensOf(deps, opened.session, employee.state.role, opened.refreshToken),
      user: presentPerson(rowOf(employee, employee.id), licence.id, true),
      license: presentLicense(rowOf(licence, licence.id), view),
      ...(options.passwordChangeOnly && { passwordChangeRequired: true }),
    },
  };
};

const endedSince = async (
  { credentials }: CommandDeps,
  userId: string,
  before: readonly Session[],
  now: number,
): Promise<readonly string[]> => {
  if (before.length === 0) return [];
  const open = new Set((await credentials.sessionsOf(userId, now)).map(({ id }) => id));
  return before.map(({ id }) => id).filter((id) => !open.has(id));
};

export const tokensOf = (
  deps: Pick<CommandDeps, 'tokens'>,
  session: Session,
  role: string,
  refreshToken: string,
): { readonly token: string; readonly refreshToken: string } => ({
  token: deps.tokens.issue({
    userId: session.userId,
    sessionId: session.id,
    licenceId: session.licenceId,
    role,
    passwordChangeOnly: session.passwordChangeOnly,
    sessionExpiresAt: session.expiresAt,
  }),
  refreshToken,
});

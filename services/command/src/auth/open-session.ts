import { presentLicense, presentPerson } from '@zakup/contracts/present';
import type { Problem } from '@zakup/contracts/problems';
import type { Session } from '@zakup/credentials/credentials';
import { licenceStatus } from '@zakup/domain/licence/licence-status';
import { messages } from '@zakup/domain/messages';
import type { Request } from 'express';
import type { CommandDeps } from '../deps.ts';
import { rowOf } from '../entity-routes.ts';
import type { Account } from './directory.ts';

const hour = 60 * 60 * 1000;

/** A session's whole life from sign-in, not sliding (decisions.md 9). */
const lifeOf = (via: Session['via']): number => (via === 'licence' ? 7 * 24 * hour : 24 * hour);

export type SignedIn =
  | { readonly kind: 'signed_in'; readonly data: object }
  | { readonly kind: 'refused'; readonly problem: Problem };

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Takes a seat for a person whose secret was right, and answers the tokens with who they are. */
export const openSession = async (
  deps: CommandDeps,
  request: Request,
  { employee, licence }: Account,
  options: {
    readonly via: Session['via'];
    readonly endOldest: boolean;
    readonly passwordChangeOnly: boolean;
    /** Keeps an earlier session's end instead of a new life. */
    readonly expiresAt?: number;
    /** Seats beside the licence's own, for a session that replaces another. */
    readonly extraSeats?: number;
  },
): Promise<SignedIn> => {
  const now = deps.now();
  const nowIso = new Date(now).toISOString();
  const isOwner = employee.state.isOwner;
  if (licenceStatus(licence.state, nowIso) === 'suspended' && !isOwner)
    return { kind: 'refused', problem: { code: 'LICENSE_INACTIVE', message: messages.licenceSuspended } };
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
      endOldest: options.endOldest,
    },
  );
  if (opened.kind === 'limit') {
    const sessions = opened.own.map(({ id, createdAt, userAgent }) => ({
      id,
      createdAt: new Date(createdAt).toISOString(),
      userAgent,
    }));
    return { kind: 'refused', problem: { code: 'SESSION_LIMIT', message: messages.sessionLimit, sessions } };
  }
  return {
    kind: 'signed_in',
    data: {
      ...tokensOf(deps, opened.session, employee.state.role, opened.refreshToken),
      user: presentPerson(rowOf(employee, employee.id), licence.id),
      license: presentLicense(rowOf(licence, licence.id), { now: nowIso, reveal: isOwner }),
      ...(options.passwordChangeOnly && { passwordChangeRequired: true }),
    },
  };
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

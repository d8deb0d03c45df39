import type { AccessTokens } from './access-token.ts';
import type { Credentials, Millis, Session } from './credentials.ts';
import { adminAccount } from './device-book.ts';

/** What a token is checked against; `now` answers a UTC instant in milliseconds. */
export interface Authenticating {
  readonly tokens: Pick<AccessTokens, 'verify'>;
  readonly credentials: Pick<Credentials, 'session' | 'adminSession'>;
  readonly now: () => Millis;
}

/** `over`: expired, forged, no token at all but some other text, of another realm, or of a session that is not open. */
export type TokenRefusal = 'no_token' | 'over';

export type Authenticated =
  /** `expiresAt`: UTC milliseconds at which the token ends. */
  | { readonly kind: 'open'; readonly session: Session; readonly expiresAt: Millis }
  /** `password_change_only`: the session of a one-time password, which opens only what `passwordChange` serves. */
  | { readonly kind: 'refused'; readonly reason: TokenRefusal | 'password_change_only' };

const bearer = /^Bearer +(\S.*)$/iu;

/** The token of an `Authorization` header, whatever it is; null when it carries none. */
export const bearerOf = (authorization: string | undefined): string | null =>
  bearer.exec(authorization ?? '')?.[1] ?? null;

/** The open session behind a person's access token. A one-time password's is refused unless `passwordChange`. */
export const authenticateToken = async (
  { tokens, credentials, now }: Authenticating,
  token: string | null,
  { passwordChange = false } = {},
): Promise<Authenticated> => {
  if (token === null) return { kind: 'refused', reason: 'no_token' };
  const verified = tokens.verify(token, 'zakup');
  if (verified.kind !== 'valid') return { kind: 'refused', reason: 'over' };
  const { sid, sub, exp } = verified.claims;
  const session = await credentials.session(sid, now());
  if (session === null || session.userId !== sub) return { kind: 'refused', reason: 'over' };
  if (session.passwordChangeOnly && !passwordChange) return { kind: 'refused', reason: 'password_change_only' };
  return { kind: 'open', session, expiresAt: exp * 1000 };
};

export type AuthenticatedAdmin =
  | { readonly kind: 'open'; readonly login: string; readonly sessionId: string }
  /** `idle`: ended because nobody used it. */
  | { readonly kind: 'refused'; readonly reason: TokenRefusal | 'idle' };

interface AuthenticatingAdmin extends Authenticating {
  readonly credentials: Pick<Credentials, 'session' | 'adminSession' | 'secondFactorOf'>;
  /** `required`: a session that came to be without one is none. */
  readonly adminSecondFactor?: 'optional' | 'asked' | 'required';
}

/** The admin's open session behind a token of that realm. `unattended`: what asks is no sign that somebody is there. */
export const authenticateAdmin = async (
  { tokens, credentials, now, adminSecondFactor = 'optional' }: AuthenticatingAdmin,
  token: string | null,
  { unattended = false } = {},
): Promise<AuthenticatedAdmin> => {
  if (token === null) return { kind: 'refused', reason: 'no_token' };
  const verified = tokens.verify(token, 'zakup-admin');
  if (verified.kind !== 'valid') return { kind: 'refused', reason: 'over' };
  const { sub: login, sid: sessionId } = verified.claims;
  const state = await credentials.adminSession(sessionId, now(), { use: !unattended });
  if (state !== 'open') return { kind: 'refused', reason: state };
  // Opened by a password alone, before the server was told to ask for more.
  const isMissing =
    adminSecondFactor === 'required' && (await credentials.secondFactorOf(adminAccount(login))) === null;
  return isMissing ? { kind: 'refused', reason: 'over' } : { kind: 'open', login, sessionId };
};

/** A header of an open page that looks for news while nobody acts on it. */
export const unattendedHeader = 'X-Unattended';

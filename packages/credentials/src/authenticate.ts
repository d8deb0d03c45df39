import type { AccessTokens } from './access-token.ts';
import type { ApiKey, Credentials, Millis, Session } from './credentials.ts';
import { adminAccount } from './device-book.ts';
import { keySecretPrefix } from './key-book.ts';
import type { KeyThrottle } from './key-throttle.ts';

/** What a token is checked against; `now` answers a UTC instant in milliseconds. */
export interface Authenticating {
  readonly tokens: Pick<AccessTokens, 'verify'>;
  readonly credentials: Pick<Credentials, 'session' | 'adminSession'>;
  readonly now: () => Millis;
}

/** Who asks: a person's session, or a key, whose id stands for person and session. */
export interface Asker extends Session {
  readonly key?: Pick<ApiKey, 'name' | 'access'>;
}

/** What a call is to keys: `none`: only people make it; `read` and `write`: the access that it takes. */
export interface KeyUse {
  readonly access: 'none' | ApiKey['access'];
  /** Whence it comes, for counting keys that are none. */
  readonly address: string;
  readonly throttle: KeyThrottle;
}

/** `over`: expired, forged, no token at all but some other text, of another realm, or of a session that is not open. */
export type TokenRefusal = 'no_token' | 'over';

export type Authenticated =
  /** `expiresAt`: UTC milliseconds at which the token ends. */
  | { readonly kind: 'open'; readonly session: Asker; readonly expiresAt: Millis }
  /** `password_change_only`: the session of a one-time password, which opens only what `passwordChange` serves. */
  | { readonly kind: 'refused'; readonly reason: TokenRefusal | 'password_change_only' };

export type AuthenticatedBearer =
  | Authenticated
  /** `key_denied`: no key opens this; `key_read_only`: this one does not. */
  | { readonly kind: 'refused'; readonly reason: 'key_denied' | 'key_read_only' }
  /** Too many keys that are none came from the address: this one was not looked at. */
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

const bearer = /^Bearer +(\S.*)$/iu;

/** The token of an `Authorization` header, whatever it is; null when it carries none. */
export const bearerOf = (authorization: string | undefined): string | null =>
  bearer.exec(authorization ?? '')?.[1] ?? null;

/** The open session behind a person's access token, which no key is. A one-time password's is refused unless `passwordChange`. */
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

/** A key as whoever asks: its id stands for person and session. */
export const askerOfKey = ({ id, licenceId, name, access, createdAt, expiresAt, lastUsedAt }: ApiKey): Asker => ({
  id,
  userId: id,
  licenceId,
  via: 'owner',
  createdAt,
  expiresAt: expiresAt ?? Number.MAX_SAFE_INTEGER,
  lastSeenAt: lastUsedAt ?? createdAt,
  userAgent: '',
  passwordChangeOnly: false,
  key: { name, access },
});

interface AuthenticatingBearer extends Authenticating {
  readonly credentials: Pick<Credentials, 'session' | 'adminSession' | 'keyOfSecret'>;
}

const authenticateKey = async (
  { credentials, now }: AuthenticatingBearer,
  secret: string,
  { access, address, throttle }: KeyUse,
): Promise<AuthenticatedBearer> => {
  const admitted = throttle.admit(address, secret);
  if (admitted.kind === 'limited') return admitted;
  const key = await credentials.keyOfSecret(secret, now());
  if (key === null) {
    throttle.wrong(secret);
    return { kind: 'refused', reason: 'over' };
  }
  throttle.right(address, secret);
  if (access === 'none') return { kind: 'refused', reason: 'key_denied' };
  if (access === 'write' && key.access === 'read') return { kind: 'refused', reason: 'key_read_only' };
  const session = askerOfKey(key);
  return { kind: 'open', session, expiresAt: session.expiresAt };
};

/** Who asks over HTTP: a person by their access token, or a key by its secret, where the call is open to keys of that access. */
export const authenticateBearer = (
  deps: AuthenticatingBearer,
  token: string | null,
  { passwordChange, keys }: { readonly passwordChange: boolean; readonly keys: KeyUse },
): Promise<AuthenticatedBearer> =>
  token?.startsWith(keySecretPrefix) === true
    ? authenticateKey(deps, token, keys)
    : authenticateToken(deps, token, { passwordChange });

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

import type { Session } from '@zakup/credentials/credentials';
import { messages } from '@zakup/domain/messages';
import type { Problem } from '@zakup/contracts/problems';
import type { GatewayDeps } from './deps.ts';

type Authenticating = Pick<GatewayDeps, 'tokens' | 'credentials' | 'now'>;

export type Authenticated =
  /** `expiresAt`: UTC milliseconds at which the token ends. */
  | { readonly kind: 'open'; readonly session: Session; readonly expiresAt: number }
  | { readonly kind: 'refused'; readonly problem: Problem };

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/u;

/** The token of an `Authorization` header; null when it carries none. */
export const tokenOf = (authorization: string | undefined): string | null =>
  bearer.exec(authorization ?? '')?.[1] ?? null;

const refused = (code: Problem['code'], message: string): Authenticated => ({
  kind: 'refused',
  problem: { code, message },
});

/** The open session of an access token. A one-time password's session is refused unless `passwordChange` is served. */
export const authenticate = async (
  { tokens, credentials, now }: Authenticating,
  token: string | null,
  { passwordChange = false } = {},
): Promise<Authenticated> => {
  if (token === null) return refused('UNAUTHENTICATED', messages.tokenMissing);
  const verified = tokens.verify(token, 'zakup');
  if (verified.kind !== 'valid') return refused('UNAUTHENTICATED', messages.sessionExpired);
  const session = await credentials.session(verified.claims.sid, now());
  if (session === null || session.userId !== verified.claims.sub)
    return refused('UNAUTHENTICATED', messages.sessionExpired);
  if (session.passwordChangeOnly && !passwordChange)
    return refused('PASSWORD_CHANGE_REQUIRED', messages.passwordChangeRequired);
  return { kind: 'open', session, expiresAt: verified.claims.exp * 1000 };
};

/** Null for a valid token of the admin's realm, issued under the present password. */
export const refuseAdmin = async (
  { tokens, credentials }: Authenticating,
  token: string | null,
): Promise<Problem | null> => {
  if (token === null) return { code: 'UNAUTHENTICATED', message: messages.tokenMissing };
  const verified = tokens.verify(token, 'zakup-admin');
  if (verified.kind === 'valid' && verified.claims.sid === (await credentials.adminStamp())) return null;
  return { code: 'UNAUTHENTICATED', message: messages.sessionExpired };
};

import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { Millis } from './credentials.ts';

/** `zakup`: people of a licence; `zakup-admin`: the platform admin. A token of one is invalid in the other. */
export type Audience = 'zakup' | 'zakup-admin';

const issuer = 'zakup';
const algorithm = 'HS256';
const tenantLife = 15 * 60;
const adminLife = 12 * 60 * 60;

const common = {
  iss: z.literal(issuer),
  iat: z.int(),
  exp: z.int(),
  sub: z.string().min(1),
  sid: z.string().min(1),
};

const tenantClaims = z.strictObject({
  ...common,
  aud: z.literal('zakup'),
  licenseId: z.string().min(1),
  /** A hint for the screen: role and licence are read afresh with each request. */
  role: z.string().min(1),
  /** Opens only the change of password, logout and session reading. */
  passwordChangeOnly: z.boolean(),
});

const adminClaims = z.strictObject({ ...common, aud: z.literal('zakup-admin') });

/** `sub` is the person, `sid` the session; `iat` and `exp` in seconds. */
export type TenantClaims = z.infer<typeof tenantClaims>;
/** `sub` is the login, `sid` the session. */
export type AdminClaims = z.infer<typeof adminClaims>;

interface ClaimsOf {
  readonly zakup: TenantClaims;
  readonly 'zakup-admin': AdminClaims;
}

const claimsOf: { readonly [Realm in Audience]: z.ZodType<ClaimsOf[Realm]> } = {
  zakup: tenantClaims,
  'zakup-admin': adminClaims,
};

/** `expired`: ours in every respect but its time. */
export type Verified<Claims> =
  | { readonly kind: 'valid'; readonly claims: Claims }
  | { readonly kind: 'expired' }
  | { readonly kind: 'invalid' };

export interface AccessTokens {
  /** A token for 15 minutes, or until the session's end where that is earlier. */
  issue(to: {
    readonly userId: string;
    readonly sessionId: string;
    readonly licenceId: string;
    readonly role: string;
    readonly passwordChangeOnly: boolean;
    readonly sessionExpiresAt?: Millis;
  }): string;
  /** A token for 12 hours in the admin's realm. */
  issueAdmin(to: { readonly login: string; readonly sessionId: string }): string;
  verify<Realm extends Audience>(token: string, audience: Realm): Verified<ClaimsOf[Realm]>;
}

/** Tokens whose signature was found right before, with what they claim: the newest `most` of them. */
interface ProvenTokens<Claims> {
  readonly get: (token: string) => Claims | undefined;
  readonly keep: (token: string, claims: Claims) => void;
}

const provenTokens = <Claims>(most = 10_000): ProvenTokens<Claims> => {
  const proven = new Map<string, Claims>();
  return {
    get: (token) => proven.get(token),
    keep: (token, claims) => {
      const oldest = proven.size < most ? undefined : proven.keys().next();
      if (oldest?.done === false) proven.delete(oldest.value);
      proven.set(token, claims);
    },
  };
};

/** Signs and checks JWTs, HS256 only. Throws RangeError when the secret has fewer than 32 bytes. */
export const accessTokens = ({
  secret,
  clock,
}: {
  readonly secret: string;
  readonly clock: () => Millis;
}): AccessTokens => {
  const bytes = Buffer.from(secret);
  if (bytes.length < 32) throw new RangeError('The token secret must have at least 32 bytes');
  const key = createSecretKey(bytes);
  const seconds = (): number => Math.floor(clock() / 1000);

  const proven: { readonly [Realm in Audience]: ProvenTokens<ClaimsOf[Realm]> } = {
    zakup: provenTokens(),
    'zakup-admin': provenTokens(),
  };

  const sign = (claims: TenantClaims | AdminClaims): string => jwt.sign(claims, key, { algorithm });

  const payloadOf = (token: string, audience: Audience, ignoreExpiration: boolean): unknown =>
    jwt.verify(token, key, {
      algorithms: [algorithm],
      issuer,
      audience,
      clockTimestamp: seconds(),
      ignoreExpiration,
    });

  return {
    issue: ({ userId, sessionId, licenceId, role, passwordChangeOnly, sessionExpiresAt }) => {
      const iat = seconds();
      const end = sessionExpiresAt === undefined ? Number.POSITIVE_INFINITY : Math.floor(sessionExpiresAt / 1000);
      return sign({
        iss: issuer,
        aud: 'zakup',
        iat,
        exp: Math.min(iat + tenantLife, end),
        sub: userId,
        sid: sessionId,
        licenseId: licenceId,
        role,
        passwordChangeOnly,
      });
    },

    issueAdmin: ({ login, sessionId }) => {
      const iat = seconds();
      return sign({ iss: issuer, aud: 'zakup-admin', iat, exp: iat + adminLife, sub: login, sid: sessionId });
    },

    verify: (token, audience) => {
      const known = proven[audience].get(token);
      if (known !== undefined && seconds() < known.exp) return { kind: 'valid', claims: known };
      const check = (ignoreExpiration: boolean) =>
        claimsOf[audience].safeParse(payloadOf(token, audience, ignoreExpiration));
      try {
        const claims = check(false);
        if (!claims.success) return { kind: 'invalid' };
        proven[audience].keep(token, claims.data);
        return { kind: 'valid', claims: claims.data };
      } catch (error) {
        if (!(error instanceof jwt.TokenExpiredError)) return { kind: 'invalid' };
      }
      try {
        // Expiry is found before issuer and audience are looked at; a foreign token is no expired one of ours.
        return check(true).success ? { kind: 'expired' } : { kind: 'invalid' };
      } catch {
        return { kind: 'invalid' };
      }
    },
  };
};

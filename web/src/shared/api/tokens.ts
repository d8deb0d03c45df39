export interface TokenPair {
  readonly token: string;
  readonly refreshToken: string | null;
}

/** Claims of an access token, read without trust: only to schedule renewal and to show them. */
export interface Claims {
  /** Seconds since 1970. */
  readonly exp: number;
  readonly iat: number;
  readonly sub: string;
  readonly sid: string;
  readonly licenseId: string;
  readonly role: string;
}

export const tokenKeys = { access: 'authToken', refresh: 'refreshToken' } as const;

/** Null when the text is no token. */
export const claimsOf = (token: string): Claims | null => {
  const part = token.split('.')[1];
  if (part === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null && 'exp' in claims && typeof claims.exp === 'number'
      ? (claims as Claims)
      : null;
  } catch {
    return null;
  }
};

/** True from the second named in the token on, and for a text that is no token. */
export const isExpired = (token: string, now: number): boolean => {
  const claims = claimsOf(token);
  return claims === null || now >= claims.exp * 1000;
};

/** Millisecond at which 80 % of the token's life is over. */
export const renewalAt = (token: string): number => {
  const claims = claimsOf(token);
  if (claims === null) return 0;
  const issued = Number.isFinite(claims.iat) ? claims.iat : claims.exp;
  return (issued + (claims.exp - issued) * 0.8) * 1000;
};

/** The pair of this browser, under the keys `authToken` and `refreshToken`. */
export interface TokenStore {
  read(): TokenPair | null;
  /** A null refresh token keeps none. */
  write(pair: TokenPair): void;
  clear(): void;
}

export const tokenStore = (storage: Storage): TokenStore => ({
  read: () => {
    const token = storage.getItem(tokenKeys.access);
    return token === null ? null : { token, refreshToken: storage.getItem(tokenKeys.refresh) };
  },
  write: ({ token, refreshToken }) => {
    storage.setItem(tokenKeys.access, token);
    if (refreshToken === null) storage.removeItem(tokenKeys.refresh);
    else storage.setItem(tokenKeys.refresh, refreshToken);
  },
  clear: () => {
    storage.removeItem(tokenKeys.access);
    storage.removeItem(tokenKeys.refresh);
  },
});

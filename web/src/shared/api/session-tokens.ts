import { ApiProblem } from './api-problem.ts';
import type { HttpCalls } from './http-call.ts';
import { claimsOf, isExpired, renewalAt, type TokenPair, type TokenStore } from './tokens.ts';

export const sessionExpired = 'Session expired. Please login again.';
const noToken = 'No authentication token found';

/** Nobody is signed in, or somebody else than who would have had to be. */
export const nobodySignedIn = (): ApiProblem =>
  new ApiProblem({ code: 'UNAUTHENTICATED', status: 401, message: noToken });

export const sessionOver = (): ApiProblem =>
  new ApiProblem({ code: 'UNAUTHENTICATED', status: 401, message: sessionExpired });

interface SessionTokensDeps {
  readonly tokens: TokenStore;
  readonly call: HttpCalls['call'];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Keeps renewal to one tab at a time; absent = this tab only. */
  readonly locks?: Pick<LockManager, 'request'> | undefined;
}

/** The pair of this browser: renewed once for all who ask, told to those who listen, lost with the session. */
export const sessionTokens = ({ tokens, call, now, locks }: SessionTokensDeps) => {
  const tokenListeners = new Set<(token: string) => void>();
  const lossListeners = new Set<(message: string) => void>();
  let renewing: Promise<string> | null = null;

  const accept = (pair: TokenPair): void => {
    tokens.write(pair);
    for (const listener of tokenListeners) listener(pair.token);
  };

  const lose = (message: string): void => {
    tokens.clear();
    for (const listener of lossListeners) listener(message);
  };

  const exchange = async (seen: string): Promise<string> => {
    const pair = tokens.read();
    if (pair === null) throw nobodySignedIn();
    // Another tab was faster while this one waited for the lock.
    if (pair.token !== seen && !isExpired(pair.token, now())) {
      for (const listener of tokenListeners) listener(pair.token);
      return pair.token;
    }
    if (pair.refreshToken === null) {
      lose(sessionExpired);
      throw sessionOver();
    }
    try {
      const { data } = await call<TokenPair>('/api/auth/refresh', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refreshToken: pair.refreshToken }),
      });
      accept({ token: data.token, refreshToken: data.refreshToken ?? pair.refreshToken });
      return data.token;
    } catch (thrown) {
      if (!(thrown instanceof ApiProblem)) throw thrown;
      if (thrown.status === 401 || thrown.status === 403 || thrown.status === 422) {
        lose(sessionExpired);
        throw sessionOver();
      }
      throw thrown;
    }
  };

  const renew = (): Promise<string> => {
    const seen = tokens.read()?.token;
    if (seen === undefined) return Promise.reject(nobodySignedIn());
    renewing ??= (locks ? locks.request('zakup-token-renewal', () => exchange(seen)) : exchange(seen)).finally(() => {
      renewing = null;
    });
    return renewing;
  };

  const freshToken = async (): Promise<string | null> => {
    const pair = tokens.read();
    if (pair === null) return null;
    const { token } = pair;
    // A token that does not say when it ends is judged by the server alone.
    if (claimsOf(token) === null) return token;
    if (isExpired(token, now())) return renew();
    if (pair.refreshToken !== null && now() >= renewalAt(token)) {
      try {
        return await renew();
      } catch (thrown) {
        if (thrown instanceof ApiProblem && thrown.code !== 'UNAUTHENTICATED') return token;
        throw thrown;
      }
    }
    return token;
  };

  return {
    accept,
    lose,
    renew,
    freshToken,
    onToken: (listener: (token: string) => void): (() => void) => {
      tokenListeners.add(listener);
      return () => tokenListeners.delete(listener);
    },
    onSessionLost: (listener: (message: string) => void): (() => void) => {
      lossListeners.add(listener);
      return () => lossListeners.delete(listener);
    },
  };
};

import { ApiProblem, noConnection, problemOf } from './api-problem.ts';
import { claimsOf, isExpired, renewalAt, type TokenPair, type TokenStore } from './tokens.ts';

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Reply<Data> {
  readonly data: Data;
  /** Place of the change in the log; null for reads. */
  readonly position: number | null;
  /** Revision of the changed entity; null where the reply has none. */
  readonly revision: number | null;
  readonly commandId: string | null;
}

export interface GetOptions {
  readonly query?: Query;
  /** Waits until the read model has reached this position. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

export interface SendOptions {
  /** UUID; sending again under it is safe at any later time. */
  readonly commandId?: string;
  readonly query?: Query;
  readonly signal?: AbortSignal;
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Calls of the server under /api. Every rejection is an `ApiProblem`, except an abort, which stays what it is. */
export interface ApiClient {
  /** Reads with the person's token. */
  get<Data>(path: string, options?: GetOptions): Promise<Reply<Data>>;
  /** Changes something with the person's token; `body` undefined sends none. */
  send<Data>(method: Method, path: string, body?: unknown, options?: SendOptions): Promise<Reply<Data>>;
  /** Calls without a token: signing in, activation. Cookies of this origin travel along. */
  open<Data>(path: string, body: unknown): Promise<Reply<Data>>;
  /** The token to show at another door (socket): renewed first when it is past 80 % of its life. Null = signed out. */
  freshToken(): Promise<string | null>;
  /** Renews now, once for all who ask at the same time, in all tabs. Rejects with NETWORK when nobody answers. */
  renew(): Promise<string>;
  /** Stores the pair of a sign-in and tells the listeners. */
  accept(pair: TokenPair): void;
  /** Called after each new token of this tab. Returns the way to stop. */
  onToken(listener: (token: string) => void): () => void;
  /** Called when the server no longer knows the session: tokens are already cleared. Returns the way to stop. */
  onSessionLost(listener: (message: string) => void): () => void;
}

export const sessionExpired = 'Session expired. Please login again.';
export const noToken = 'No authentication token found';

export interface ApiClientDeps {
  readonly tokens: TokenStore;
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Keeps renewal to one tab at a time; absent = this tab only. */
  readonly locks?: Pick<LockManager, 'request'> | undefined;
}

const withQuery = (path: string, query: Query | undefined, after: number | undefined): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null) search.set(name, String(value));
  if (after !== undefined) search.set('after', String(after));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
};

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

export const apiClient = ({ tokens, fetch, now, locks }: ApiClientDeps): ApiClient => {
  const tokenListeners = new Set<(token: string) => void>();
  const lossListeners = new Set<(message: string) => void>();
  let renewing: Promise<string> | null = null;

  const accept = (pair: TokenPair): void => {
    tokens.write(pair);
    for (const listener of tokenListeners) listener(pair.token);
  };

  const call = async <Data>(path: string, init: RequestInit): Promise<Reply<Data>> => {
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
      const text = await response.text();
      body = /json/u.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
    } catch (thrown) {
      if (init.signal?.aborted) throw thrown;
      throw new ApiProblem({ code: 'NETWORK', status: 0, message: noConnection });
    }
    if (!response.ok) throw problemOf(response, body);
    if (typeof body !== 'object' || body === null)
      throw new ApiProblem({ code: 'NETWORK', status: response.status, message: noConnection });
    const envelope = body as { data?: Data; position?: unknown; revision?: unknown; commandId?: unknown };
    return {
      data: envelope.data as Data,
      position: numberOrNull(envelope.position),
      revision: numberOrNull(envelope.revision),
      commandId: typeof envelope.commandId === 'string' ? envelope.commandId : null,
    };
  };

  const lose = (message: string): void => {
    tokens.clear();
    for (const listener of lossListeners) listener(message);
  };

  const exchange = async (seen: string): Promise<string> => {
    const pair = tokens.read();
    if (pair === null) throw new ApiProblem({ code: 'UNAUTHENTICATED', status: 401, message: noToken });
    // Another tab was faster while this one waited for the lock.
    if (pair.token !== seen && !isExpired(pair.token, now())) {
      for (const listener of tokenListeners) listener(pair.token);
      return pair.token;
    }
    if (pair.refreshToken === null) {
      lose(sessionExpired);
      throw new ApiProblem({ code: 'UNAUTHENTICATED', status: 401, message: sessionExpired });
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
        throw new ApiProblem({ code: 'UNAUTHENTICATED', status: 401, message: sessionExpired });
      }
      throw thrown;
    }
  };

  const renew = (): Promise<string> => {
    const seen = tokens.read()?.token;
    if (seen === undefined)
      return Promise.reject(new ApiProblem({ code: 'UNAUTHENTICATED', status: 401, message: noToken }));
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

  const authorised = async <Data>(path: string, init: RequestInit): Promise<Reply<Data>> => {
    const token = await freshToken();
    if (token === null) throw new ApiProblem({ code: 'UNAUTHENTICATED', status: 401, message: noToken });
    const withToken = (bearer: string): RequestInit => ({
      ...init,
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${bearer}` },
    });
    try {
      return await call<Data>(path, withToken(token));
    } catch (thrown) {
      if (!(thrown instanceof ApiProblem) || thrown.status !== 401) throw thrown;
      const current = tokens.read()?.token;
      // Another call may have renewed while this one was under way.
      const renewed = current !== undefined && current !== token ? current : await renew();
      try {
        return await call<Data>(path, withToken(renewed));
      } catch (again) {
        if (again instanceof ApiProblem && again.status === 401) {
          lose(sessionExpired);
          throw new ApiProblem({ code: 'UNAUTHENTICATED', status: 401, message: sessionExpired });
        }
        throw again;
      }
    }
  };

  return {
    get: (path, options = {}) =>
      authorised(withQuery(path, options.query, options.after), {
        method: 'GET',
        headers: {},
        ...(options.signal && { signal: options.signal }),
      }),
    send: (method, path, body, options = {}) =>
      authorised(withQuery(path, options.query, undefined), {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(options.commandId !== undefined && { 'idempotency-key': options.commandId }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(options.signal && { signal: options.signal }),
      }),
    open: (path, body) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    freshToken,
    renew,
    accept,
    onToken: (listener) => {
      tokenListeners.add(listener);
      return () => tokenListeners.delete(listener);
    },
    onSessionLost: (listener) => {
      lossListeners.add(listener);
      return () => lossListeners.delete(listener);
    },
  };
};

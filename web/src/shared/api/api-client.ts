import { saveFile } from '../export/save-file.ts';
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

export interface DownloadOptions {
  readonly name: string;
  readonly query?: Query;
  readonly signal?: AbortSignal;
  /** Told how many bytes have come so far. */
  readonly onProgress?: (bytes: number) => void;
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Calls of the server under /api. Every rejection is an `ApiProblem`, except an abort, which stays what it is. */
export interface ApiClient {
  /** Reads with the person's token. */
  get<Data>(path: string, options?: GetOptions): Promise<Reply<Data>>;
  /** Changes something with the person's token; `body` undefined sends none. */
  send<Data>(method: Method, path: string, body?: unknown, options?: SendOptions): Promise<Reply<Data>>;
  /** Reads a file with the person's token and hands it to the browser's downloads; `name` where the server gives none. */
  download(path: string, options: DownloadOptions): Promise<void>;
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
  /** Through which door changes say that they came, asked at each; absent = they do not say. */
  readonly source?: () => 'screen' | 'phone';
  /** Keeps a downloaded file; absent = in the browser's downloads. */
  readonly save?: (name: string, content: Blob) => void;
}

const withQuery = (path: string, query: Query | undefined, after: number | undefined): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null) search.set(name, String(value));
  if (after !== undefined) search.set('after', String(after));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
};

/** The name that `Content-Disposition` gives: RFC 5987 first, else the plain one. */
const fileNameOf = (disposition: string | null): string | null => {
  const encoded = /filename\*=UTF-8''([^;]+)/iu.exec(disposition ?? '')?.[1];
  if (encoded === undefined) return /filename="([^"]+)"/iu.exec(disposition ?? '')?.[1] ?? null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
};

const readTelling = async (response: Response, tell: (bytes: number) => void): Promise<Blob> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    parts.push(next.value);
    bytes += next.value.byteLength;
    tell(bytes);
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' });
};

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

export const apiClient = ({ tokens, fetch, now, locks, source, save = saveFile }: ApiClientDeps): ApiClient => {
  const tokenListeners = new Set<(token: string) => void>();
  const lossListeners = new Set<(message: string) => void>();
  let renewing: Promise<string> | null = null;

  const accept = (pair: TokenPair): void => {
    tokens.write(pair);
    for (const listener of tokenListeners) listener(pair.token);
  };

  const bodyOf = async (response: Response): Promise<unknown> => {
    const text = await response.text();
    return /json/u.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
  };

  /** What `read` makes of a good answer; a refusal is thrown, as is whatever breaks on the way. */
  const answered = async <Answer>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<Answer>,
  ): Promise<readonly [Response, Answer]> => {
    let response: Response;
    let problem: unknown;
    try {
      response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
      if (response.ok) return [response, await read(response)];
      problem = await bodyOf(response);
    } catch (thrown) {
      if (init.signal?.aborted) throw thrown;
      throw new ApiProblem({ code: 'NETWORK', status: 0, message: noConnection });
    }
    throw problemOf(response, problem);
  };

  const call = async <Data>(path: string, init: RequestInit): Promise<Reply<Data>> => {
    const [response, body] = await answered(path, init, bodyOf);
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

  const keep = async (
    path: string,
    init: RequestInit,
    { name, onProgress }: Pick<DownloadOptions, 'name' | 'onProgress'>,
  ): Promise<void> => {
    const [response, content] = await answered(path, init, (answer) =>
      onProgress === undefined ? answer.blob() : readTelling(answer, onProgress),
    );
    save(fileNameOf(response.headers.get('content-disposition')) ?? name, content);
  };

  /** Makes the call with the person's token, and once more with a new one where that is not good any more. */
  const authorised = async <Answer>(
    init: RequestInit,
    make: (init: RequestInit) => Promise<Answer>,
  ): Promise<Answer> => {
    const token = await freshToken();
    if (token === null) throw new ApiProblem({ code: 'UNAUTHENTICATED', status: 401, message: noToken });
    const withToken = (bearer: string): RequestInit => ({
      ...init,
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${bearer}` },
    });
    try {
      return await make(withToken(token));
    } catch (thrown) {
      if (!(thrown instanceof ApiProblem) || thrown.status !== 401) throw thrown;
      const current = tokens.read()?.token;
      // Another call may have renewed while this one was under way.
      const renewed = current !== undefined && current !== token ? current : await renew();
      try {
        return await make(withToken(renewed));
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
      authorised({ method: 'GET', headers: {}, ...(options.signal && { signal: options.signal }) }, (init) =>
        call(withQuery(path, options.query, options.after), init),
      ),
    send: (method, path, body, options = {}) =>
      authorised(
        {
          method,
          headers: {
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(options.commandId !== undefined && { 'idempotency-key': options.commandId }),
            ...(source !== undefined && { 'x-zakup-source': source() }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...(options.signal && { signal: options.signal }),
        },
        (init) => call(withQuery(path, options.query, undefined), init),
      ),
    download: (path, { query, signal, ...options }) =>
      authorised({ method: 'GET', headers: {}, ...(signal && { signal }) }, (init) =>
        keep(withQuery(path, query, undefined), init, options),
      ),
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

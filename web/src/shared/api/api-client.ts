import { traceparentOf } from '@zakup/contracts/trace-context';
import { saveFile } from '../export/save-file.ts';
import { ApiProblem } from './api-problem.ts';
import { fileNameOf, readTelling } from './downloaded-file.ts';
import { type Fetch, httpCalls, type Reply } from './http-call.ts';
import { nobodySignedIn, sessionExpired, sessionOver, sessionTokens } from './session-tokens.ts';
import { claimsOf, type TokenPair, type TokenStore } from './tokens.ts';

/** Of a list each value is sent, under the same name. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

export type { Reply } from './http-call.ts';

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
  /** Sends as this person alone: where somebody else is signed in by now, nothing is sent, which is UNAUTHENTICATED. */
  readonly personId?: string;
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
  /** Sends a file as the body of a POST, with the person's token. */
  upload<Data>(path: string, file: Blob, options?: Omit<SendOptions, 'personId'>): Promise<Reply<Data>>;
  /** Reads a file with the person's token and hands it to the browser's downloads; `name` where the server gives none. */
  download(path: string, options: DownloadOptions): Promise<void>;
  /** Calls without a token: signing in, activation. Cookies of this origin travel along. */
  /** `bearer`: a token that stands for no session. */
  open<Data>(path: string, body: unknown, bearer?: string): Promise<Reply<Data>>;
  /** The token to show at another door (socket): renewed first when it is past 80 % of its life. Null = signed out. */
  freshToken(): Promise<string | null>;
  /** Renews now, once for all who ask at the same time, in all tabs. Rejects with NETWORK when nobody answers. */
  renew(): Promise<string>;
  /** Stores the pair of a sign-in and tells the listeners. */
  accept(pair: TokenPair): void;
  /** Signs out without asking the server, which refuses this person: tokens are cleared and the listeners told why. */
  lose(message: string): void;
  /** Called after each new token of this tab. Returns the way to stop. */
  onToken(listener: (token: string) => void): () => void;
  /** Called when the server no longer knows the session: tokens are already cleared. Returns the way to stop. */
  onSessionLost(listener: (message: string) => void): () => void;
}

export interface ApiClientDeps {
  readonly tokens: TokenStore;
  readonly fetch: Fetch;
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
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one));
  if (after !== undefined) search.set('after', String(after));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
};

/** A click's id is that of its trace, too. */
const traceHeader = (commandId: string): Readonly<Record<string, string>> => {
  const traceparent = traceparentOf(commandId);
  return traceparent === null ? {} : { traceparent };
};

/** What a change sends beside the person's token. */
const changingCalls =
  (source: ApiClientDeps['source']) =>
  (
    method: Method,
    { commandId, signal }: SendOptions,
    body?: { readonly type: string; readonly content: string | Blob },
  ): RequestInit => ({
    method,
    headers: {
      ...(body !== undefined && { 'content-type': body.type }),
      ...(commandId !== undefined && { 'idempotency-key': commandId, ...traceHeader(commandId) }),
      ...(source !== undefined && { 'x-zakup-source': source() }),
    },
    ...(body !== undefined && { body: body.content }),
    ...(signal && { signal }),
  });

export const apiClient = ({ tokens, fetch, now, locks, source, save = saveFile }: ApiClientDeps): ApiClient => {
  const { answered, call } = httpCalls(fetch);
  const changing = changingCalls(source);
  const session = sessionTokens({ tokens, call, now, locks });

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
    personId?: string,
  ): Promise<Answer> => {
    const token = await session.freshToken();
    if (token === null) throw nobodySignedIn();
    const withToken = (bearer: string): RequestInit => {
      if (personId !== undefined && claimsOf(bearer)?.sub !== personId) throw nobodySignedIn();
      return {
        ...init,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${bearer}` },
      };
    };
    const first = withToken(token);
    try {
      return await make(first);
    } catch (thrown) {
      if (!(thrown instanceof ApiProblem) || thrown.status !== 401) throw thrown;
      const current = tokens.read()?.token;
      if (current === token && tokens.read()?.refreshToken === null) {
        // Nothing to renew it with: why it is over is said by whoever refused it.
        session.lose(thrown.message);
        throw thrown;
      }
      // Another call may have renewed while this one was under way.
      const again = withToken(current !== undefined && current !== token ? current : await session.renew());
      try {
        return await make(again);
      } catch (second) {
        if (second instanceof ApiProblem && second.status === 401) {
          session.lose(sessionExpired);
          throw sessionOver();
        }
        throw second;
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
        changing(
          method,
          options,
          body === undefined ? undefined : { type: 'application/json', content: JSON.stringify(body) },
        ),
        (init) => call(withQuery(path, options.query, undefined), init),
        options.personId,
      ),
    upload: (path, file, options = {}) =>
      authorised(changing('POST', options, { type: 'application/octet-stream', content: file }), (init) =>
        call(withQuery(path, options.query, undefined), init),
      ),
    download: (path, { query, signal, ...options }) =>
      authorised({ method: 'GET', headers: {}, ...(signal && { signal }) }, (init) =>
        keep(withQuery(path, query, undefined), init, options),
      ),
    open: (path, body, bearer) =>
      call(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        },
        body: JSON.stringify(body),
      }),
    ...session,
  };
};

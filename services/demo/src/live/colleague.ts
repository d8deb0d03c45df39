import { randomUUID } from 'node:crypto';

/** A reply of the public API as far as it is looked at. */
interface Reply {
  readonly success: boolean;
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Somebody who is signed in and calls the API as any client does. */
export interface Colleague {
  readonly id: string;
  /** Answers `data`; null when the call was refused by a rule, as somebody else may have been quicker. */
  readonly call: (method: string, path: string, body?: object) => Promise<Reply['data'] | null>;
}

const textOf = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error('The API answered something else than a text');
  return value;
};

/** Signs in by code and password. Throws when that is refused, or the server is gone. */
export const signedIn = async (
  address: string,
  { code, password, signal }: { readonly code: string; readonly password: string; readonly signal: AbortSignal },
): Promise<Colleague> => {
  let token = '';
  let refreshToken = '';

  const send = async (method: string, path: string, body: object | undefined, key?: string) => {
    const response = await fetch(`${address}/api${path}`, {
      method,
      signal,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== '' && { Authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, reply: (await response.json()) as Reply };
  };
  const take = (data: Reply['data']): void => {
    token = textOf(data['token']);
    refreshToken = textOf(data['refreshToken']);
  };
  const signIn = async (): Promise<Reply['data']> => {
    token = '';
    const { status, reply } = await send('POST', '/auth/employee-login', { authCode: code, password, endOldest: true });
    if (status !== 200) throw new Error(`${code}: ${reply.error ?? String(status)}`);
    take(reply.data);
    return reply.data;
  };
  const renew = async (): Promise<void> => {
    const { status, reply } = await send('POST', '/auth/refresh', { refreshToken });
    if (status === 200) take(reply.data);
    else await signIn();
  };

  const { user } = await signIn();
  const id = textOf((user as { readonly id?: unknown }).id);
  return {
    id,
    async call(method, path, body) {
      const key = method === 'GET' ? undefined : randomUUID();
      const first = await send(method, path, body, key);
      if (first.status === 401) await renew();
      const { status, reply } = first.status === 401 ? await send(method, path, body, key) : first;
      return status === 200 ? reply.data : null;
    },
  };
};

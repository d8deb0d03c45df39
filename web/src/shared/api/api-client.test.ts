import { beforeEach, describe, expect, it } from 'vitest';
import { type ApiClient, apiClient } from './api-client.ts';
import { ApiProblem, noConnection } from './api-problem.ts';
import { sessionExpired } from './session-tokens.ts';
import { tokenStore } from './tokens.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const tokens = tokenStore(localStorage);
let time = start;
const token = (name: string, issued = time): string =>
  `h.${btoa(JSON.stringify({ sub: name, iat: issued / 1000, exp: issued / 1000 + 900 }))}.s`;
const json = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const refusal = (status: number, code: string, error: string): Response =>
  json(status, { success: false, code, error, instance: 'request-1' });

type Answer = (path: string, init: RequestInit) => Response | Promise<Response>;
const client = (answer: Answer) => {
  const calls: { readonly path: string; readonly init: RequestInit }[] = [];
  const saved: { readonly name: string; readonly content: Blob }[] = [];
  const api: ApiClient = apiClient({
    tokens,
    now: () => time,
    source: () => 'phone',
    save: (name, content) => void saved.push({ name, content }),
    fetch: async (path, init) => {
      calls.push({ path, init });
      return answer(path, init);
    },
  });
  return { api, calls, saved };
};
const bearer = (init: RequestInit): string | undefined => (init.headers as Record<string, string>)['authorization'];
const refused = async (work: Promise<unknown>): Promise<ApiProblem> => {
  const thrown: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof ApiProblem)) throw new Error('expected a problem');
  return thrown;
};

beforeEach(() => {
  localStorage.clear();
  time = start;
});

describe('api client', () => {
  it('API-1 sends token and command id, opens the envelope', async () => {
    tokens.write({ token: token('a'), refreshToken: 'r' });
    const { api, calls } = client(() => json(200, { success: true, data: { id: 1 }, position: 7, revision: 2 }));
    const reply = await api.send('POST', '/api/placements', { price: 1 }, { commandId: 'c1' });
    expect(reply).toEqual({ data: { id: 1 }, position: 7, revision: 2, commandId: null });
    expect(calls[0]?.init.headers).toMatchObject({
      'idempotency-key': 'c1',
      authorization: `Bearer ${token('a')}`,
      'x-zakup-source': 'phone',
    });
  });

  it('TRC-3621 a change has the trace of its click, which is the command’s id', async () => {
    tokens.write({ token: token('a'), refreshToken: 'r' });
    const { api, calls } = client(() => json(200, { success: true, data: null }));
    const commandId = '8c1f7d5e-3f63-4a57-9d0b-5d1a2b3c4d5e';
    await api.send('POST', '/api/placements', {}, { commandId });
    await api.send('POST', '/api/auth/logout');
    const sent = calls.map(({ init }) => (init.headers as Record<string, string>)['traceparent']);
    expect(sent).toEqual(['00-8c1f7d5e3f634a579d0b5d1a2b3c4d5e-9d0b5d1a2b3c4d5e-01', undefined]);
  });

  it('API-2 at 80 % of the token life five calls renew it once', async () => {
    tokens.write({ token: token('old'), refreshToken: 'r1' });
    time += 720_000;
    const { api, calls } = client((path) =>
      path === '/api/auth/refresh'
        ? json(200, { success: true, data: { token: token('new'), refreshToken: 'r2' } })
        : json(200, { success: true, data: null }),
    );
    await Promise.all(Array.from({ length: 5 }, () => api.get('/api/channels')));
    expect(calls.filter(({ path }) => path === '/api/auth/refresh')).toHaveLength(1);
    expect(tokens.read()).toEqual({ token: token('new'), refreshToken: 'r2' });
  });

  it('API-3 a 401 is answered by renewal and the call is made again', async () => {
    tokens.write({ token: token('old'), refreshToken: 'r1' });
    const fresh = token('new');
    const { api } = client((path, init) => {
      if (path === '/api/auth/refresh') return json(200, { success: true, data: { token: fresh, refreshToken: 'r2' } });
      return bearer(init) === `Bearer ${fresh}`
        ? json(200, { success: true, data: 'ok' })
        : refusal(401, 'UNAUTHENTICATED', 'нет');
    });
    expect((await api.get('/api/channels')).data).toBe('ok');
  });

  it('API-4 a refused renewal clears the tokens and tells once why', async () => {
    tokens.write({ token: token('old'), refreshToken: 'r1' });
    const { api } = client(() => refusal(401, 'UNAUTHENTICATED', 'нет'));
    const told: string[] = [];
    api.onSessionLost((message) => told.push(message));
    const problem = await refused(api.get('/api/channels'));
    expect(problem.message).toBe(sessionExpired);
    expect(tokens.read()).toBeNull();
    expect(told).toEqual([sessionExpired]);
  });

  it('API-5 no answer keeps the session and says so', async () => {
    tokens.write({ token: token('old'), refreshToken: 'r1' });
    time += 1_000_000;
    const { api } = client(() => Promise.reject(new TypeError('fetch failed')));
    const problem = await refused(api.get('/api/channels'));
    expect(problem).toMatchObject({ code: 'NETWORK', message: noConnection });
    expect(tokens.read()).not.toBeNull();
  });

  it('API-6 carries code, text, request id and fields of a refusal', async () => {
    tokens.write({ token: token('a'), refreshToken: 'r' });
    const { api } = client(() =>
      json(422, {
        success: false,
        code: 'VALIDATION_FAILED',
        error: 'Некорректная цена',
        instance: 'request-1',
        errors: [{ pointer: '/price', detail: 'Некорректная цена' }],
      }),
    );
    const problem = await refused(api.send('POST', '/api/placements', {}));
    expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', status: 422, requestId: 'request-1' });
    expect(problem.errorAt('/price')).toBe('Некорректная цена');
  });

  it('API-7 without a token nothing is sent', async () => {
    const { api, calls } = client(() => json(200, {}));
    expect((await refused(api.get('/api/channels'))).message).toBe('No authentication token found');
    expect(calls).toEqual([]);
  });

  it('API-8 an answer that is no problem reads HTTP error', async () => {
    tokens.write({ token: token('a'), refreshToken: 'r' });
    const { api } = client(() => new Response('oops', { status: 500 }));
    expect((await refused(api.get('/api/channels'))).message).toBe('HTTP error! status: 500');
  });

  it.each([
    ['POST', '/api/employees/create', 'Failed to create employee'],
    ['PUT', '/api/users/u1', 'Failed to update user'],
    ['DELETE', '/api/users/u1', 'Failed to delete user'],
    ['POST', '/api/channels', 'Failed to create channel'],
    ['PUT', '/api/channels/c1', 'Failed to update channel'],
    ['DELETE', '/api/channels/c1', 'Failed to delete channel'],
    ['POST', '/api/campaigns/create-safe', 'Failed to create campaign'],
    ['POST', '/api/campaigns/c1/complete', 'Failed to update campaign'],
    ['DELETE', '/api/campaigns/c1', 'Failed to delete campaign'],
    ['POST', '/api/creatives', 'Failed to create creative'],
    ['PUT', '/api/creatives/c1', 'Failed to update creative'],
    ['POST', '/api/placements', 'HTTP error! status: 500'],
  ] as const)('API-1060 a failure without a text of its own says what failed: %s %s', async (method, path, text) => {
    tokens.write({ token: token('a'), refreshToken: 'r' });
    const bodies = [
      new Response('', { status: 500 }),
      new Response('{"succ', { status: 500, headers: { 'content-type': 'application/json' } }),
      refusal(500, 'INTERNAL', ''),
    ];
    for (const body of bodies) {
      const { api } = client(() => body);
      expect((await refused(api.send(method, path, {}))).message).toBe(text);
    }
  });

  it('API-1061 the text of the server goes before it', async () => {
    tokens.write({ token: token('a'), refreshToken: 'r' });
    const { api } = client(() => refusal(500, 'INTERNAL', 'Ошибка сервера'));
    expect((await refused(api.send('POST', '/api/channels', {}))).message).toBe('Ошибка сервера');
  });

  it('API-9 saves a file under the name that the server gives, with a renewed token where the old one is not good', async () => {
    tokens.write({ token: token('old'), refreshToken: 'r1' });
    const fresh = token('new');
    const { api, calls, saved } = client((path, init) => {
      if (path === '/api/auth/refresh') return json(200, { success: true, data: { token: fresh, refreshToken: 'r2' } });
      if (bearer(init) !== `Bearer ${fresh}`) return refusal(401, 'UNAUTHENTICATED', 'нет');
      return new Response('{"a":1}\n', {
        headers: { 'content-disposition': 'attachment; filename="a.ndjson"; filename*=UTF-8\'\'%D0%B8.ndjson' },
      });
    });
    await api.download('/api/license/history-bundle', { name: 'x.ndjson', query: { a: 1 } });
    expect(calls.at(-1)?.path).toBe('/api/license/history-bundle?a=1');
    expect(saved.map(({ name }) => name)).toEqual(['и.ndjson']);
    expect(await saved[0]?.content.text()).toBe('{"a":1}\n');
  });

  it('API-10 saves nothing of a refused or broken download', async () => {
    tokens.write({ token: token('a'), refreshToken: 'r' });
    const { api, saved } = client((path) =>
      path === '/api/x' ? refusal(403, 'ACCESS_DENIED', 'Доступ запрещен') : Promise.reject(new TypeError('cut')),
    );
    expect((await refused(api.download('/api/x', { name: 'x' }))).message).toBe('Доступ запрещен');
    expect((await refused(api.download('/api/y', { name: 'y' }))).code).toBe('NETWORK');
    expect(saved).toEqual([]);
  });

  it('API-11 what one person left to be sent goes as nobody else, who stays signed in', async () => {
    tokens.write({ token: token('ilya'), refreshToken: 'r' });
    const { api, calls } = client(() => json(200, { success: true, data: {} }));
    const lost: string[] = [];
    api.onSessionLost((message) => lost.push(message));
    const problem = await refused(api.send('PATCH', '/api/placements/p1', { price: 1 }, { personId: 'anna' }));
    expect(problem.code).toBe('UNAUTHENTICATED');
    expect([calls, lost]).toEqual([[], []]);
    await api.send('PATCH', '/api/placements/p1', { price: 1 }, { personId: 'ilya' });
    expect(calls).toHaveLength(1);
  });

  it('API-12 nor does it when somebody else signs in while it is under way', async () => {
    tokens.write({ token: token('anna'), refreshToken: 'r' });
    const { api, calls } = client(() => {
      tokens.write({ token: token('ilya'), refreshToken: 'r2' });
      return refusal(401, 'UNAUTHENTICATED', 'нет');
    });
    const problem = await refused(api.send('PATCH', '/api/placements/p1', { price: 1 }, { personId: 'anna' }));
    expect(problem.code).toBe('UNAUTHENTICATED');
    expect(calls.map(({ init }) => bearer(init))).toEqual([`Bearer ${token('anna')}`]);
    expect(tokens.read()?.token).toBe(token('ilya'));
  });
});

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { problemBodySchema } from '@zakup/contracts/problems';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { healthRoutes, readiness } from './health.ts';
import { httpLog } from './http-log.ts';
import { jsonBody } from './json-body.ts';
import { listening } from './listening.ts';
import { jsonLog } from './log.ts';
import { appMetrics, httpMetrics, type MetricsAccess, metricsRoute } from './metrics.ts';
import { notFound, problemHandler, sendProblem } from './problem-middleware.ts';
import { securityHeaders } from './security.ts';

class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

const logged: string[] = [];
const ready = readiness();
const metrics = appMetrics();
let server: Server;
let base: string;

beforeAll(async () => {
  const log = jsonLog({ level: 'info', destination: { write: (line) => void logged.push(line) } });
  const app = express();
  app.use(securityHeaders({ https: false, scriptHashes: ['sha256-theme+hash/='] }));
  app.get('/secure', securityHeaders({ https: true }), (_request, response) => response.end());
  app.use(httpLog({ log }), httpMetrics(metrics));
  app.use(healthRoutes(ready));
  app.get('/metrics', metricsRoute(metrics));
  app.use('/api', ...jsonBody({ limit: 1000 }));
  app.post('/api/echo', (request, response) => {
    const body: unknown = request.body ?? null;
    response.json({ body, polluted: ({} as Record<string, unknown>)['admin'] ?? null });
  });
  app.get('/api/things/:id', (request, response) => response.json({ id: request.params.id }));
  app.get('/api/thrown', () => {
    throw new Error('SQL at line 5: hunter2');
  });
  app.get('/api/rejected', () => Promise.reject(new EventStoreUnavailable('gone')));
  app.get('/api/limited', (_request, response) =>
    sendProblem(response, { code: 'RATE_LIMITED', message: 'Слишком часто', retryAfterSeconds: 0.4 }),
  );
  app.use('/api', notFound);
  app.use(problemHandler(log));
  server = createServer(app);
  base = await listening(server, { port: 0, host: '127.0.0.1' });
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const json = { 'content-type': 'application/json' };
const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json): Promise<Response> =>
  fetch(`${base}/api/echo`, { method: 'POST', body, headers });

/** The body, checked against the wire's schema, when all that tells a problem agrees. */
async function problem(response: Response) {
  const body = problemBodySchema.parse(await response.json());
  if (response.headers.get('content-type')?.startsWith('application/problem+json') !== true)
    throw new Error('content type');
  if (body.instance !== response.headers.get('x-request-id')) throw new Error('correlation id');
  if (body.status !== response.status) throw new Error('status');
  return body;
}

describe('problems', () => {
  test('PRB-1 malformed JSON, a bare value, a broken charset and broken gzip are MALFORMED', async () => {
    expect(await problem(await post('{"a":'))).toMatchObject({ status: 400, code: 'MALFORMED' });
    expect(await problem(await post('5'))).toMatchObject({ status: 400, code: 'MALFORMED' });
    expect(await problem(await post('{}', { 'content-type': 'application/json; charset=klingon' }))).toMatchObject({
      status: 400,
      code: 'MALFORMED',
    });
    expect(await problem(await post('{}', { ...json, 'content-encoding': 'gzip' }))).toMatchObject({
      status: 400,
      code: 'MALFORMED',
    });
  });

  test('PRB-2 another content type is MALFORMED, no body at all is fine', async () => {
    expect(await problem(await post('a=1', { 'content-type': 'text/plain' }))).toMatchObject({
      status: 400,
      code: 'MALFORMED',
    });
    const empty = await fetch(`${base}/api/echo`, { method: 'POST' });
    expect(await empty.json()).toEqual({ body: null, polluted: null });
  });

  test('PRB-3 a body above the limit is TOO_LARGE, also when it was small before unpacking', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(2000) });
    expect(await problem(await post(long))).toMatchObject({ status: 413, code: 'TOO_LARGE' });
    const packed = new Uint8Array(gzipSync(long));
    expect(await problem(await post(packed, { ...json, 'content-encoding': 'gzip' }))).toMatchObject({ status: 413 });
  });

  test('PRB-4 __proto__ is dropped at any depth and pollutes nothing', async () => {
    const response = await post('{"a":1,"__proto__":{"admin":true},"b":[{"\\u005f_proto__":{"admin":true},"c":2}]}');
    expect(await response.text()).toBe('{"body":{"a":1,"b":[{"c":2}]},"polluted":null}');
  });

  test('PRB-5 deeper than 32 levels is MALFORMED', async () => {
    expect(await problem(await post(`${'['.repeat(400)}${']'.repeat(400)}`))).toMatchObject({
      status: 400,
      code: 'MALFORMED',
    });
    expect((await post(`${'['.repeat(32)}${']'.repeat(32)}`)).status).toBe(200);
  });

  test('PRB-6 unknown paths and methods under /api are NOT_FOUND', async () => {
    expect(await problem(await fetch(`${base}/api/nothing`))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await problem(await fetch(`${base}/api/echo`, { method: 'DELETE' }))).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    });
  });

  test('PRB-7 a broken escape in the path is MALFORMED', async () => {
    expect(await problem(await fetch(`${base}/api/things/%E0%A4%A`))).toMatchObject({ status: 400, code: 'MALFORMED' });
  });

  test('PRB-8 whatever is thrown is INTERNAL without detail, logged under its correlation id', async () => {
    const response = await fetch(`${base}/api/thrown`, { headers: { 'x-request-id': 'try-8' } });
    const body = await problem(response);
    expect(body).toMatchObject({ status: 500, code: 'INTERNAL' });
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(body.instance).toBe('try-8');
    expect(logged.some((line) => line.includes('"correlationId":"try-8"') && line.includes('SQL at line 5'))).toBe(
      true,
    );
  });

  test('PRB-9 a missing store is UNAVAILABLE with Retry-After', async () => {
    const response = await fetch(`${base}/api/rejected`);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await problem(response)).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
  });

  test('PRB-10 Retry-After is whole seconds, at least one', async () => {
    const response = await fetch(`${base}/api/limited`);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await problem(response)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });
});

describe('request log', () => {
  test('HTTP-1 an unusable request id is replaced', async () => {
    const response = await fetch(`${base}/healthz`, { headers: { 'x-request-id': 'no spaces' } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('HTTP-2 a line has method, path, status and id; query, headers and body stay out', async () => {
    const headers = { ...json, authorization: 'Bearer hunter2', 'x-request-id': 'try-2' };
    await fetch(`${base}/api/echo?search=hunter2`, { method: 'POST', body: '{"password":"hunter2"}', headers });
    const line = logged.find((each) => each.includes('"id":"try-2"')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ req: { method: 'POST', path: '/api/echo' }, res: { status: 200 } });
    expect(logged.join('')).not.toContain('Bearer hunter2');
    expect(line).not.toContain('hunter2');
  });

  test('HTTP-3 probes are answered without a line', async () => {
    const before = logged.length;
    await fetch(`${base}/healthz`);
    await fetch(`${base}/readyz`);
    expect(logged.length).toBe(before);
  });
});

describe('health', () => {
  test('HEA-1 readyz is 503 with reasons until every part is released, and for good once stopping', async () => {
    const held = await fetch(`${base}/readyz`);
    expect(held.status).toBe(503);
    expect(await held.json()).toEqual({ status: 'not_ready', reasons: { start: 'запускается' } });
    ready.hold('projector', 'догоняет журнал');
    ready.release('start');
    expect((await fetch(`${base}/readyz`)).status).toBe(503);
    ready.release('projector');
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    ready.stop();
    ready.release('projector');
    const stopping = await fetch(`${base}/readyz`);
    expect([stopping.status, await stopping.json()]).toEqual([503, { status: 'stopping' }]);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });
});

describe('metrics', () => {
  test('MET-1 requests are counted under the pattern of their route, unknown ones together', async () => {
    await fetch(`${base}/api/things/42`);
    const text = await (await fetch(`${base}/metrics`)).text();
    expect(text).toContain('zakup_http_request_seconds_count{method="GET",route="/api/things/:id",status="200"} 1');
    expect(text).toContain('route="other",status="404"');
    expect(text).not.toContain('/42');
  });

  const asked = async (
    access: MetricsAccess,
    ...requests: Readonly<Record<string, string>>[]
  ): Promise<readonly number[]> => {
    const app = express();
    app.get('/metrics', metricsRoute(metrics, { access }), notFound);
    const other = createServer(app);
    const address = await listening(other, { port: 0, host: '127.0.0.1' });
    const statuses: number[] = [];
    for (const headers of requests) statuses.push((await fetch(`${address}/metrics`, { headers })).status);
    await new Promise((resolve) => other.close(resolve));
    return statuses;
  };

  test('MET-1060 who has not the token reads no figure, and where none may be read there is no such path', async () => {
    const right = { authorization: 'Bearer the-right-token-here' };
    const wrong = { authorization: 'Bearer the-wrong-token-here' };
    expect(await asked({ token: 'the-right-token-here' }, {}, wrong, right)).toEqual([401, 401, 200]);
    expect(await asked('closed', {}, right)).toEqual([404, 404]);
    const byProxy = [{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }];
    expect(await asked('open', ...byProxy, {})).toEqual([404, 404, 200]);
  });

  test('MET-1061 fifty readers at once cost one making, and the next second one more', async () => {
    const counted = appMetrics();
    let made = 0;
    const registry = Object.assign(Object.create(counted.registry) as typeof counted.registry, {
      metrics: () => {
        made += 1;
        return counted.registry.metrics();
      },
    });
    let now = 5000;
    const app = express();
    app.get('/metrics', metricsRoute({ ...counted, registry }, { now: () => now }));
    const other = createServer(app);
    const address = await listening(other, { port: 0, host: '127.0.0.1' });
    const fifty = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${address}/metrics`)).text()));
    await fifty();
    expect(made).toBe(1);
    now += 1000;
    await fifty();
    expect(made).toBe(2);
    await new Promise((resolve) => other.close(resolve));
  });

  test('MET-1062 no figure tells whether an account is known', async () => {
    const told = appMetrics();
    told.signInRefusals.inc({ door: 'employee' });
    expect(await told.registry.metrics()).toMatch(/^zakup_sign_in_refusals_total\{door="employee"\} 1$/mu);
  });

  test('MET-2 the names that are watched are there', async () => {
    const text = await appMetrics({ runtime: true }).registry.metrics();
    const names = ['append_seconds', 'projection_lag_seconds', 'fan_out_seconds', 'sockets', 'conflicts_total'];
    for (const name of names) expect(text).toContain(`# TYPE zakup_${name} `);
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  test.each([
    [
      'command',
      [
        'append_seconds',
        'backup_every_seconds',
        'backup_last_seconds',
        'backup_ok',
        'backup_position',
        'backups_total',
        'clock_ahead',
        'clock_jumps_total',
        'conflicts_total',
        'import_rows_total',
        'import_undos_total',
        'imports_running',
        'imports_total',
        'left_plans_total',
        'lost_access_entries_total',
        'sign_in_refusals_total',
        'webhook_deliveries_waiting',
        'webhook_tries_total',
        'webhooks',
      ],
    ],
    [
      'projector',
      [
        'projecting_thread_ends_total',
        'projection_lag_seconds',
        'seal_witness_failing',
        'seal_witness_total',
        'self_check_total',
      ],
    ],
    [
      'gateway',
      [
        'fan_out_seconds',
        'parked_licences',
        'reading_thread_ends_total',
        'seals_last_seconds',
        'seals_refused',
        'seals_watching',
        'self_check_last_seconds',
        'sockets',
      ],
    ],
  ] as const)('MET-3 a process that is %s alone shows %j and nothing of the others', async (service, names) => {
    const text = await appMetrics({ services: [service] }).registry.metrics();
    const shown = [...text.matchAll(/^# TYPE zakup_(\w+) /gmu)].map(([, name]) => name);
    expect(new Set(shown)).toEqual(new Set([...names, 'http_request_seconds']));
  });
});

describe('security headers', () => {
  test('SEC-1 plain http: strict CSP with the theme script, neither upgrade nor HSTS', async () => {
    const { headers } = await fetch(`${base}/healthz`);
    const csp = headers.get('content-security-policy') ?? '';
    expect(csp).toContain("script-src 'self' 'sha256-theme+hash/=';");
    expect(csp).toContain("base-uri 'none';");
    expect(csp).not.toContain('unsafe');
    expect(csp).not.toContain('upgrade-insecure-requests');
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('SEC-2 https: upgrade and HSTS', async () => {
    const { headers } = await fetch(`${base}/secure`);
    expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
    expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
  });
});

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { correlationIdOf, traceOf } from '@zakup/contracts/trace-context';
import { correlationOf, newCommandId } from './correlation.ts';
import { httpLog } from './http-log.ts';
import { listening } from './listening.ts';
import { jsonLog } from './log.ts';
import { problemHandler } from './problem-middleware.ts';
import { watchedSteps } from './steps.ts';

const logged: string[] = [];
const destination = { write: (line: string) => void logged.push(line) };
const log = jsonLog({ level: 'info', destination });
const server = createServer();
let address = '';

beforeAll(async () => {
  const app = express();
  app.use(httpLog({ log }));
  app.post('/unkeyed', (request, response) => {
    const commandId = newCommandId(request);
    request.log.info('Within it');
    response.json({ commandId, again: newCommandId(request) });
  });
  app.post('/keyed', (request, response) => {
    request.log.info('Within it');
    response.json(correlationOf(request));
  });
  app.use('/thrown', () => {
    throw new Error('broken');
  });
  app.use(problemHandler(log));
  server.on('request', app);
  address = await listening(server, { port: 0, host: '127.0.0.1' });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  logged.length = 0;
});

const post = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(`${address}${path}`, { method: 'POST', headers });
  return { id: answer.headers.get('x-request-id') ?? '', body: (await answer.json()) as Record<string, unknown> };
};
const lines = () => logged.map((line) => JSON.parse(line) as Record<string, unknown>);
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

describe('correlation', () => {
  test('TRC-3613 a request is called as it asks: by its id, else by its trace, else by its command', async () => {
    const key = randomUUID();
    const all = { 'x-request-id': 'proxy-7', traceparent, 'idempotency-key': key.toUpperCase() };
    const { 'x-request-id': _, ...two } = all;
    const ofTrace = correlationIdOf({ traceId, spanId: '', sampled: true });
    expect((await post('/keyed', all)).body).toMatchObject({ correlationId: 'proxy-7', commandId: key });
    expect(await post('/keyed', two)).toMatchObject({ id: ofTrace, body: { correlationId: ofTrace, commandId: key } });
    const { id, body } = await post('/keyed', { 'idempotency-key': key });
    expect([id, body['correlationId'], body['parent']]).toEqual([key, key, traceOf(key)]);
  });

  test('TRC-3614 what has another form or length is as if it were not there, and is in no line', async () => {
    const bad = {
      'x-request-id': 'y'.repeat(129),
      traceparent: `${traceparent}<script>`,
      'idempotency-key': 'evil key',
    };
    const { id, body } = await post('/keyed', bad);
    expect(id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u);
    expect(body).toEqual({ correlationId: id, parent: traceOf(id), isMade: true });
    expect(logged.join('')).not.toMatch(/yyyy|script|evil/u);
  });

  test('TRC-3706 a key for programs in the wrong header is not taken for an id', async () => {
    for (const key of [`zk_${'k'.repeat(43)}`, `Bearer:zk_${'k'.repeat(43)}`, 'zk_short']) {
      const { id, body } = await post('/keyed', { 'x-request-id': key });
      expect(id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u);
      expect(body).toEqual({ correlationId: id, parent: traceOf(id), isMade: true });
    }
  });

  test('TRC-3615 every line of a request has its ids, once each', async () => {
    const key = randomUUID();
    await post('/keyed', { 'x-request-id': 'try-1', 'idempotency-key': key });
    await post('/thrown', { 'x-request-id': 'try-2', 'idempotency-key': key });
    await expect.poll(() => logged.length).toBe(4);
    const ids = lines().map(({ correlationId, commandId }) => [correlationId, commandId]);
    expect(ids).toEqual([
      ['try-1', key],
      ['try-1', key],
      ['try-2', key],
      ['try-2', key],
    ]);
    for (const line of logged) expect(line.match(/"correlationId"/gu)).toHaveLength(1);
  });

  test('TRC-3616 a command whose sender named none takes the id that was made for the request, and never one that was brought', async () => {
    const made = await post('/unkeyed');
    expect(made.body['commandId']).toBe(made.id);
    expect(made.body['again']).not.toBe(made.id);
    const id = randomUUID();
    const brought = await post('/unkeyed', { 'x-request-id': id });
    expect(brought.id).toBe(id);
    expect(brought.body['commandId']).not.toBe(id);
    await expect.poll(() => logged.length).toBe(4);
    expect(lines().at(-1)).toMatchObject({ correlationId: id, commandId: brought.body['again'] });
  });

  test('TRC-3617 steps are lines at the level debug, and nothing at all where nobody looks', () => {
    const ids = { correlationId: 'try-3', commandId: randomUUID() };
    expect(watchedSteps(log, null).areWatched).toBe(false);
    const steps = watchedSteps(jsonLog({ level: 'debug', destination }), null);
    const step = steps.begin('command', ids, null);
    step.part('append', 2.5);
    step.end({ outcome: 'now' });
    steps.ofCommands({
      name: 'project',
      commandIds: [ids.commandId],
      began: 1000,
      ended: 1004,
      facts: { position: 7 },
    });
    expect(lines()).toMatchObject([
      { level: 'debug', step: 'append', milliseconds: 2.5, ...ids },
      { step: 'command', outcome: 'now', ...ids },
      { step: 'project', milliseconds: 4, position: 7, correlationId: ids.commandId, commandId: ids.commandId },
    ]);
  });
});

import { EventEmitter } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { readiness } from './health.ts';
import { listening } from './listening.ts';
import { jsonLog } from './log.ts';
import { gracefulShutdown, type ShutdownOptions } from './shutdown.ts';
import { scheduledTime } from './testing/scheduled-time.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function running(options: Partial<ShutdownOptions> = {}) {
  const held: ServerResponse[] = [];
  const arrivals = new EventEmitter();
  const server = createServer((request, response) => {
    if (request.url !== '/held') {
      response.end('ok');
      return;
    }
    held.push(response);
    arrivals.emit('held');
  });
  servers.push(server);
  const base = await listening(server, { port: 0, host: '127.0.0.1' });
  const signals = new EventEmitter();
  const exits: number[] = [];
  const exited = new Promise<number>((resolve) => signals.once('exited', resolve));
  const ready = readiness({});
  const shutdown = gracefulShutdown({
    readiness: ready,
    servers: [server],
    steps: [],
    log: jsonLog({ level: 'silent' }),
    signals,
    exit: (code) => {
      exits.push(code);
      signals.emit('exited', code);
    },
    announceMs: 0,
    ...options,
  });
  const heldOnce = () => new Promise((resolve) => arrivals.once('held', resolve));
  return { server, base, signals, exits, exited, ready, shutdown, held, heldOnce };
}

describe('shutdown', () => {
  test('STOP-1 ready turns off first, the request in flight is answered, then steps run in order, then exit 0', async () => {
    const order: string[] = [];
    const first = () => {
      order.push('sockets');
      return Promise.resolve();
    };
    const app = await running({
      steps: [
        { name: 'sockets', run: first },
        { name: 'stores', run: () => void order.push('stores') },
      ],
    });
    const arrived = app.heldOnce();
    const answer = fetch(`${app.base}/held`).then((response) => response.text());
    await arrived;
    expect(app.shutdown.inFlight).toBe(1);
    app.signals.emit('SIGTERM');
    expect(app.ready.state()).toEqual({ kind: 'stopping' });
    const closed = new Promise((resolve) => app.server.once('close', resolve));
    expect(order).toEqual([]);
    app.held[0]?.end('late');
    expect(await answer).toBe('late');
    expect(await app.exited).toBe(0);
    await closed;
    expect(order).toEqual(['sockets', 'stores']);
    await expect(fetch(app.base)).rejects.toThrow('fetch failed');
  });

  test('STOP-2 a second signal exits at once', async () => {
    const app = await running();
    const arrived = app.heldOnce();
    const answer = fetch(`${app.base}/held`).catch(() => undefined);
    await arrived;
    app.signals.emit('SIGINT');
    expect(app.exits).toEqual([]);
    app.signals.emit('SIGTERM');
    expect(app.exits).toEqual([1]);
    app.held[0]?.end();
    await answer;
  });

  test('STOP-3 a failed step does not stop the next, the exit code tells', async () => {
    const order: string[] = [];
    const app = await running({
      steps: [
        { name: 'bad', run: () => Promise.reject(new Error('no')) },
        { name: 'good', run: () => void order.push('good') },
      ],
    });
    expect(await app.shutdown.stop('test')).toBe(1);
    expect(order).toEqual(['good']);
    expect(app.exits).toEqual([1]);
  });

  test('STOP-4 a step that never ends is aborted at the deadline', async () => {
    let aborted = false;
    const app = await running({
      deadlineMs: 100,
      steps: [
        {
          name: 'stuck',
          run: (signal) =>
            new Promise(() => {
              signal.addEventListener('abort', () => {
                aborted = true;
              });
            }),
        },
      ],
    });
    const begun = scheduledTime();
    expect(await app.shutdown.stop('test')).toBe(1);
    expect(begun.stop()).toBeLessThan(1000);
    expect(aborted).toBe(true);
  });

  test('STOP-5 a request that never ends costs its share of the deadline, not the steps', async () => {
    const order: string[] = [];
    const app = await running({
      deadlineMs: 2_000,
      inFlightShare: 0.05,
      steps: [{ name: 'stores', run: () => void order.push('stores') }],
    });
    const arrived = app.heldOnce();
    const answer = fetch(`${app.base}/held`).catch((error: unknown) => error);
    await arrived;
    expect(await app.shutdown.stop('test')).toBe(0);
    expect(order).toEqual(['stores']);
    expect(await answer).toBeInstanceOf(Error);
  });

  test('STOP-6 while it is announced, new connections are still answered', async () => {
    const app = await running({ announceMs: 1_000 });
    const stopped = app.shutdown.stop('test');
    const status = await new Promise((resolve, reject) => {
      get(app.base, { agent: new Agent() }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once('error', reject);
    });
    expect(status).toBe(200);
    expect(await stopped).toBe(0);
  });

  test('STOP-7 stopping twice is stopping once', async () => {
    const app = await running();
    const codes = await Promise.all([app.shutdown.stop('a'), app.shutdown.stop('b')]);
    expect(codes).toEqual([0, 0]);
    expect(app.exits).toEqual([0]);
  });
});

import { createServer, get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, describe, expect, test } from 'vitest';
import { listening } from './listening.ts';
import { unreadAnswers, unreadWatch } from './unread.ts';

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise(setImmediate);
};

describe('answers that nobody takes', { timeout: 30_000 }, () => {
  let close = async (): Promise<void> => undefined;
  afterEach(() => close());

  const begun = async () => {
    let at = 0;
    const watch = unreadWatch({ patience: 30_000, now: () => at });
    const app = express();
    app.use(unreadAnswers(watch));
    let written = 0;
    let cut = 0;
    app.get('/long', (_request, response) => {
      response.once('close', () => {
        if (!response.writableFinished) cut += 1;
      });
      const more = (): void => {
        written += 65_536;
        if (response.write(Buffer.alloc(65_536))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    let answer: (() => void) | null = null;
    app.get('/slow', (_request, response) => {
      answer = () => void response.end('done');
    });
    const server = createServer(app);
    const address = await listening(server, { port: 0, host: '127.0.0.1' });
    close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    return {
      watch,
      address,
      port: (server.address() as AddressInfo).port,
      cut: () => cut,
      written: () => written,
      pass: (milliseconds: number) => {
        at += milliseconds;
        watch.look();
      },
      answer: () => answer?.(),
      isAsked: () => answer !== null,
    };
  };

  const asked = (url: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(url, resolve).once('error', reject);
    });

  /** Until the network takes nothing more. */
  const full = async (written: () => number): Promise<void> => {
    for (let still = 0, before = -1; still < 2_000; still = written() === before ? still + 1 : 0) {
      before = written();
      await new Promise(setImmediate);
    }
  };

  test('LIM-1360 twenty readers who take nothing are all cut after thirty seconds, and not before', async () => {
    const { address, watch, cut, written, pass } = await begun();
    const paused = await Promise.all(Array.from({ length: 20 }, () => asked(`${address}/long`)));
    for (const one of paused) one.once('error', () => undefined).pause();
    await full(written);
    pass(0);
    pass(29_999);
    expect(watch.size).toBe(20);
    pass(1);
    await until(() => cut() === 20);
    expect(watch.size).toBe(0);
  });

  test('LIM-1361 who takes a little now and then is not cut, nor is who waits for an answer that is long in the making', async () => {
    const { address, watch, cut, written, pass, answer, isAsked } = await begun();
    const slow = asked(`${address}/slow`);
    await until(isAsked);
    const reader = await asked(`${address}/long`);
    reader.once('error', () => undefined).pause();
    for (let round = 0; round < 3; round += 1) {
      await full(written);
      pass(20_000);
      const before = written();
      while (written() - before < 1_000_000) {
        reader.read();
        await new Promise(setImmediate);
      }
    }
    pass(20_000);
    expect([watch.size, cut()]).toEqual([2, 0]);
    answer();
    expect((await slow).statusCode).toBe(200);
    reader.destroy();
    await until(() => watch.size === 0);
  });

  test('LIM-1362 who sends on and on but takes nothing is cut like any other', async () => {
    const { port, watch, cut, written, pass } = await begun();
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => undefined).pause();
    socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => watch.size === 1);
    await full(written);
    pass(0);
    for (let second = 0; second < 29; second += 1) {
      socket.write('GET /slow HTTP/1.1\r\nHost: x\r\nX: y\r\n\r\n');
      pass(1_000);
    }
    expect(cut()).toBe(0);
    pass(1_000);
    await until(() => cut() === 1);
  });
});

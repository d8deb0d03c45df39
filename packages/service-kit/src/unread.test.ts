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
    const watch = unreadWatch({ patience: 30_000, least: { bytesPerSecond: 4_096, grace: 60_000 }, now: () => at });
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

  test('LIM-1361 who takes enough now and then is not cut, nor is who waits for an answer that is long in the making', async () => {
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

  test('TAT-3062 an answer that waits behind another one of its line is watched as well, once that is taken', async () => {
    const { port, watch, cut, written, pass, answer, isAsked } = await begun();
    const line = connect(port, '127.0.0.1');
    line.on('error', () => undefined);
    line.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /long HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => isAsked() && written() > 0);
    line.pause();
    answer();
    await full(written);
    pass(0);
    expect(watch.size).toBe(1);
    pass(30_000);
    await until(() => cut() === 1);
  });

  /** A line of which a client takes so many bytes a second, as far as bytes wait. */
  const lineOf = (rate: number) => {
    let [taken, waiting, cuts] = [1_000_000, 0, 0];
    return {
      line: { taken: () => taken, waiting: () => waiting, cut: () => void (cuts += 1) },
      write: (bytes: number): void => void (waiting += bytes),
      second: (): void => {
        const now = Math.min(rate, waiting);
        taken += now;
        waiting -= now;
      },
      isCut: () => cuts === 1,
    };
  };
  const rates = () => {
    let at = 0;
    const least = { bytesPerSecond: 4_096, grace: 60_000 };
    const watch = unreadWatch({ patience: 30_000, least, now: () => at });
    const pass = (seconds: number, ...lines: readonly ReturnType<typeof lineOf>[]): void => {
      for (let second = 0; second < seconds; second += 1) {
        at += 1_000;
        for (const line of lines) line.second();
        watch.look();
      }
    };
    return { watch, pass };
  };

  test('TAT-3060 who takes a little now and then of a long answer, but less than 4 KB a second, is cut after a minute; who takes as much is not, however long it lasts', () => {
    const { watch, pass } = rates();
    const [slow, enough] = [lineOf(1), lineOf(4_096)];
    for (const one of [slow, enough]) {
      watch.watch(one.line);
      one.write(100_000_000);
    }
    pass(60, slow, enough);
    expect([slow.isCut(), enough.isCut()]).toEqual([false, false]);
    pass(1, slow, enough);
    expect([slow.isCut(), enough.isCut(), watch.size]).toEqual([true, false, 1]);
    pass(3_600, enough);
    expect(enough.isCut()).toBe(false);
  });

  test('TAT-3061 the time in which nothing waited, as an answer was in the making, is not counted', () => {
    const { watch, pass } = rates();
    const reader = lineOf(5_000);
    watch.watch(reader.line);
    for (let part = 0; part < 100; part += 1) {
      pass(60, reader);
      reader.write(15_000);
      pass(3, reader);
    }
    expect([reader.isCut(), watch.size]).toEqual([false, 1]);
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

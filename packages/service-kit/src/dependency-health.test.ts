import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readiness } from './health.ts';
import { jsonLog } from './log.ts';
import { answering, projectionLag, watchDependencies } from './dependency-health.ts';

const log = jsonLog({ level: 'silent' });
const server = { setting: 'EVENTSTOREDB_URL', url: 'esdb://admin:secret@events:2113' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what readiness follows', () => {
  test('SVC-6 a server that stops answering is named until it answers again', async () => {
    const ready = readiness({});
    let away = false;
    const look = () => (away ? Promise.reject(new Error('gone')) : Promise.resolve(1));
    const stop = await watchDependencies({ watched: [answering(server, look)], readiness: ready, log, everyMs: 100 });
    expect(ready.state()).toEqual({ kind: 'ready' });
    away = true;
    await vi.advanceTimersByTimeAsync(100);
    expect(ready.state()).toEqual({
      kind: 'not_ready',
      reasons: { EVENTSTOREDB_URL: 'EVENTSTOREDB_URL: сервер events:2113 не отвечает' },
    });
    away = false;
    await vi.advanceTimersByTimeAsync(100);
    expect(ready.state()).toEqual({ kind: 'ready' });
    stop();
    away = true;
    await vi.advanceTimersByTimeAsync(1000);
    expect(ready.state()).toEqual({ kind: 'ready' });
  });

  test('SVC-7 a server that answers nothing at all counts as away', async () => {
    const ready = readiness({});
    const never = () => new Promise(() => undefined);
    const watched = watchDependencies({ watched: [answering(server, never)], readiness: ready, log, patienceMs: 500 });
    await vi.advanceTimersByTimeAsync(500);
    (await watched)();
    expect(ready.state()).toMatchObject({
      kind: 'not_ready',
      reasons: { EVENTSTOREDB_URL: expect.any(String) as string },
    });
  });

  test('SVC-70 who looks is told when nobody waits for it any more', async () => {
    const late: (AbortSignal | undefined)[] = [];
    const never = (signal?: AbortSignal) => {
      late.push(signal);
      return new Promise<never>(() => undefined);
    };
    const watched = watchDependencies({
      watched: [answering(server, never)],
      readiness: readiness({}),
      log,
      patienceMs: 500,
    });
    await vi.advanceTimersByTimeAsync(499);
    expect(late.map((signal) => signal?.aborted)).toEqual([false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(late.map((signal) => signal?.aborted)).toEqual([true]);
    (await watched)();
  });

  test('SVC-8 read models are well once they have reached a head that was seen, and while each next head is reached in time', async () => {
    let [head, reached, now] = [10, 0, 0];
    const { look } = projectionLag({
      head: async () => head,
      reached: async () => reached,
      now: () => now,
      limitMs: 1_000,
    });
    expect(await look()).toBe('модели чтения догоняют журнал');
    [head, reached, now] = [20, 9, 5_000];
    expect(await look()).toBe('модели чтения догоняют журнал');
    reached = 10;
    expect(await look()).toBeNull();
    [head, now] = [30, 6_000];
    expect(await look()).toBeNull();
    now = 6_001;
    expect(await look()).toBe('модели чтения отстают от журнала больше чем на 1 с');
    reached = 20;
    expect(await look()).toBeNull();
  });

  test('THR-2760 read models that are known to have caught up are late only after the limit, also when looking begins', async () => {
    let [reached, now] = [9, 0];
    const { look } = projectionLag({
      head: async () => 10,
      reached: async () => reached,
      now: () => now,
      limitMs: 1_000,
      hasCaughtUp: true,
    });
    expect(await look()).toBeNull();
    now = 1_001;
    expect(await look()).toBe('модели чтения отстают от журнала больше чем на 1 с');
    reached = 10;
    expect(await look()).toBeNull();
  });

  test('SVC-9 an empty log has nothing to catch up with', async () => {
    const { look } = projectionLag({ head: async () => 0, reached: async () => 0, now: () => 0 });
    expect(await look()).toBeNull();
  });

  test('RLOG-17 a head that was another log’s, in whose place the right one is back, has not to be reached', async () => {
    let [head, now] = [10, 0];
    const { look } = projectionLag({ head: async () => head, reached: async () => 10, now: () => now, limitMs: 1_000 });
    expect(await look()).toBeNull();
    head = 90;
    expect(await look()).toBeNull();
    [head, now] = [10, 5_000];
    expect(await look()).toBeNull();
    now = 50_000;
    expect(await look()).toBeNull();
  });

  test('SVC-10 while nothing can be asked, what was known of the read models stands', async () => {
    const ready = readiness({});
    let away = false;
    const ask = (): Promise<number> => (away ? Promise.reject(new Error('gone')) : Promise.resolve(1));
    const watched = projectionLag({ head: ask, reached: ask, now: () => 0 });
    const stop = await watchDependencies({ watched: [watched], readiness: ready, log, everyMs: 100 });
    away = true;
    await vi.advanceTimersByTimeAsync(200);
    expect(ready.state()).toEqual({ kind: 'ready' });
    stop();
  });
});

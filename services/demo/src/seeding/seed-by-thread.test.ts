import { testCodes, testCodesKey } from '@zakup/credentials/testing/test-codes';
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { declaredFields } from '@zakup/contracts/read-models';
import type { EventStore } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { jsonLog } from '@zakup/service-kit/log';
import { appMetrics } from '@zakup/service-kit/metrics';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { story } from '../story/story.ts';
import { seedStory } from '../seed-story.ts';
import { hashOfLog, lastDay, small } from '../testing/small-story.ts';
import type { FromSeeding } from './seeding-messages.ts';
import { type SeedingByThread, seedByThread } from './seed-by-thread.ts';

const scale = { ...small, lastDay };

const emptyLog = (): { readonly log: EventStore; readonly onInstant: (at: number) => void } => {
  let now = 0;
  return {
    log: inMemoryEventStore({ clock: () => now }),
    onInstant: (at) => {
      now = Math.max(now, at);
    },
  };
};

const tell = (eventStore: EventStore, more: Partial<SeedingByThread> = {}): Promise<void> =>
  seedByThread({
    scale,
    told: 0,
    logLevel: 'silent',
    accessCodesKey: testCodesKey,
    eventStore,
    onInstant: () => undefined,
    refusal: () => null,
    onDay: () => undefined,
    signal: new AbortController().signal,
    ...more,
  });

/** As `tell`, without a thread. */
const seedOn = (eventStore: EventStore, onInstant: (at: number) => void): Promise<void> =>
  seedStory(story(scale), {
    eventStore,
    codes: testCodes,
    readStore: inMemoryReadStore({ declared: declaredFields }),
    log: jsonLog({ level: 'silent' }),
    metrics: appMetrics(),
    onInstant,
    onDay: () => undefined,
  });

/** The threads that are started until the test is over. */
const startedThreads = (): readonly Worker[] => {
  const threads: Worker[] = [];
  const started = (thread: Worker): void => void threads.push(thread);
  process.on('worker', started);
  onTestFinished(() => void process.off('worker', started));
  return threads;
};
/** Node gives a thread that has ended no other number. */
const ended = -1;

/** As the log, until it has taken so many appends. */
const dyingAfter = (log: EventStore, appends: number): EventStore => {
  let left = appends;
  return {
    ...log,
    append: async (...given) => {
      left -= 1;
      if (left < 0) throw new Error('The disk is gone');
      return log.append(...given);
    },
  };
};

/**
 * As the log where what is appended in one turn is one transaction, decided in their order. The first one, but for the very first, after which
 * the thread sends more to append at once finds the disk full, which is known some turns after that was sent. `sent`: the kinds of all messages.
 */
const fullAtOnce = (log: EventStore, sent: readonly FromSeeding['kind'][]) => {
  let begun = 0;
  let full: number | null = null;
  let open: Promise<boolean> | null = null;
  let decided: Promise<unknown> = Promise.resolve();
  const decide = async (transaction: number): Promise<boolean> => {
    const placesOfAppends = () => sent.flatMap((kind, place) => (kind === 'appends' ? [place] : []));
    const following = () => sent[(placesOfAppends()[transaction - 1] ?? sent.length) + 1];
    while (following() === undefined) await turn();
    if (full !== null || transaction === 1 || following() !== 'appends') return true;
    full = transaction;
    for (let turns = 0; turns < 50; turns += 1) await turn();
    return false;
  };
  const begin = (): Promise<boolean> => {
    begun += 1;
    const transaction = begun;
    setImmediate(() => {
      open = null;
    });
    const kept = decided.then(() => decide(transaction));
    decided = kept;
    return kept;
  };
  const eventStore: EventStore = {
    ...log,
    append: async (...given) => {
      open ??= begin();
      if (!(await open)) throw new Error('The disk is full');
      return log.append(...given);
    },
  };
  return { eventStore, begun: () => begun, full: () => full };
};

describe('a story that is told by a thread', () => {
  let expected: string;
  beforeAll(async () => {
    const { log, onInstant } = emptyLog();
    await seedOn(log, onInstant);
    expected = await hashOfLog(log);
  });

  test('DEMO-7 is in the log byte for byte as one that is told in place, each act soon after its instant, each look when all before it is durable', async () => {
    const { log, onInstant } = emptyLog();
    const looks: number[] = [];
    const lastOfLooks: string[] = [];
    const threads = startedThreads();
    await tell(log, {
      onInstant,
      onDay: async (told) => {
        looks.push(told);
        const [last] = (await log.readLicence(story(scale).ids.licence)).slice(-1);
        lastOfLooks.push(last?.metadata.at ?? '');
      },
    });
    expect(await hashOfLog(log)).toBe(expected);
    expect(looks).toEqual([...looks].sort((one, other) => one - other));
    expect(looks.at(-1)).toBe(70);
    for (const [index, at] of lastOfLooks.entries()) {
      const ends = Date.parse(`${lastDay}T21:00:00.000Z`) - (70 - (looks[index] ?? 0)) * 24 * 60 * 60 * 1000;
      expect(Date.parse(at)).toBeLessThan(ends);
    }
    const events = await log.readLicence(story(scale).ids.licence);
    for (const { recordedAt, metadata } of events) expect(recordedAt >= metadata.at).toBe(true);
    expect(threads.map(({ threadId }) => threadId)).toEqual([ended]);
  });

  test.each([
    { appends: 3, again: seedOn },
    { appends: 250, again: (log: EventStore, onInstant: (at: number) => void) => tell(log, { onInstant }) },
  ])(
    'DEMO-8 broken off after $appends appends ends the thread with what the log said, and told again ends the same',
    async ({ appends, again }) => {
      const { log, onInstant } = emptyLog();
      const threads = startedThreads();
      await expect(tell(dyingAfter(log, appends), { onInstant })).rejects.toThrow('The disk is gone');
      expect(await log.head()).toBeGreaterThanOrEqual(appends);
      expect(threads.map(({ threadId }) => threadId)).toEqual([ended]);
      await again(log, onInstant);
      expect(await hashOfLog(log)).toBe(expected);
    },
  );

  test('DEMO-17 after a transaction that finds the disk full nothing more is appended, and told again it ends the same', async () => {
    const { log, onInstant } = emptyLog();
    const sent: FromSeeding['kind'][] = [];
    const listen = (thread: Worker): void =>
      void thread.on('message', ({ kind }: FromSeeding) => {
        sent.push(kind);
      });
    process.on('worker', listen);
    onTestFinished(() => void process.off('worker', listen));
    const { eventStore, begun, full } = fullAtOnce(log, sent);
    await expect(tell(eventStore, { onInstant })).rejects.toThrow('The disk is full');
    expect(begun()).toBe(full());
    expect(await log.head()).toBeGreaterThan(0);
    await seedOn(log, onInstant);
    expect(await hashOfLog(log)).toBe(expected);
  });

  test('DEMO-18 where nothing may be written it appends nothing more and ends with why; told again it ends the same', async () => {
    const { log, onInstant } = emptyLog();
    let head: number | null = null;
    const telling = tell(log, {
      onInstant,
      refusal: () => (head === null ? null : new Error('No room is left')),
      onDay: async () => {
        head ??= await log.head();
      },
    });
    await expect(telling).rejects.toThrow('No room is left');
    expect(await log.head()).toBe(head);
    await seedOn(log, onInstant);
    expect(await hashOfLog(log)).toBe(expected);
  });

  test('DEMO-9 goes on after the days that were told before', async () => {
    const { log, onInstant } = emptyLog();
    let told = 0;
    const stop = new AbortController();
    const first = tell(log, {
      onInstant,
      signal: stop.signal,
      onDay: (days) => {
        told = days;
        if (days >= 30) stop.abort();
      },
    });
    await expect(first).rejects.toThrow('aborted');
    const looks: number[] = [];
    await tell(log, { onInstant, told, onDay: (days) => void looks.push(days) });
    expect(looks[0]).toBe(told + 5);
    expect(await hashOfLog(log)).toBe(expected);
  });

  test('DEMO-10 told to stop, it ends the thread before it rejects, and appends nothing more', async () => {
    const { log, onInstant } = emptyLog();
    const threads = startedThreads();
    const stop = new AbortController();
    await expect(tell(log, { onInstant, signal: stop.signal, onDay: () => stop.abort() })).rejects.toThrow('aborted');
    expect(threads.map(({ threadId }) => threadId)).toEqual([ended]);
    expect((await hashOfLog(log)).split(' ')[0]).not.toBe(expected.split(' ')[0]);
  });

  test('DEMO-11 an act that is refused, or a story that cannot be made, ends it with the reason', async () => {
    // Nobody founded the licence of which so many days are said to be told.
    await expect(tell(emptyLog().log, { told: 30 })).rejects.toThrow(/The story breaks off: .* 401 /u);
    await expect(tell(emptyLog().log, { scale: { ...scale, lastDay: 'never' } })).rejects.toThrow('Invalid time value');
  });

  test('DEMO-12 a log that is not its own is not told to', async () => {
    const { log } = emptyLog();
    let isFirst = true;
    const shared: EventStore = {
      ...log,
      append: async (writes, options) => {
        if (isFirst) await log.append([{ ...writes[0], stream: 'other-00~1', expectedRevision: 'any' }]);
        isFirst = false;
        return log.append(writes, options);
      },
    };
    await expect(tell(shared)).rejects.toThrow('The log does not take');
  });
});

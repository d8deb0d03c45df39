import { declaredFields } from '@zakup/contracts/read-models';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { ReadStore } from '@zakup/read-store/read-store';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { selfCheck } from './self-check.ts';

interface Change {
  readonly licenceId: string;
  /** Milliseconds. */
  readonly at: number;
}

const minute = 60_000;
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `4f${index}`);

/**
 * Looks at licences by the settings of a start, on a clock that only moves when something waits or is looked at. The first change is at 0.
 * `cost`: milliseconds of a look. `fails`: how many looks at a licence reject first. Answers for each change how long after it a look that
 * began after it was over, and how long the looks took and all together, all in milliseconds.
 */
const lookedAt = async (
  changes: readonly Change[],
  {
    cost,
    fails = () => 0,
  }: { readonly cost: (licenceId: string) => number; readonly fails?: (licenceId: string) => number },
) => {
  const coming = changes.toSorted((one, other) => one.at - other.at);
  let pending: Change[] = [];
  const delays: { readonly licenceId: string; readonly delay: number }[] = [];
  const failed = new Map<string, number>();
  const stop = new AbortController();
  let [time, worked, began] = [0, 0, 0];
  let looked = '';

  const happen = (): void => {
    const due = coming.splice(0, coming.findLastIndex(({ at }) => at <= time) + 1);
    pending.push(...due);
    if (due.length > 0)
      check.changed(
        due.map(({ licenceId }) => licenceId),
        0,
      );
  };
  /** Moves on, with what happens meanwhile at its own time. */
  const advance = (milliseconds: number): void => {
    const end = time + milliseconds;
    for (let next = coming[0]; next !== undefined && next.at <= end; next = coming[0]) {
      time = Math.max(time, next.at);
      happen();
    }
    time = end;
  };

  const empty = inMemoryReadStore({ declared: declaredFields });
  const readStore: ReadStore = {
    ...empty,
    checkpoint: async (partition) => {
      began = time;
      return empty.checkpoint(partition);
    },
    scan: async (licenceId, ...rest) => {
      looked = licenceId;
      worked += cost(licenceId);
      advance(cost(licenceId));
      const before = failed.get(licenceId) ?? 0;
      failed.set(licenceId, before + 1);
      if (before < fails(licenceId)) throw new Error('The store is away');
      return empty.scan(licenceId, ...rest);
    },
  };
  const check = selfCheck({
    eventStore: inMemoryEventStore({ clock: () => 0 }),
    readStore,
    partition: 'all',
    signal: stop.signal,
    now: () => 0,
    models: () => null,
    before: null,
    clock: {
      now: () => time,
      async pause(milliseconds) {
        advance(milliseconds);
        await turn();
      },
    },
    comparedTo: 0,
    onCompared: () => undefined,
    onState() {
      const seen = pending.filter(({ licenceId, at }) => licenceId === looked && at <= began);
      delays.push(...seen.map(({ licenceId, at }) => ({ licenceId, delay: time - at })));
      pending = pending.filter((change) => !seen.includes(change));
      if (pending.length === 0 && coming.length === 0) stop.abort();
    },
  });
  happen();
  await check.ended;
  expect(delays).toHaveLength(changes.length);
  return { delays, worked, whole: time, longest: Math.max(...delays.map(({ delay }) => delay)) };
};

describe('when a changed licence is looked at', () => {
  it('SCK-60 within a minute of its change, but not at once', async () => {
    const { longest } = await lookedAt([{ licenceId: '4f00', at: 0 }], { cost: () => 500 });
    expect(longest).toBeLessThan(minute);
    expect(longest).toBeGreaterThan(1_000);
  });

  it('SCK-61 within a minute also when fifty change at once, and with rests in between where there is time', async () => {
    const atOnce = names(50).map((licenceId) => ({ licenceId, at: 0 }));
    const quick = await lookedAt(atOnce, { cost: () => 20 });
    expect(quick.longest).toBeLessThan(minute / 2);
    // Half of the time from the first look on was left to others.
    expect(quick.whole - 20_000).toBeGreaterThanOrEqual(2 * quick.worked - 20);
    const slow = await lookedAt(atOnce, { cost: () => 550 });
    expect(slow.longest).toBeLessThan(minute);
    expect(slow.whole - 20_000).toBeGreaterThan(1.2 * slow.worked);
    const mixed = await lookedAt(atOnce, { cost: (licenceId) => (licenceId === '4f0' ? 15_000 : 200) });
    expect(mixed.longest).toBeLessThan(minute);
  });

  it('SCK-62 one that goes on changing is looked at all the same, each change within a minute', async () => {
    const seconds = Array.from({ length: 600 }, (_, second) => second * 1_000);
    const { longest } = await lookedAt(
      seconds.flatMap((at) => names(5).map((licenceId) => ({ licenceId, at }))),
      { cost: () => 300 },
    );
    expect(longest).toBeLessThan(minute);
  });

  it('SCK-63 a look that fails holds up no other licence', async () => {
    const { delays } = await lookedAt(
      [
        { licenceId: 'away', at: 0 },
        { licenceId: 'away', at: 21_000 },
        { licenceId: 'other', at: 22_000 },
      ],
      {
        cost: (licenceId) => (licenceId === 'away' ? 19_000 : 10),
        fails: (licenceId) => (licenceId === 'away' ? 1 : 0),
      },
    );
    const [other] = delays.filter(({ licenceId }) => licenceId === 'other');
    expect(other?.delay).toBeLessThan(minute);
  });

  it('SCK-64 it is told how far every change was compared: not past one whose look failed, or that waits', async () => {
    const stop = new AbortController();
    const empty = inMemoryReadStore({ declared: declaredFields });
    const looked: string[] = [];
    let failures = 1;
    const compared: (readonly [after: string, position: number])[] = [];
    const check = selfCheck({
      eventStore: inMemoryEventStore({ clock: () => 0 }),
      readStore: {
        ...empty,
        async scan(licenceId, ...rest) {
          looked.push(licenceId);
          if (licenceId === '4f1' && failures > 0) {
            failures -= 1;
            check.changed(['4f0'], 12);
            throw new Error('The store is away');
          }
          return empty.scan(licenceId, ...rest);
        },
      },
      partition: 'all',
      signal: stop.signal,
      now: () => 0,
      after: 0,
      models: () => null,
      before: null,
      clock: { now: () => 0, pause: () => turn() },
      comparedTo: 3,
      onState: () => undefined,
      onCompared(position) {
        compared.push([looked.at(-1) ?? '', position]);
        if (position === 12) stop.abort();
      },
    });
    check.changed(['4f0'], 5);
    check.changed(['4f1'], 7);
    check.changed(['4f2'], 9);
    await check.ended;
    expect(compared).toEqual([
      ['4f0', 5],
      ['4f2', 5],
      ['4f0', 5],
      ['4f1', 12],
    ]);
  });
});

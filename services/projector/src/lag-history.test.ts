import { type LagNotice, noticeNames } from '@zakup/contracts/notices';
import { firstInstant, licenceId, licenceIssued, testLog, testReadStore } from '@zakup/projections/testing/given';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LagHistory } from './lag-history.ts';
import { supervisedProjector } from './supervised-projector.ts';

const minute = 60_000;
const start = Date.UTC(2026, 10, 21, 11, 0);

/** A history on a clock that is set by hand; `batch`: one whose events were recorded now and are committed so many milliseconds later. */
const onClock = () => {
  let time = start;
  const history = new LagHistory(() => time);
  return {
    history,
    set: (at: number): void => {
      time = at;
    },
    batch: (events: number, lagMilliseconds: number, firstRecordedAt = time): void => {
      const recorded = new Map([[Math.floor(firstRecordedAt / minute) * minute, events]]);
      history.add({ recorded, firstRecordedAt, lagMilliseconds });
    },
  };
};

const rows = (notice: LagNotice | null) =>
  notice?.minutes.map(({ at, events, lagMilliseconds }) => [(at - start) / minute, events, lagMilliseconds]);

describe('the last hour of projecting', () => {
  it('ADM-3410 has the longest way of an event and their number by the minute, nothing to do counts as no lag', () => {
    const { history, set, batch } = onClock();
    batch(2, 12);
    batch(3, 44);
    set(start + 30_000);
    batch(1, 9);
    set(start + 3 * minute);
    batch(5, 7);
    expect(rows(history.toNote())).toEqual([
      [0, 6, 44],
      [1, 0, 0],
      [2, 0, 0],
      [3, 5, 7],
    ]);
  });

  it('ADM-3423 is noted when something was projected and once a minute, and again where that failed', () => {
    const { history, set, batch } = onClock();
    expect(history.toNote()).not.toBeNull();
    expect(history.toNote()).toBeNull();
    batch(1, 3);
    expect(history.toNote()).not.toBeNull();
    expect(history.toNote()).toBeNull();
    history.notNoted();
    expect(history.toNote()).not.toBeNull();
    set(start + minute);
    expect(history.toNote()).not.toBeNull();
    expect(history.toNote()).toBeNull();
  });

  it('ADM-3424 keeps sixty minutes, and nothing that a clock dated ahead', () => {
    const { history, set, batch } = onClock();
    batch(7, 1);
    batch(1, 1, start + 20 * minute);
    history.toNote();
    set(start + 60 * minute);
    const notice = history.toNote();
    expect(notice?.minutes).toHaveLength(60);
    expect(notice?.minutes.every(({ events }) => events === 0)).toBe(true);
    expect(notice?.minutes[0]?.at).toBe(start + minute);
  });

  it('ADM-3411 goes on after a restart: events of meanwhile are counted, without a lag, minutes without work stay out', () => {
    const before = onClock();
    before.batch(4, 20);
    const noted = before.history.toNote();
    const history = new LagHistory(() => start + 5 * minute);
    history.goOnFrom(noted);
    const waited = start + 3 * minute;
    history.add({ recorded: new Map([[waited, 2]]), firstRecordedAt: waited, lagMilliseconds: 2 * minute });
    const notice = history.toNote();
    expect(rows(notice)).toEqual([
      [0, 4, 20],
      [3, 2, null],
      [5, 0, 0],
    ]);
    expect(notice?.since).toBe(start);
  });

  it('ADM-3493 minutes in which events waited for a store that was away have the lag they had by then', () => {
    const { history, set, batch } = onClock();
    batch(1, 5);
    set(start + 2 * minute);
    history.toNote();
    set(start + 4 * minute);
    const waited = start + minute + 15_000;
    batch(3, 4 * minute - 75_000, waited);
    batch(1, 20_000, start + 4 * minute - 20_000);
    expect(rows(history.toNote())).toEqual([
      [0, 1, 5],
      [1, 3, 45_000],
      [2, 0, 105_000],
      [3, 1, 165_000],
      [4, 0, 165_000],
    ]);
  });

  it('ADM-3425 a projector notes it for whoever looks after it, at the latest when it ends, and the next one goes on', async () => {
    const { eventStore, append } = testLog();
    const readStore = testReadStore();
    const run = async (fence: number): Promise<LagNotice> => {
      const stop = new AbortController();
      const options = { partition: 'all', fence, eventStore, readStore, wait: () => Promise.resolve() };
      const following = supervisedProjector({ ...options, signal: stop.signal, now: () => firstInstant + minute });
      await following.caughtUp;
      stop.abort();
      await following.ended;
      return (await readStore.notice(noticeNames.lag)) as unknown as LagNotice;
    };
    await append(['licence', licenceId, licenceIssued]);
    // What was appended is published in the next turn.
    await turn();
    const first = await run(1);
    expect(first.minutes.reduce((sum, { events }) => sum + events, 0)).toBe(1);
    const second = await run(2);
    expect(second).toEqual(first);
  });
});

import { messages } from '@zakup/domain/messages';
import { steadyClock } from '@zakup/event-store/steady-clock';
import { contractorCreated, licenceId, licenceIssued, testLog } from '@zakup/projections/testing/given';
import { describe, expect, test } from 'vitest';
import { readGuard } from '../http/limits/read-guard.ts';
import { resolveAt } from './resolve-at.ts';
import { snapshotCache } from './snapshot-cache.ts';

const start = Date.UTC(2026, 10, 21, 9);
const [minute, hour] = [60_000, 3_600_000];
const refused = { kind: 'wrong', message: messages.atInFuture };

/** A log on a machine whose clock can be set, and whoever asks for its past. */
const machine = async () => {
  let [passed, set] = [0, 0];
  const now = (): number => start + passed + set;
  const logClock = steadyClock({ wall: now, monotonic: () => passed });
  const log = testLog({ clock: logClock });
  const { eventStore } = log;
  await log.append(['licence', licenceId, licenceIssued]);
  const deps = { past: snapshotCache({ eventStore }), eventStore, now, logClock, guard: readGuard() };
  const { signal } = new AbortController();
  return {
    pass: (milliseconds: number): void => void (passed += milliseconds),
    set: (milliseconds: number): void => void (set += milliseconds),
    happens: (id: string) => log.append(['contractor', id, contractorCreated(id)]),
    at: async (sinceStart: number) => {
      const at = new Date(start + sinceStart).toISOString();
      const found = await resolveAt(deps, { sessionId: 's', licenceId }, 1, { at }, signal);
      return found.kind === 'found' ? { kind: found.kind, position: found.moment.position } : found;
    },
  };
};

describe('a moment of the past by its time', () => {
  test('TAT-3050 within an hour by which the clock was set forward it is refused as to come; what was answered stays after a further event', async () => {
    const { pass, set, happens, at } = await machine();
    pass(10 * minute);
    set(hour);
    expect([await at(11 * minute), await at(40 * minute)]).toEqual([refused, refused]);
    expect(await at(9 * minute)).toEqual({ kind: 'found', position: 1 });
    pass(minute);
    await happens('one');
    pass(minute);
    await happens('two');
    pass(hour);
    expect([await at(9 * minute), await at(40 * minute)]).toEqual([
      { kind: 'found', position: 1 },
      { kind: 'found', position: 3 },
    ]);
  });

  test('TAT-3053 nor does it change after an event that follows when the clock was set back', async () => {
    const { pass, set, happens, at } = await machine();
    pass(3 * hour);
    expect(await at(2 * hour)).toEqual({ kind: 'found', position: 1 });
    set(-2 * hour);
    await happens('one');
    expect([await at(2 * hour), await at(3 * hour)]).toEqual([{ kind: 'found', position: 1 }, refused]);
    pass(3 * hour);
    expect(await at(3 * hour)).toEqual({ kind: 'found', position: 2 });
  });
});

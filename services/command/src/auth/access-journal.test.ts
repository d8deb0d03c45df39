import { randomUUID } from 'node:crypto';
import type { AccessEvent } from '@zakup/domain/access/events';
import { type EventStore, EventStoreUnavailable, type RecordedEvent } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { appMetrics } from '@zakup/service-kit/metrics';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testClock } from '../testing/test-clock.ts';
import { accessJournal, type RefusedTry } from './access-journal.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const ann = { licenceId: '3f00', personId: 'ann' };
const boris = { licenceId: '3f00', personId: 'boris' };
const out: AccessEvent = { type: 'SignedOut', data: { sessionId: 's' } };

/** A journal on a log in memory that can be away, hang or be closed for writing, under a clock that the test moves. */
const world = () => {
  const clock = testClock('2030-01-01T00:00:00.000Z');
  const log = inMemoryEventStore({ clock: clock.now });
  const metrics = appMetrics();
  const warnings: string[] = [];
  const state = { away: false, readOnly: false, hangs: null as Promise<void> | null };
  const append: EventStore['append'] = async (...asked) => {
    await state.hangs;
    if (state.away) throw new EventStoreUnavailable('away');
    return log.append(...asked);
  };
  const journal = accessJournal({
    eventStore: { append },
    metrics,
    log: { warn: (_about, message) => warnings.push(message) },
    now: clock.now,
    newId: randomUUID,
    readOnly: () => (state.readOnly ? 'disk' : null),
    wait: clock.wait,
  });
  const written = (person = ann): Promise<readonly RecordedEvent[]> =>
    log.read(`access-${person.licenceId}~${person.personId}`);
  return {
    clock,
    journal,
    state,
    warnings,
    written,
    refused: (more: Partial<RefusedTry> = {}): void =>
      journal.refused({ holder: ann, door: 'employee', reason: 'wrong_secret', network: '10.0.0.0/24', ...more }),
    /** Time goes by, and whoever was woken has gone to sleep again or is gone. */
    async pass(milliseconds: number, sleepers: number): Promise<void> {
      clock.advance(milliseconds);
      await clock.asleep(sleepers);
    },
    lost: async (): Promise<number> => (await metrics.lostAccessEntries.get()).values[0]?.value ?? 0,
    refusals: async () =>
      (await metrics.signInRefusals.get()).values.map(({ labels, value }) => ({ ...labels, value })),
    stop: async (): Promise<void> => {
      await journal.stop();
      await log.close();
    },
  };
};

describe('the journal of sign-ins', () => {
  let here: ReturnType<typeof world>;
  beforeEach(() => {
    here = world();
  });
  afterEach(() => here.stop());

  test('ACJ-1 what a person did is durable when it resolves, in the person’s stream, with who did it and when', async () => {
    await here.journal.tell(ann, 'ann', [
      { type: 'SessionsEnded', data: { sessionIds: ['a', 'b'], reason: 'replaced' } },
      out,
    ]);
    await here.journal.tell(ann, 'system', [out]);
    const [ended, first, second_] = await here.written();
    expect([ended?.type, first?.type, ended?.data]).toEqual([
      'SessionsEnded',
      'SignedOut',
      { sessionIds: ['a', 'b'], reason: 'replaced' },
    ]);
    expect(first?.metadata).toMatchObject({
      licenceId: '3f00',
      actorId: 'ann',
      source: 'screen',
      at: '2030-01-01T00:00:00.000Z',
      schemaVersion: 1,
    });
    expect(second_?.metadata).toMatchObject({ actorId: 'system', source: 'system' });
  });

  test('ACJ-2 refusals of an account are one event some seconds later, with counts, doors and networks', async () => {
    here.refused();
    await here.pass(4 * second, 1);
    here.refused({ door: 'password', network: '10.0.1.0/24' });
    here.refused({ reason: 'too_many_tries', network: '' });
    here.refused({ holder: boris });
    expect(await here.written()).toEqual([]);
    await here.pass(6 * second, 2);
    const [event, ...more] = await here.written();
    expect(more).toEqual([]);
    expect([event?.type, event?.metadata.actorId, event?.metadata.source]).toEqual([
      'SignInRefused',
      'system',
      'system',
    ]);
    expect(event?.data).toEqual({
      since: '2030-01-01T00:00:00.000Z',
      until: '2030-01-01T00:00:04.000Z',
      count: 3,
      reasons: { wrong_secret: 2, too_many_tries: 1 },
      doors: ['employee', 'password'],
      networks: ['10.0.0.0/24', '10.0.1.0/24'],
      moreNetworks: false,
    });
    await here.pass(4 * second, 2);
    expect(await here.written(boris)).toHaveLength(1);
  });

  test('ACJ-3 a flood of a day from everywhere is some thirty events, which count all of it', async () => {
    let sent = 0;
    for (let time = 0; time < 24 * hour; time += 10 * second) {
      for (let many = 0; many < 50; many += 1) here.refused({ network: `10.${many}.0.0/24` });
      sent += 50;
      await here.pass(10 * second, 1);
    }
    await here.journal.stop();
    const events = await here.written();
    expect(events.length).toBeLessThan(32);
    const counts = events.map(({ data }) => Number(data['count']));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(sent);
    expect(events[0]?.data).toMatchObject({ moreNetworks: true, networks: { length: 5 } });
  });

  test('ACJ-4 after a quiet window the next refusal is told as soon as the first', async () => {
    here.refused();
    await here.pass(10 * second, 1);
    await here.pass(minute, 0);
    here.refused();
    await here.pass(10 * second, 1);
    expect((await here.written()).map(({ data }) => data['count'])).toEqual([1, 1]);
  });

  test('ACJ-5 guesses at nobody’s account reach the metrics alone, and of too many accounts at once some do', async () => {
    here.refused({ holder: null });
    here.refused({ holder: null, door: 'admin', reason: 'too_many_tries' });
    expect(await here.refusals()).toEqual([
      { door: 'employee', value: 1 },
      { door: 'admin', value: 1 },
    ]);
    for (let index = 0; index < 1005; index += 1)
      here.refused({ holder: { licenceId: '3f00', personId: `p${index}` } });
    expect(await here.lost()).toBe(5);
    expect(await here.refusals()).toContainEqual({ door: 'employee', value: 1006 });
  });

  test('ACJ-6 a log that is away or closed for writing keeps nobody out, and is told when it is back', async () => {
    for (const closed of ['away', 'readOnly'] as const) {
      const before = (await here.written()).length;
      here.state[closed] = true;
      await here.journal.tell(ann, 'ann', [out]);
      here.refused();
      await here.pass(10 * second, 2);
      expect(await here.written()).toHaveLength(before);
      here.state[closed] = false;
      await here.pass(10 * second, 1);
      expect(
        (await here.written())
          .slice(before)
          .map(({ type }) => type)
          .toSorted(),
      ).toEqual(['SignInRefused', 'SignedOut']);
      await here.pass(hour, 0);
    }
    expect(here.warnings).not.toEqual([]);
    expect(await here.lost()).toBe(0);
  });

  test('ACJ-7 a log that hangs holds a sign-in up for a second', async () => {
    let release = (): void => undefined;
    here.state.hangs = new Promise((resolve) => {
      release = resolve;
    });
    const told = here.journal.tell(ann, 'ann', [out]);
    await here.clock.asleep(1);
    here.clock.advance(second);
    await told;
    expect(await here.written()).toEqual([]);
    release();
    await here.journal.stop();
    expect(await here.written()).toHaveLength(1);
  });

  test('ACJ-8 the end of the process writes what is gathered, once, and counts what it has to give up', async () => {
    here.refused();
    await here.journal.stop();
    expect(await here.written()).toHaveLength(1);
    const other = world();
    other.state.away = true;
    await other.journal.tell(ann, 'ann', [out]);
    other.refused();
    await other.journal.stop();
    expect([await other.lost(), await other.written()]).toEqual([2, []]);
    other.refused();
    expect(await other.lost()).toBe(3);
  });

  test('ACJ-9 no more than a thousand entries wait for a log that is away', async () => {
    here.state.away = true;
    await Promise.all(Array.from({ length: 1003 }, () => here.journal.tell(ann, 'ann', [out])));
    expect(await here.lost()).toBe(3);
    here.state.away = false;
    await here.pass(5 * second, 0);
    await here.journal.stop();
    expect(await here.written()).toHaveLength(1000);
  });
});

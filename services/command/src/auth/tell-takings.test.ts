import { randomBytes } from 'node:crypto';
import { inMemoryCredentials } from '@zakup/credentials/in-memory';
import { EventStoreUnavailable, type EventStore } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { expect, test } from 'vitest';
import { testClock } from '../testing/test-clock.ts';
import { tellTakings } from './tell-takings.ts';

const second = 1_000;
const taking = { licenceId: '3f00', userId: 'ann', what: 'table', name: 'Весна', network: '203.0.113.0/24' };

/** A log in memory that can be away or closed for writing, and the second look of who tells it. */
const world = () => {
  const clock = testClock('2030-01-01T00:00:00.000Z');
  const log = inMemoryEventStore({ clock: clock.now });
  const credentials = inMemoryCredentials({ key: randomBytes(32), random: (count) => randomBytes(count) });
  const state = { away: false, readOnly: false };
  const append: EventStore['append'] = async (...asked) => {
    if (state.away) throw new EventStoreUnavailable('away');
    return log.append(...asked);
  };
  const warnings: string[] = [];
  const telling = tellTakings({
    credentials,
    eventStore: { append },
    keyNameOf: async () => ({}),
    log: { warn: (_about, message) => warnings.push(message) },
    now: clock.now,
    readOnly: () => (state.readOnly ? 'disk' : null),
    wait: clock.wait,
  });
  return {
    clock,
    credentials,
    state,
    warnings,
    telling,
    note: (more: Partial<typeof taking> = {}) => credentials.noteTaking({ ...taking, ...more }, clock.now()),
    async pass(milliseconds: number): Promise<void> {
      await clock.asleep();
      clock.advance(milliseconds);
      await clock.asleep();
    },
    written: () => log.read('access-3f00~ann'),
  };
};

test('ACE-1551 what was kept is in the log within a second, of the person and of when it was taken', async () => {
  const here = world();
  await here.note();
  await here.note({ what: 'key', name: '' });
  await here.note({ what: 'of a later version' });
  await here.pass(second);
  const events = await here.written();
  expect(events.map(({ type }) => type).toSorted()).toEqual(['DataTaken', 'LicenceKeyShown']);
  expect(events.find(({ type }) => type === 'DataTaken')).toMatchObject({
    data: { what: 'table', names: ['Весна'], count: 1, networks: ['203.0.113.0/24'] },
    metadata: { actorId: 'ann', source: 'screen', at: '2030-01-01T00:00:00.000Z' },
  });
  await here.telling.stop();
});

test('ACE-1552 a log that is away, or a disk without room, loses nothing: it is told later, once', async () => {
  const here = world();
  here.state.readOnly = true;
  await here.note();
  await here.pass(second);
  here.state.readOnly = false;
  here.state.away = true;
  await here.pass(second);
  expect(here.warnings).toHaveLength(1);
  here.state.away = false;
  await here.pass(30 * second);
  await here.pass(30 * second);
  expect(await here.written()).toMatchObject([{ type: 'DataTaken', metadata: { at: '2030-01-01T00:00:00.000Z' } }]);
  await here.telling.stop();
});

test('ACE-1553 what was kept just before the end is told at the end', async () => {
  const here = world();
  await here.clock.asleep();
  await here.note();
  await here.telling.stop();
  expect(await here.written()).toHaveLength(1);
});

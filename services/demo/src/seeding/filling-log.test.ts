import { setImmediate as turn } from 'node:timers/promises';
import { sampleEvent } from '@zakup/event-store/contract-suite';
import type { EventStore, SubscriptionMessage } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { expect, test } from 'vitest';
import { fillingLog, heldLog } from './filling-log.ts';

const append = (log: EventStore, events: number) =>
  log.append([
    {
      stream: 'placement-3f~1',
      expectedRevision: 'any',
      events: [sampleEvent('3f'), ...Array.from({ length: events - 1 }, () => sampleEvent('3f'))],
    },
  ]);

/** What a follower was given so far: positions of a batch, or where it has caught up. */
const followed = (log: EventStore, maxBatch: number) => {
  const given: (readonly number[] | number)[] = [];
  const stop = new AbortController();
  const told = (message: SubscriptionMessage) =>
    message.kind === 'events' ? message.events.map(({ position }) => position) : message.position;
  const ended = (async () => {
    for await (const message of log.subscribe({ after: 0, maxBatch, signal: stop.signal })) given.push(told(message));
  })();
  return {
    given,
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
};
const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns += 1) await turn();
};

test('DEMO-13 while a log is filled a follower is given full batches of whole appends and never caught up; then what is left, once, and all that comes', async () => {
  const log = inMemoryEventStore({ clock: () => 0 });
  let fill: () => void = () => undefined;
  const filled = new Promise<void>((resolve) => (fill = resolve));
  const { given, stop } = followed(fillingLog(log, filled), 5);
  await settled();
  expect(given).toEqual([]);
  for (const events of [2, 2, 2, 3]) {
    await append(log, events);
    await settled();
  }
  expect(given).toEqual([[1, 2, 3, 4]]);
  await append(log, 1);
  await settled();
  expect(given).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7, 8, 9],
  ]);
  fill();
  await settled();
  expect(given.slice(2)).toEqual([[10], 10]);
  await append(log, 1);
  await settled();
  expect(given.slice(4)).toEqual([[11]]);
  await stop();
});

test('DEMO-16 a held log gives nothing at first, then all that is in it and all that comes', async () => {
  const log = inMemoryEventStore({ clock: () => 0 });
  let fill: () => void = () => undefined;
  const filled = new Promise<void>((resolve) => (fill = resolve));
  const { given, stop } = followed(heldLog(log, filled), 5);
  await append(log, 5);
  await append(log, 2);
  await settled();
  expect(given).toEqual([]);
  fill();
  await settled();
  expect(given).toEqual([[1, 2, 3, 4, 5], [6, 7], 7]);
  await append(log, 1);
  await settled();
  expect(given.slice(3)).toEqual([[8]]);
  await stop();
});

test.each([fillingLog, heldLog])(
  'DEMO-14 a log whose filling failed is never caught up with, and who follows it can be stopped',
  async (following) => {
    const log = inMemoryEventStore({ clock: () => 0 });
    const filled = Promise.reject(new Error('The disk is gone'));
    filled.catch(() => undefined);
    const { given, stop } = followed(following(log, filled), 5);
    await append(log, 2);
    await settled();
    await stop();
    expect(given).toEqual([]);
  },
);

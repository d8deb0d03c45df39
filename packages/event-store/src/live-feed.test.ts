import { expect, test } from 'vitest';
import { sampleEvent } from './contract-suite.ts';
import type { RecordedEvent } from './event-store.ts';
import { type LogEntry, liveFeed } from './live-feed.ts';

const entry = (position: number, endsAppend = true): LogEntry => {
  const recordedAt = '2026-11-28T03:00:00.000Z';
  const event: RecordedEvent = {
    ...sampleEvent('3f'),
    stream: 'placement-3f~1',
    revision: position,
    position,
    recordedAt,
  };
  return { event, endsAppend };
};

test('REV-2857 an append behind the last published one is left alone over a gap too, and comes whole once it is published', async () => {
  const log = [entry(1), entry(2), entry(1_000), entry(1_001), entry(1_002, false), entry(1_003)];
  let published = 1_001;
  const feed = liveFeed({
    published: () => published,
    entries: (after, limit) => log.filter(({ event }) => event.position > after).slice(0, limit),
  });
  const stop = new AbortController();
  const told: number[] = [];
  const toldBefore: (readonly number[])[] = [];
  for await (const message of feed.subscribe({ after: 0, signal: stop.signal, maxBatch: 5 })) {
    if (message.kind === 'events') told.push(...message.events.map(({ position }) => position));
    if (published === 1_003 && told.at(-1) === published) stop.abort();
    if (message.kind === 'caught_up') {
      toldBefore.push([...told]);
      published = 1_003;
    }
  }
  expect(toldBefore[0]).toEqual([1, 2, 1_000, 1_001]);
  expect(told).toEqual([1, 2, 1_000, 1_001, 1_002, 1_003]);
});

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EventMetadata, RecordedEvent, StreamWrite } from '../event-store.ts';
import { commandLog } from './command-log.ts';
import { type CommandPlan, planEvents } from './command-plans.ts';
import { serverNames } from './names.ts';
import type { StreamReader } from './stream-reader.ts';
import { placed, type StreamWriter, takenWrite } from './stream-writer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const writeCount = 12;
const metadata = { schemaVersion: 1 } as EventMetadata;
const recorded = (stream: string, position: number, type: string, data: object): RecordedEvent =>
  ({ id: randomUUID(), stream, type, data, metadata, revision: 0, position }) as unknown as RecordedEvent;

/** A plan of another process, which makes one write every `pace` milliseconds, or none any more. */
const planOfAnother = (pace: number) => {
  const streams = Array.from({ length: writeCount }, (_, index) => `placement-licence~${index}` as const);
  const writes = streams.map((stream): StreamWrite => {
    const event = { id: randomUUID(), type: 'PlacementPaid', data: {}, metadata };
    return { stream, expectedRevision: 'no_stream', events: [event] } as unknown as StreamWrite;
  });
  const plan: CommandPlan = { id: randomUUID(), writes: writes.map((write) => placed(takenWrite(write), 'no_stream')) };
  const begun = Date.now();
  const helped: string[] = [];
  const reader = {
    read: () => {
      const events = planEvents(plan, metadata, randomUUID);
      return Promise.resolve(events.map(({ event }, index) => recorded('command-x', index, event.type, event.data)));
    },
  } as unknown as StreamReader;
  const writer = {
    find: ({ stream }: { stream: string }) => {
      const index = streams.findIndex((one) => one === stream);
      const isMade = helped.includes(stream) || Date.now() - begun >= (index + 1) * pace;
      const events = isMade ? [recorded(stream, index, 'PlacementPaid', {})] : [];
      return Promise.resolve({ events, state: isMade ? 'fulfilled' : 'open' });
    },
    carryOut: ({ stream }: { stream: string }, known?: { state: string }) => {
      if (known?.state !== 'fulfilled') helped.push(stream);
      return Promise.resolve({ kind: 'written', events: [] });
    },
  } as unknown as StreamWriter;
  const names = serverNames('t');
  const closing = new AbortController().signal;
  return { log: commandLog({ names, reader, writer, closing, chance: () => 0 }), helped };
};

test('EDB-14 whoever needs a plan leaves it to its maker as long as writes appear, however slow the machine is', async () => {
  const { log, helped } = planOfAnother(100);
  const read = log.read('key');
  await vi.advanceTimersByTimeAsync(writeCount * 100 + 200);
  expect(await read).toHaveLength(writeCount);
  expect(helped).toEqual([]);
});

test('EDB-15 and makes what is missing when for 150 to 300 ms no write has appeared', async () => {
  const { log, helped } = planOfAnother(Number.POSITIVE_INFINITY);
  const read = log.read('key');
  await vi.advanceTimersByTimeAsync(100);
  expect(helped).toEqual([]);
  await vi.advanceTimersByTimeAsync(400);
  expect(await read).toHaveLength(writeCount);
  expect(helped).toHaveLength(writeCount);
});

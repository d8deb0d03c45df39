import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EventStore } from './event-store.ts';
import { inMemoryEventStore } from './in-memory.ts';
import { sqliteEventStore } from './sqlite/sqlite-event-store.ts';
import { datedAhead, steadyClock } from './steady-clock.ts';

const start = Date.UTC(2026, 10, 21, 9);
const hour = 3_600_000;

/** A machine whose clock can be set. */
const machine = () => {
  let [passed, set] = [0, 0];
  const told: number[] = [];
  const clock = steadyClock({
    wall: () => start + passed + set,
    monotonic: () => 77 + passed,
    onAhead: (milliseconds) => told.push(milliseconds),
  });
  return {
    clock,
    told,
    pass: (milliseconds: number): void => void (passed += milliseconds),
    setForward: (milliseconds: number): void => void (set += milliseconds),
  };
};

test('CLK-1340 a clock that is set forward is held five seconds ahead at most, and that is told once', () => {
  const { clock, told, pass, setForward } = machine();
  pass(1_000);
  expect(clock()).toBe(start + 1_000);
  setForward(3_000);
  expect([clock(), told]).toEqual([start + 4_000, []]);
  setForward(hour);
  expect([clock(), clock(), told]).toEqual([start + 6_000, start + 6_000, [hour + 3_000]]);
  pass(2_000);
  expect([clock(), told.length]).toEqual([start + 8_000, 1]);
  // Set right again.
  setForward(-hour - 3_000);
  pass(10_000);
  expect(clock()).toBe(start + 13_000);
  setForward(2 * hour);
  expect([clock(), told.length]).toEqual([start + 18_000, 2]);
});

test('TAT-3052 a clock that is set back stands still until it says more again', () => {
  const { clock, pass, setForward } = machine();
  pass(2 * hour);
  expect(clock()).toBe(start + 2 * hour);
  setForward(-hour);
  expect(clock()).toBe(start + 2 * hour);
  pass(hour);
  expect(clock()).toBe(start + 2 * hour);
  pass(1);
  expect(clock()).toBe(start + 2 * hour + 1);
});

const append = async (store: EventStore, number: number): Promise<number> => {
  const stream = `placement-3f1~${number}`;
  const metadata = {
    licenceId: '3f1',
    actorId: 'user',
    source: 'screen',
    commandId: `10000000-0000-4000-8000-00000000000${number}`,
    requestHash: '',
    at: new Date(start).toISOString(),
    schemaVersion: 1,
  } as const;
  const id = `00000000-0000-4000-8000-00000000000${number}`;
  await store.append([{ stream, expectedRevision: 'any', events: [{ id, type: 'Happened', data: {}, metadata }] }]);
  const [event] = await store.read(stream);
  return Date.parse(event?.recordedAt ?? '') - start;
};

test('CLK-1341 one jump of the clock forward does not date the events that follow it ahead, once it is set right', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zakup-clock-'));
  const { clock, pass, setForward } = machine();
  const store = await sqliteEventStore({ file: join(folder, 'events.db'), clock });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  expect(await append(store, 1)).toBe(0);
  setForward(hour);
  pass(1_000);
  expect(await append(store, 2)).toBe(6_000);
  setForward(-hour);
  pass(10_000);
  expect(await append(store, 3)).toBe(11_000);
});

test('CLK-1344 at the start the clock is held against the last event: one that is dated ahead of it is told', async () => {
  const store = inMemoryEventStore({ clock: () => start });
  expect(await datedAhead(store, start)).toBe(0);
  await append(store, 1);
  await append(store, 2);
  expect([await datedAhead(store, start + hour), await datedAhead(store, start - hour)]).toEqual([0, hour]);
});

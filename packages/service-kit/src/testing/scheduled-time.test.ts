import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { scheduledTime } from './scheduled-time.ts';

/** Waits without computing, as a process does that another one keeps from the processor. */
const starve = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

test('RUN-7 time without a turn of the process is not counted, what it computes is', () => {
  const starved = scheduledTime();
  starve(300);
  expect(starved.stop()).toBeLessThan(150);
  const computing = scheduledTime();
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 50_000);
  expect(computing.stop()).toBeGreaterThanOrEqual(40);
});

test('RUN-8 time with turns is counted', async () => {
  const waiting = scheduledTime();
  // However long they take, each is a turn.
  for (let turn = 0; turn < 20; turn += 1) await pause(5);
  expect(waiting.stop()).toBeGreaterThanOrEqual(80);
});

import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { threadsAreTold, watchedTurns } from './held-turns.ts';

/** Spends so much processor time at a stretch, however long that takes. */
const spend = (milliseconds: number): void => {
  const from = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(from);
    if ((user + system) / 1000 >= milliseconds) return;
  }
};

describe('the watch of turns', () => {
  test('LIM-1378 counts what a turn spends', async () => {
    const turns = watchedTurns();
    await new Promise(setImmediate);
    spend(100);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(turns.stop()).toBeGreaterThan(90);
  });

  test.runIf(threadsAreTold)('LIM-1379 counts nothing of what another thread spends meanwhile', async () => {
    const program = `
      const { parentPort } = require('node:worker_threads');
      const from = process.cpuUsage();
      for (;;) {
        const { user, system } = process.cpuUsage(from);
        if (user + system >= 200_000) break;
      }
      parentPort.postMessage('done');`;
    const other = new Worker(program, { eval: true });
    await new Promise((resolve) => other.once('online', resolve));
    const turns = watchedTurns();
    // Held at a stretch, without spending anything.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
    await new Promise((resolve) => other.once('message', resolve));
    expect(turns.stop()).toBeLessThan(50);
    await other.terminate();
  });
});

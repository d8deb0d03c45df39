import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { report, type Slice } from './world/figure.ts';
import { liveWorld, watchers } from './world/live-world.ts';

// P14: what 500 watching clients take of the server's memory, beside as many connections of a bare `ws` server.

const sliceCount = 5;

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

const world = await liveWorld();
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));

/** Bytes in use once garbage is gone. */
const used = async (): Promise<number> => {
  // What is kept for a second after a load goes too.
  for (let round = 0; round < 6; round += 1) {
    await turn();
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const goneDownTo = async (count: number): Promise<void> => {
  while (world.open() > count) await turn();
};

await world.lines('ours', false);
await world.lines('beside', false);
// The relay's sender stays.
await goneDownTo(1);
const perClient = async (target: 'ours' | 'beside'): Promise<number> => {
  const before = await used();
  await world.lines(target, true);
  const after = await used();
  await world.lines(target, false);
  await goneDownTo(1);
  return (after - before) / watchers / 1024;
};
await perClient('ours');
await perClient('beside');
const slices: Slice[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  const ours = await perClient('ours');
  slices.push({ ours, beside: await perClient('beside') });
}
report([{ row: 'P14', kind: 'time', unit: 'KiB', slices }]);
await world.close();
process.exit(0);

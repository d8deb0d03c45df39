import { report, type Slice } from './world/figure.ts';
import { liveWorld } from './world/live-world.ts';
import { quantile } from './world/statistics.ts';

// R11: how long the others wait while one of 500 clients takes nothing, beside the same while all take what comes; and how soon 500
// clients whose lines went together are where they were.

const sliceCount = 5;
const perSlice = 60;
const every = 50;

const world = await liveWorld();
await world.send('ours', 20, every);
const stalled: Slice[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  await world.stall(true);
  const ours = quantile((await world.send('ours', perSlice, every)).times, 0.99);
  await world.stall(false);
  stalled.push({ ours, beside: quantile((await world.send('ours', perSlice, every)).times, 0.99) });
}
const back: Slice[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  await world.lines('ours', false);
  await world.send('ours', 20, every);
  const ours = await world.lines('ours', true);
  await world.lines('beside', false);
  back.push({ ours, beside: await world.lines('beside', true) });
}
report([
  { row: 'R11 stalled', kind: 'time', unit: 'ms', slices: stalled },
  { row: 'R11 back', kind: 'time', unit: 'ms', slices: back },
]);
await world.close();
process.exit(0);

import { report, type Slice } from './world/figure.ts';
import { liveWorld } from './world/live-world.ts';
import { quantile } from './world/statistics.ts';

// P3: from sending a command to its change in the store of every one of 500 other clients, 20 commands a second, beside a bare `ws`
// relay of the command to the same number, without disk and fold.

const sliceCount = 5;
const perSlice = 40;
const every = 50;

const world = await liveWorld();
await world.send('ours', 20, every);
await world.send('beside', 20, every);
const p50: Slice[] = [];
const p99: Slice[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  const { times: our } = await world.send('ours', perSlice, every);
  const { times: beside } = await world.send('beside', perSlice, every);
  p50.push({ ours: quantile(our, 0.5), beside: quantile(beside, 0.5) });
  p99.push({ ours: quantile(our, 0.99), beside: quantile(beside, 0.99) });
}
report([
  { row: 'P3 p50', kind: 'time', unit: 'ms', slices: p50 },
  { row: 'P3 p99', kind: 'time', unit: 'ms', slices: p99 },
]);
await world.close();
process.exit(0);

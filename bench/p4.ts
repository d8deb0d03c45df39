import { report, type Slice } from './world/figure.ts';
import { liveWorld } from './world/live-world.ts';
import { quantile } from './world/statistics.ts';

// P4: a burst of 500 commands a second on one campaign that 500 clients watch, beside a bare `ws` relay of every command to each of them.

const sliceCount = 5;
const perSlice = 500;
const every = 2;

const world = await liveWorld();
await world.send('ours', 100, every);
await world.send('beside', 100, every);
const p99: Slice[] = [];
const bytes: Slice[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  const our = await world.send('ours', perSlice, every);
  const beside = await world.send('beside', perSlice, every);
  p99.push({ ours: quantile(our.times, 0.99), beside: quantile(beside.times, 0.99) });
  bytes.push({ ours: our.bytes / 2 ** 20, beside: beside.bytes / 2 ** 20 });
}
report([
  { row: 'P4 p99', kind: 'time', unit: 'ms', slices: p99 },
  { row: 'P4 bytes', kind: 'time', unit: 'MiB', slices: bytes },
]);
await world.close();
process.exit(0);

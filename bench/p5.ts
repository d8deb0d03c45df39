import { report, type Slice } from './world/figure.ts';
import { liveWorld, watchers } from './world/live-world.ts';

// P5: how many changes a second reach clients, 500 of them, when the next command is sent as soon as one has reached all.

const sliceCount = 5;
const milliseconds = 2_000;

const world = await liveWorld();
await world.flow('ours', milliseconds);
await world.flow('beside', milliseconds);
const slices: Slice[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  const ours = (await world.flow('ours', milliseconds)) * watchers;
  slices.push({ ours, beside: (await world.flow('beside', milliseconds)) * watchers });
}
report([{ row: 'P5', kind: 'rate', unit: 'deliveries/s', slices }]);
await world.close();
process.exit(0);

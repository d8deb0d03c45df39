import { report, type Slice } from './world/figure.ts';
import { httpWorld } from './world/http-world.ts';

// P1b: P1a over HTTP keep-alive with verified tokens, beside a bare Express route with the same parser and the same group commit.

const sliceCount = 7;
const sliceMs = 700;

const world = await httpWorld();
// A server that has served for a while: Node compiles hot code only by and by.
await world.load.rate('ours', 5000);
await world.load.rate('beside', 2000);
const slices: Slice[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  slices.push({ ours: await world.load.rate('ours', sliceMs), beside: await world.load.rate('beside', sliceMs) });
}
report([{ row: 'P1b', kind: 'rate', unit: 'commands/s', slices }]);
await world.close();

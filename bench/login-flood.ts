import { report, type Slice } from './world/figure.ts';
import { httpWorld } from './world/http-world.ts';

// R10: commands while a flood of guesses arrives at the sign-in, beside the same commands without it.

const sliceCount = 7;
const perSlice = 200;
const atOnce = 64;

const world = await httpWorld();
// A server that has served for a while: Node compiles hot code only by and by.
await world.load.rate('ours', 5000);
await world.load.loneP99(300);
await world.load.flood(atOnce);
await world.load.loneP99(100);
await world.load.flood(0);

const slices: Slice[] = [];
let guesses = 0;
let milliseconds = 0;
for (let index = 0; index < sliceCount; index += 1) {
  const beside = await world.load.loneP99(perSlice);
  await world.load.flood(atOnce);
  const began = performance.now();
  const ours = await world.load.loneP99(perSlice);
  milliseconds += performance.now() - began;
  guesses += await world.load.flood(0);
  slices.push({ ours, beside });
}
report([{ row: 'R10 p99', kind: 'time', unit: 'ms', slices }], {
  guessesPerSecond: Math.round((guesses / milliseconds) * 1000),
});
await world.close();

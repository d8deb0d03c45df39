import { report, type Slice } from './world/figure.ts';
import { httpWorld } from './world/http-world.ts';
import { median } from './world/statistics.ts';

// P2: one lone command over HTTP, p50 to its acknowledgement, beside one FULL commit of its rows plus one bare `ws` echo.

const sliceCount = 9;
const perSlice = 150;

const world = await httpWorld();
// A server that has served for a while: Node compiles hot code only by and by.
await world.load.rate('ours', 5000);
await world.load.lone('ours', 500);
await world.load.lone('echo', 1000);
const payloads = world.newestPayloads(64);
const commitP50 = async (): Promise<number> => {
  const { transactions } = await world.bare.loop({ milliseconds: 60, size: 1, payloads });
  return median(transactions);
};
await commitP50();

const slices: Slice[] = [];
const commits: number[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  const ours = await world.load.lone('ours', perSlice);
  const echo = await world.load.lone('echo', perSlice);
  const commit = await commitP50();
  commits.push(commit);
  slices.push({ ours, beside: echo + commit });
}
report([{ row: 'P2', kind: 'time', unit: 'ms', slices }], { commitMs: median(commits) });
await world.close();

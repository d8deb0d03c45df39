import { placementRoutes } from '@zakup/command/placement/placement.routes';
import { join } from 'node:path';
import { bareWriter } from './bare/bare-writer.ts';
import { commandWorld } from './world/command-world.ts';
import { report, type Slice } from './world/figure.ts';
import { parsedRequests } from './world/parsed-request.ts';
import { placementRequests } from './world/placement-requests.ts';
import { median } from './world/statistics.ts';

// P1a: durable commands per second of 64 callers, from the parsed request to the answer, beside a loop of 64-row transactions.

const sliceCount = 7;
const sliceMs = 600;
const rowsPerTransaction = 64;

const world = await commandWorld();
const bare = await bareWriter(join(world.folder, 'bare.db'));
// Token signatures belong to P1b: here the caller's session is named directly and looked up like every other.
const send = parsedRequests(
  placementRoutes({
    ...world.deps,
    tokens: {
      ...world.deps.tokens,
      verify: ((token: string) => {
        const caller = world.callers[Number(token.slice(4))];
        return caller === undefined
          ? { kind: 'invalid' }
          : { kind: 'valid', claims: { sub: caller.userId, sid: caller.sessionId } };
      }) as typeof world.deps.tokens.verify,
    },
  }),
);

const ours = async (milliseconds: number): Promise<number> => {
  const began = performance.now();
  let count = 0;
  await Promise.all(
    world.callers.map(async ({ userId }, index) => {
      const next = placementRequests(world.licence, userId, index * 1000);
      let placementId: string | null = null;
      while (performance.now() - began < milliseconds) {
        const reply = await send(next(placementId), `Bearer a.b.${index}`);
        placementId = placementId === null ? reply.data.placement.id : null;
        count += 1;
      }
    }),
  );
  return count / (performance.now() - began);
};

// A server that has served for a while: Node compiles hot code only by and by.
await ours(4000);
const payloads = world.newestPayloads(rowsPerTransaction);
const beside = async (milliseconds: number): Promise<number> => {
  const looped = await bare.loop({ milliseconds, size: rowsPerTransaction, payloads });
  return looped.rows / looped.milliseconds;
};
await beside(300);

const slices: Slice[] = [];
const spent: number[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  const before = process.cpuUsage();
  const perMs = await ours(sliceMs);
  const { user, system } = process.cpuUsage(before);
  spent.push((user + system) / (perMs * sliceMs));
  slices.push({ ours: perMs * 1000, beside: (await beside(sliceMs)) * 1000 });
}
report([{ row: 'P1a', kind: 'rate', unit: 'commands/s', slices }], { cpuMicrosecondsPerCommand: median(spent) });
await bare.close();
await world.close();

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { declaredFields } from '@zakup/contracts/read-models';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { inProcessLeases } from '@zakup/projector/in-process-leases';
import { leasedProjector } from '@zakup/projector/leased-projector';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import type { Commit } from '@zakup/read-store/read-store';
import { report, type Slice } from './world/figure.ts';
import { placementLives } from './world/long-log.ts';
import { quantile } from './world/statistics.ts';

// P7: from the moment that an event is durable until its read models are committed, at 5,000 events a second, beside the time that the
// commits themselves take. Projector, self-check and log share one process.

const perSecond = 5_000;
const every = 20;
const sliceMs = 2_000;
const sliceCount = 5;

const folder = await mkdtemp(join(tmpdir(), 'bench-p7-'));
const eventStore = await sqliteEventStore({ file: join(folder, 'events.db'), clock: Date.now });
const stored = sqliteReadStore({ file: join(folder, 'read-models.db'), declared: declaredFields });
const lives = await placementLives(eventStore);

let commits: number[] = [];
/** Appends that are durable and not yet in the read models: their last position and when they were durable. */
let waiting: { readonly position: number; readonly since: number; readonly events: number }[] = [];
let lags: number[] = [];
const readStore = {
  ...stored,
  commit: async (commit: Commit) => {
    const began = performance.now();
    const result = await stored.commit(commit);
    const done = performance.now();
    if (commit.docs.length > 0) commits.push(done - began);
    const { position } = commit.checkpoint;
    for (const { since, events } of waiting.filter((one) => one.position <= position))
      for (let event = 0; event < events; event += 1) lags.push(done - since);
    waiting = waiting.filter((one) => one.position > position);
    return result;
  },
};
const projector = leasedProjector({
  eventStore,
  readStore,
  leases: inProcessLeases({ fence: 1 }),
  partition: 'all',
  now: Date.now,
});
await projector.caughtUp;

/** Appends at the rate for a while, and waits until all of it is in the read models. */
const slice = async (): Promise<Slice> => {
  [commits, lags] = [[], []];
  const began = performance.now();
  const appends: Promise<unknown>[] = [];
  for (let sent = 0; performance.now() - began < sliceMs; ) {
    const due = Math.floor(((performance.now() - began) / 1_000) * perSecond);
    while (sent < due) {
      const writes = lives.next(4);
      const events = writes.reduce((sum, write) => sum + write.events.length, 0);
      sent += events;
      appends.push(
        (async () => {
          const result = await eventStore.append(writes);
          if (result.kind !== 'appended') throw new Error(`An append ended as ${result.kind}`);
          waiting.push({ position: result.position, since: performance.now(), events });
        })(),
      );
    }
    await delay(every / 4);
  }
  await Promise.all(appends);
  const head = await eventStore.head();
  while (((await stored.checkpoint('all'))?.position ?? 0) < head) await delay(every);
  return { ours: quantile(lags, 0.99), beside: quantile(commits, 0.99) };
};

await slice();
const slices: Slice[] = [];
for (let index = 0; index < sliceCount; index += 1) slices.push(await slice());
report([{ row: 'P7 p99', kind: 'time', unit: 'ms', slices }], { perSecond });
await projector.stop();
await stored.close();
await eventStore.close();
await rm(folder, { recursive: true, force: true });
process.exit(0);

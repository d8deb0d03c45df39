import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { noticeNames, type RebuildNotice } from '@zakup/contracts/notices';
import { positionCount } from '@zakup/event-store/sqlite/skipped-positions';
import type { Parked } from '@zakup/projections/projection-runner';
import { rebuildAll } from '@zakup/projector/rebuild';
import type { Lease } from '@zakup/read-store/leases';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import type { Stores } from '../stores.ts';
import { asProjector, soon, type ToolOptions, withStores } from '../tools/with-stores.ts';
import { progressText } from './progress.ts';

export type RebuildOptions = ToolOptions;

export interface Rebuilt {
  /** Folded this time: what an attempt that was broken off had folded is not among them. */
  readonly events: number;
  /** Everything up to here is in the read models. */
  readonly position: number;
  readonly milliseconds: number;
}

const askedText = 'Модели чтения ведёт запущенный процесс: он и соберёт их заново, рядом с прежними.';

/**
 * Folds all read models anew beside those that are read, where the settings say that they lie, and tells how far it is. Under the projector's
 * lease, or by the process that has it. Throws `DataDirInUse` when a process holds the data folder, `LeaseLost` or `ProjectorEnded` when it is
 * broken off.
 */
export const rebuildStores = (options: RebuildOptions): Promise<Rebuilt> =>
  withStores(options, (stores) =>
    asProjector(
      stores,
      options.signal,
      (lease) => folded(stores, lease, options),
      () => askedFor(stores, options),
    ),
  );

const folded = async (
  { eventStore, readStore }: Stores,
  { fence, lost }: Lease,
  { log, print, signal }: RebuildOptions,
): Promise<Rebuilt> => {
  const head = await eventStore.head();
  const counted = eventStore.atomicAcrossStreams ? await positionCount(eventStore) : (place: number): number => place;
  const began = performance.now();
  let events = 0;
  let from = 0;
  const progress = (position: number, elapsed: number): string =>
    progressText({ events, from: counted(from), position: counted(position), head: counted(head), elapsed });
  let said = began;
  const position = await rebuildAll({
    eventStore,
    readStore,
    partition: allPartitions,
    fence,
    now: Date.now,
    signal: AbortSignal.any([signal, lost]),
    onParked: (parked: Parked) => log.error({ ...parked }, 'A licence is parked: this version cannot fold its events'),
    onBegin: (begun) => {
      from = begun;
      if (from > 0) print(`Продолжаю прерванную сборку с позиции ${from}`);
    },
    onBatch: (batch) => {
      events += batch.events;
      const now = performance.now();
      if (now - said < soon) return;
      said = now;
      print(progress(batch.position, now - began));
    },
  });
  const elapsed = performance.now() - began;
  print(progress(position, elapsed));
  return { events, position, milliseconds: elapsed };
};

/** Asks whoever projects, and tells how far it is until it is done. */
const askedFor = async ({ readStore }: Stores, { print, signal }: RebuildOptions): Promise<Rebuilt | null> => {
  print(askedText);
  const id = randomUUID();
  const began = performance.now();
  await readStore.note(noticeNames.rebuildRequest, { id, at: Date.now() });
  for (;;) {
    await delay(soon, undefined, { signal });
    const notice = (await readStore.notice(noticeNames.rebuild)) as RebuildNotice | null;
    if (notice === null || notice.request !== id) continue;
    const { startedAt, finishedAt, events, from, position, head } = notice;
    print(progressText({ events, from, position, head, elapsed: (finishedAt ?? Date.now()) - startedAt }));
    if (finishedAt !== null) return { events, position, milliseconds: performance.now() - began };
  }
};

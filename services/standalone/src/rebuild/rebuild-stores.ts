import { projectorLease } from '@zakup/projector/leased-projector';
import type { Parked } from '@zakup/projections/projection';
import { rebuildAll } from '@zakup/projector/rebuild';
import type { Lease } from '@zakup/read-store/leases';
import type { Config } from '@zakup/service-kit/config';
import { readiness } from '@zakup/service-kit/health';
import type { Log } from '@zakup/service-kit/log';
import { appMetrics } from '@zakup/service-kit/metrics';
import { opening, StoppedOpening } from '@zakup/service-kit/opening';
import type { ShutdownStep } from '@zakup/service-kit/shutdown';
import { wholeLog } from '@zakup/service-kit/stores/whole-log';
import { findPlaces, openStores, type Stores } from '../stores.ts';
import { progressText } from './progress.ts';

export interface RebuildOptions {
  readonly config: Config;
  readonly log: Log;
  /** Writes a line for the operator. */
  readonly print: (text: string) => void;
  /** Breaks it off; whatever projects next goes on from there. */
  readonly signal: AbortSignal;
}

export interface Rebuilt {
  readonly events: number;
  /** Everything up to here is in the read models. */
  readonly position: number;
  readonly milliseconds: number;
}

/** Milliseconds after which a lease that is not had yet is somebody else's, and between two lines of progress. */
const soon = 1_500;

const waitingText =
  'Модели чтения ведёт запущенный процесс. Остановите службу projector (или npm start), и сборка начнётся: жду…';

const acquired = async (
  { leases }: Stores,
  { print, signal }: Pick<RebuildOptions, 'print' | 'signal'>,
): Promise<Lease> => {
  const timer = setTimeout(() => print(waitingText), soon);
  try {
    const lease = await leases.acquire(projectorLease, signal);
    if (lease === null) throw new StoppedOpening('Told to stop while waiting for the lease');
    return lease;
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Folds all read models anew, where the settings say that they lie, and tells how far it is. Under the projector's lease: waits for who
 * has it. Throws `DataDirRefused` when a process holds the data folder, `LeaseLost` or `ProjectorEnded` when it is broken off.
 */
export const rebuildStores = async ({ config, log, print, signal }: RebuildOptions): Promise<Rebuilt> => {
  const places = await findPlaces(config, { use: 'either' });
  const atEnd: ShutdownStep[] =
    places.dataDir === null ? [] : [{ name: 'data folder', run: () => places.dataDir?.close() }];
  const whenThere = opening({ readiness: readiness({}), log, signal });
  const opened = async <Store extends { close(): Promise<void> }>(
    server: Parameters<typeof whenThere>[0],
    open: () => Promise<Store>,
  ): Promise<Store> => {
    const store = await whenThere(server, open);
    atEnd.push({ name: server.setting, run: () => store.close() });
    return store;
  };

  try {
    const context = { config, log, metrics: appMetrics(), whenThere, opened };
    const stores = await openStores({ ...context, atEnd: (step) => void atEnd.push(step) }, places);
    const lease = await acquired(stores, { print, signal });
    try {
      return await folded(stores, lease, { log, print, signal });
    } finally {
      await lease.release();
    }
  } finally {
    for (const { run } of atEnd.toReversed()) await run(signal);
  }
};

const folded = async (
  { eventStore, readStore }: Stores,
  { fence, lost }: Lease,
  { log, print, signal }: Pick<RebuildOptions, 'log' | 'print' | 'signal'>,
): Promise<Rebuilt> => {
  const head = await eventStore.head();
  const began = performance.now();
  let events = 0;
  let said = began;
  const position = await rebuildAll({
    eventStore,
    readStore,
    partition: wholeLog,
    fence,
    now: Date.now,
    signal: AbortSignal.any([signal, lost]),
    onParked: (parked: Parked) => log.error({ ...parked }, 'A licence is parked: this version cannot fold its events'),
    onBatch: (batch) => {
      events += batch.events;
      const now = performance.now();
      if (now - said < soon) return;
      said = now;
      print(progressText({ events, position: batch.position, head, elapsed: now - began }));
    },
  });
  const elapsed = performance.now() - began;
  print(progressText({ events, position, head, elapsed }));
  return { events, position, milliseconds: elapsed };
};

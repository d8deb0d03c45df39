import { projectorLease } from '@zakup/projector/leased-projector';
import type { Lease } from '@zakup/read-store/leases';
import type { Config } from '@zakup/service-kit/config';
import { readiness } from '@zakup/service-kit/health';
import type { Log } from '@zakup/service-kit/log';
import { appMetrics } from '@zakup/service-kit/metrics';
import { opening, StoppedOpening } from '@zakup/service-kit/opening';
import type { ShutdownStep } from '@zakup/service-kit/shutdown';
import { findPlaces, type OpenOptions, openStores, type Stores } from '../stores.ts';

/** What a tool of the command line works with. */
export interface ToolOptions {
  readonly config: Config;
  readonly log: Log;
  /** Writes a line for the operator. */
  readonly print: (text: string) => void;
  /** Breaks it off. */
  readonly signal: AbortSignal;
}

/** Milliseconds after which a lease that is not had yet is somebody else's, and between two lines of progress. */
export const soon = 1_500;

/**
 * Opens the stores where the settings say that they lie, waiting for servers that are away, and closes them after the work. Throws
 * `DataDirInUse` when a process holds the data folder.
 */
export const withStores = async <Result>(
  { config, log, signal }: Omit<ToolOptions, 'print'>,
  work: (stores: Stores) => Promise<Result>,
  opens: OpenOptions = {},
): Promise<Result> => {
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
    return await work(await openStores({ ...context, atEnd: (step) => void atEnd.push(step) }, places, opens));
  } finally {
    for (const { run } of atEnd.toReversed()) await run(signal);
  }
};

/**
 * Works as the one who projects. While another process does, `busy` is told so once and may answer in its place; null = go on waiting.
 * Throws `StoppedOpening` when the signal aborts while it waits.
 */
export const asProjector = async <Result>(
  { leases }: Pick<Stores, 'leases'>,
  signal: AbortSignal,
  work: (lease: Lease) => Promise<Result>,
  busy: () => Promise<Result | null>,
): Promise<Result> => {
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), soon);
  let lease = await leases.acquire(projectorLease, AbortSignal.any([signal, enough.signal]));
  clearTimeout(timer);
  if (lease === null && !signal.aborted) {
    const answered = await busy();
    if (answered !== null) return answered;
    lease = await leases.acquire(projectorLease, signal);
  }
  if (lease === null) throw new StoppedOpening('Told to stop while waiting for the lease');
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
};

import { Worker } from 'node:worker_threads';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { ServiceContext } from '@zakup/service-kit/service';
import { workerLine } from '@zakup/service-kit/threads/worker-line';
import type { FromThread } from './messages.ts';
import type { ReadingThread } from './reading-thread.ts';
import { readingThreadClient } from './reading-thread-client.ts';

/** Milliseconds that the thread has to end by itself. */
const patience = 2_000;

export interface ReadingWorkerOptions {
  /** As `workerScript` tells it. */
  readonly script: URL;
  readonly workerData: object;
  /** Keeps the notes of a thread that only reads. */
  readonly readStore: Pick<ReadStore, 'note'>;
  /** Told of each worker, for tests that have it end. */
  readonly onWorker?: ((worker: Worker) => void) | undefined;
}

/** A worker thread that makes costly answers, as far as the process that asks knows it; closed when the process stops. */
export const startReadingWorker = (
  { log, metrics, atEnd }: Pick<ServiceContext, 'log' | 'metrics' | 'atEnd'>,
  { script, workerData, readStore, onWorker = () => undefined }: ReadingWorkerOptions,
): ReadingThread => {
  const thread = readingThreadClient({
    log,
    note: (name, data) => readStore.note(name, data),
    onEnded: () => metrics.readingThreadEnds.inc(),
    now: () => performance.now(),
    start(heard, over) {
      const worker = new Worker(script, { workerData, execArgv: [] });
      onWorker(worker);
      return workerLine<FromThread>(worker, { heard, over, patience });
    },
  });
  atEnd({ name: 'reading thread', run: () => thread.close() });
  return thread;
};

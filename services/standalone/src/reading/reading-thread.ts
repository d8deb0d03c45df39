import { Worker } from 'node:worker_threads';
import { readingThreadClient } from '@zakup/gateway/reading-thread/reading-thread-client';
import type { FromThread } from '@zakup/gateway/reading-thread/messages';
import type { ReadingThread } from '@zakup/gateway/reading-thread/reading-thread';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { ServiceContext } from '@zakup/service-kit/service';
import { workerLine } from '@zakup/service-kit/threads/worker-line';
import { workerScript } from '@zakup/service-kit/threads/worker-script';
import type { ReadingData } from './reading-data.ts';

/** Milliseconds that the thread has to end by itself. */
const patience = 2_000;

/** A thread that makes costly answers from the embedded stores, which this process has opened. */
export const readingThread = (
  { log, metrics, config, atEnd }: Pick<ServiceContext, 'log' | 'metrics' | 'config' | 'atEnd'>,
  {
    readStore,
    ...given
  }: Pick<ReadingData, 'files' | 'accessCodesKey'> & { readonly readStore: Pick<ReadStore, 'note'> },
): ReadingThread => {
  const workerData: ReadingData = { ...given, logLevel: config.logLevel };
  const thread = readingThreadClient({
    log,
    note: (name, data) => readStore.note(name, data),
    onEnded: () => metrics.readingThreadEnds.inc(),
    start(heard, over) {
      const worker = new Worker(workerScript(import.meta.url, 'reading'), { workerData, execArgv: [] });
      return workerLine<FromThread>(worker, { heard, over, patience });
    },
  });
  atEnd({ name: 'reading thread', run: () => thread.close() });
  return thread;
};

import { Worker } from 'node:worker_threads';
import { readingThreadClient } from '@zakup/gateway/reading-thread/reading-thread-client';
import type { FromThread } from '@zakup/gateway/reading-thread/messages';
import type { ReadingThread } from '@zakup/gateway/reading-thread/reading-thread';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { ServiceContext } from '@zakup/service-kit/service';
import { workerLine } from '../worker-line.ts';
import type { ReadingData } from './reading-data.ts';

/** Built code runs as it is, source by Node's own stripping of types or through a loader. */
const workerScript = (): string => {
  if (!import.meta.url.endsWith('.ts')) return './reading-worker.js';
  const stripsTypes = 'typescript' in process.features && process.features.typescript !== false;
  return stripsTypes ? './reading-worker.ts' : './reading-boot.mjs';
};

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
      const worker = new Worker(new URL(workerScript(), import.meta.url), { workerData, execArgv: [] });
      return workerLine<FromThread>(worker, { heard, over, patience });
    },
  });
  atEnd({ name: 'reading thread', run: () => thread.close() });
  return thread;
};

import type { ServiceContext } from '@zakup/service-kit/service';
import { workerScript } from '@zakup/service-kit/threads/worker-script';
import type { ReadingThread } from './reading-thread.ts';
import type { ServersReadingData } from './servers-data.ts';
import { type ReadingWorkerOptions, startReadingWorker } from './start-reading-worker.ts';

export interface ServersReadingOptions extends Pick<ReadingWorkerOptions, 'readStore' | 'onWorker'> {
  readonly servers: Pick<ServersReadingData, 'eventStore' | 'readStore'>;
  /** 32 bytes. */
  readonly accessCodesKey: Uint8Array;
}

/** A thread that makes costly answers from stores on servers. It starts, and connects, with the first question. */
export const serversReadingThread = (
  context: Pick<ServiceContext, 'log' | 'metrics' | 'config' | 'atEnd'>,
  { servers, accessCodesKey, readStore, onWorker }: ServersReadingOptions,
): ReadingThread => {
  const { eventStoreDbNamespace, logLevel } = context.config;
  const workerData: ServersReadingData = { ...servers, eventStoreDbNamespace, accessCodesKey, logLevel };
  const script = workerScript(import.meta.url, 'servers-reading');
  return startReadingWorker(context, { script, workerData, readStore, onWorker });
};

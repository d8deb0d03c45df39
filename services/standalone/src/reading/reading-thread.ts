import type { ReadingThread } from '@zakup/gateway/reading-thread/reading-thread';
import { startReadingWorker } from '@zakup/gateway/reading-thread/start-reading-worker';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { ServiceContext } from '@zakup/service-kit/service';
import { workerScript } from '@zakup/service-kit/threads/worker-script';
import type { ReadingData } from './reading-data.ts';

/** A thread that makes costly answers from the embedded stores, which this process has opened. */
export const readingThread = (
  context: Pick<ServiceContext, 'log' | 'metrics' | 'config' | 'atEnd'>,
  {
    readStore,
    ...given
  }: Pick<ReadingData, 'files' | 'accessCodesKey'> & { readonly readStore: Pick<ReadStore, 'note'> },
): ReadingThread => {
  const workerData: ReadingData = { ...given, logLevel: context.config.logLevel };
  return startReadingWorker(context, { script: workerScript(import.meta.url, 'reading'), workerData, readStore });
};

import type { MessagePort } from 'node:worker_threads';
import type { FromThread, ToThread } from './messages.ts';
import { readingThreadDeps } from './reading-thread-deps.ts';
import { readingThreadServer } from './reading-thread-server.ts';
import { ReadingThreadUnavailable } from './reading-thread.ts';

/** What answers are made from, opened by the thread that makes them. */
export interface OpenedForReading {
  readonly deps: Parameters<typeof readingThreadDeps>[0];
  close(): Promise<unknown>;
}

interface Serving extends Pick<OpenedForReading, 'close'> {
  readonly server: ReturnType<typeof readingThreadServer>;
}

/**
 * The worker's end of the line: opens what it answers from with the first question, and again with the next one where that failed, whose
 * asker is told to come again. Told to close, it gives up what goes on, closes what it has opened, and the port.
 */
export const serveReading = (port: MessagePort | null, open: () => Promise<OpenedForReading>): void => {
  if (port === null) throw new Error('Costly answers are made in a worker thread');
  const say = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer);
  let serving: Promise<Serving> | null = null;

  const opened = async (): Promise<Serving> => {
    try {
      const stores = await open();
      return { server: readingThreadServer(readingThreadDeps(stores.deps), say), close: () => stores.close() };
    } catch (error) {
      serving = null;
      throw error;
    }
  };

  const take = async (message: Exclude<ToThread, { kind: 'close' }>): Promise<void> => {
    if (message.kind === 'ask') serving ??= opened();
    try {
      (await serving)?.server.take(message);
    } catch (error) {
      if (message.kind !== 'ask') return;
      const { message: reason, stack } = error instanceof Error ? error : new Error(String(error));
      const failure = { kind: 'error', name: ReadingThreadUnavailable.name, message: reason, stack } as const;
      say({ kind: 'failed', number: message.number, failure });
    }
  };

  const close = async (): Promise<void> => {
    try {
      const now = await serving;
      now?.server.stop();
      await now?.close();
    } catch {
      // There is nothing to close where nothing could be opened.
    } finally {
      port.close();
    }
  };

  port.on('message', (message: ToThread) => void (message.kind === 'close' ? close() : take(message)));
};

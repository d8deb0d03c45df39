import { Worker } from 'node:worker_threads';
import { UnusableFile } from '@zakup/sqlite/unusable-file';
import { EventStoreUnavailable } from '../event-store.ts';
import { unavailable } from './log-file.ts';
import type { FromWriter, Outcome, PackedAppend, ToWriter } from './writer-messages.ts';

/** An append's outcome and the instant of its transaction. */
export interface Written {
  readonly outcome: Outcome;
  readonly recordedAt: number;
}

/** The writer thread, seen from the thread that serves callers. */
export interface WriterClient {
  readonly ready: Extract<FromWriter, { kind: 'ready' }>;
  /** Sends an append at the end of this turn; `settle` is called in log order within one turn per transaction. */
  append(
    pack: (ticket: number) => PackedAppend,
    settle: (written: Written) => void,
    fail: (error: Error) => void,
  ): void;
  /** Finishes what was accepted and ends the thread. */
  close(): Promise<void>;
}

interface Waiting {
  readonly settle: (written: Written) => void;
  readonly fail: (error: Error) => void;
}

/** Built code runs as it is, source by Node's own stripping of types or through a loader. */
const workerScript = (): string => {
  if (!import.meta.url.endsWith('.ts')) return './writer-worker.js';
  const stripsTypes = 'typescript' in process.features && process.features.typescript !== false;
  return stripsTypes ? './writer-worker.ts' : './writer-boot.mjs';
};

/**
 * Starts the writer thread of a file. Rejects with `EventStoreUnavailable` naming the file when it cannot be opened; `afterCommit`
 * is called once per transaction, after its appends were settled.
 */
export const writerClient = async (
  file: string,
  marked: number,
  clock: () => number,
  afterCommit: () => void,
): Promise<WriterClient> => {
  const worker = new Worker(new URL(workerScript(), import.meta.url), { workerData: { file, marked }, execArgv: [] });
  const waiting = new Map<number, Waiting>();
  let outbox: PackedAppend[] = [];
  let tickets = 0;
  let broken: EventStoreUnavailable | undefined;
  let ended: () => void = () => undefined;
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });

  const send = (message: ToWriter) => worker.postMessage(message, []);

  const flush = () => {
    if (outbox.length === 0) return;
    send({ kind: 'append', now: clock(), appends: outbox });
    outbox = [];
  };

  const taken = (ticket: number): Waiting | undefined => {
    const entry = waiting.get(ticket);
    waiting.delete(ticket);
    return entry;
  };

  const breakDown = (error: EventStoreUnavailable) => {
    broken ??= error;
    for (const entry of waiting.values()) entry.fail(broken);
    waiting.clear();
  };

  const ready = await new Promise<WriterClient['ready']>((resolve, reject) => {
    worker.on('error', (error) => {
      const failure = new EventStoreUnavailable(`The writer of ${file} failed: ${String(error)}`, { cause: error });
      reject(failure);
      breakDown(failure);
    });
    worker.on('exit', () => {
      const failure = new EventStoreUnavailable(`The writer of ${file} has ended`);
      reject(failure);
      breakDown(failure);
      ended();
    });
    worker.on('message', (message: FromWriter) => {
      switch (message.kind) {
        case 'ready':
          resolve(message);
          return;
        case 'refused':
          reject(unavailable(file, new UnusableFile(message.file, message.fault, message.reason)));
          return;
        case 'committed': {
          const { recordedAt } = message;
          for (const outcome of message.outcomes) taken(outcome[0])?.settle({ outcome, recordedAt });
          afterCommit();
          return;
        }
        case 'failed': {
          const error = new EventStoreUnavailable(`Event log ${file}: ${message.reason}`);
          for (const ticket of message.tickets) taken(ticket)?.fail(error);
          if (message.final) breakDown(error);
          return;
        }
        case 'closed':
      }
    });
  });

  return {
    ready,
    append(pack, settle, fail) {
      if (broken !== undefined) {
        fail(broken);
        return;
      }
      tickets += 1;
      if (outbox.length === 0) setImmediate(flush);
      outbox.push(pack(tickets));
      waiting.set(tickets, { settle, fail });
    },
    async close() {
      flush();
      send({ kind: 'close' });
      await end;
    },
  };
};

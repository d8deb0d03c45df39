import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EventStore } from '@zakup/event-store/event-store';
import type { AcceptedAppend, FromSeeding, SeedingData, ToSeeding } from './seeding-messages.ts';

export interface SeedingByThread extends SeedingData {
  /** Nobody else writes it meanwhile. */
  readonly eventStore: EventStore;
  /** Told before anything of that instant is appended, in UTC milliseconds; never goes back. */
  readonly onInstant: (at: number) => void;
  /** Asked before anything is appended; an error = nothing may be written now, and the telling ends with it. */
  readonly refusal: () => Error | null;
  /** Told when everything of the first so many days is durable. */
  readonly onDay: (told: number) => Promise<void> | void;
  /** Ends the thread. */
  readonly signal: AbortSignal;
}

/** Built code runs as it is, source by Node's own stripping of types or through a loader. */
const workerScript = (): string => {
  if (!import.meta.url.endsWith('.ts')) return './teller-worker.js';
  const stripsTypes = 'typescript' in process.features && process.features.typescript !== false;
  return stripsTypes ? './seeding-worker.ts' : './seeding-boot.mjs';
};

/** Most events that are handed to the thread at once. */
const page = 2_000;

/** Hands the thread what is in the log already. */
const handHistory = async (
  eventStore: EventStore,
  signal: AbortSignal,
  send: (message: ToSeeding) => void,
): Promise<void> => {
  for await (const message of eventStore.subscribe({ after: 0, signal, maxBatch: page })) {
    if (message.kind === 'caught_up') break;
    send({ kind: 'history', events: message.events });
  }
  send({ kind: 'tell' });
};

/**
 * Has a story told in a thread of its own, beside whoever follows the log: there every act is decided, here what was accepted is appended
 * in the same order. Resolves when all of it is durable. Rejects with what the log or the thread says against it, and when the signal aborts;
 * the thread has ended then.
 */
export const seedByThread = async (telling: SeedingByThread): Promise<void> => {
  const { eventStore, onInstant, refusal, onDay, signal, ...workerData } = telling;
  const worker = new Worker(new URL(workerScript(), import.meta.url), { workerData, execArgv: [] });
  const send = (message: ToSeeding): void => worker.postMessage(message, []);

  const append = async ({ writes, options, position }: AcceptedAppend): Promise<void> => {
    const result = await eventStore.append(writes, options);
    if (result.kind !== 'appended' || result.position !== position)
      throw new Error(`The log does not take at position ${position} what it was to (${result.kind})`);
  };

  /** Nothing is appended before all that was sent earlier is durable: of what fails nothing later may be kept. */
  const appendAll = async (appends: readonly AcceptedAppend[]): Promise<void> => {
    const refused = refusal();
    if (refused !== null) throw refused;
    const failed = (await Promise.allSettled(appends.map(append))).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  };

  const take = async (message: FromSeeding): Promise<'on' | 'whole'> => {
    switch (message.kind) {
      case 'appends':
        onInstant(message.at);
        await appendAll(message.appends);
        return 'on';
      case 'days':
        await onDay(message.told);
        send({ kind: 'noted' });
        return 'on';
      case 'whole':
        return 'whole';
      case 'broken':
        throw new Error(message.reason);
    }
  };

  try {
    const messages = on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<[FromSeeding]>;
    await handHistory(eventStore, signal, send);
    for await (const [message] of messages) if ((await take(message)) === 'whole') return;
    throw new Error('The thread that tells the story has ended');
  } finally {
    await worker.terminate();
  }
};

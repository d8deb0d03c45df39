import { backOff } from '@zakup/async/back-off';
import type { EventStoreDBClient, StreamingRead } from '@eventstore/db-client';
import { EventStoreUnavailable } from '../event-store.ts';
import { EventStoreAccessDenied, isAccessDenied, NoAnswer, portError } from './errors.ts';
import { type PatchedClient, patchedClient } from '@zakup/driver-patches/eventstoredb';

/** One server, its client, and the time that every call is given. */
export interface Connection {
  readonly client: EventStoreDBClient;
  /** Hosts and ports, without credentials. */
  readonly where: string;
  /** Milliseconds that a call may go without an answer. */
  readonly deadline: number;
  readonly readFiltered: PatchedClient['readFiltered'];
  /** Aborted when closing begins. */
  readonly closing: AbortSignal;
  /** Counts the call among those that closing waits for. Throws `EventStoreUnavailable` when closing has begun. */
  accepted<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The client's answer to an append within the deadline; the client's own errors pass. */
  answered<Result>(what: string, call: Promise<Result>): Promise<Result>;
  /** Everything a read yields; given up when nothing comes for as long as the deadline. The client's own errors pass. */
  collected<Item>(what: string, stream: StreamingRead<Item>): Promise<Item[]>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly url: string;
  /** Milliseconds that a call may go without an answer. */
  readonly deadline: number;
}

const hostsOf = (url: string): string => /^[^:]+:\/\/(?:[^@]*@)?([^?/]*)/.exec(url.trim())?.[1] ?? '';

export const connection = ({ url, deadline }: ConnectionOptions): Connection & { version(): Promise<string> } => {
  const where = hostsOf(url);
  const patched = patchedClient(url);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  const answered = <Result>(what: string, call: Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new NoAnswer(what, deadline));
        patched.endSilentBatch(deadline);
      }, deadline);
      void call.then(resolve, reject).finally(() => clearTimeout(timer));
    });

  return {
    client: patched.client,
    where,
    deadline,
    readFiltered: (options, streams) => patched.readFiltered(options, streams),
    closing: closing.signal,
    answered,
    version: () => answered('Version', patched.serverVersion()),

    async accepted(work) {
      if (closed !== undefined) throw new EventStoreUnavailable(`The connection to EventStoreDB at ${where} is closed`);
      const call = (async () => {
        try {
          return await work();
        } catch (error) {
          throw portError(error, where);
        }
      })();
      const settled = call.catch(() => undefined);
      running.add(settled);
      void settled.then(() => running.delete(settled));
      return call;
    },

    collected: <Item>(what: string, stream: StreamingRead<Item>) =>
      new Promise<Item[]>((resolve, reject) => {
        const items: Item[] = [];
        const giveUp = (error: Error) => {
          clearTimeout(timer);
          reject(error);
        };
        const timer = setTimeout(() => {
          giveUp(new NoAnswer(what, deadline));
          stream.cancel().catch(() => undefined);
        }, deadline);
        stream.on('data', (item) => {
          items.push(item);
          timer.refresh();
        });
        stream.on('end', () => {
          clearTimeout(timer);
          resolve(items);
        });
        stream.on('error', giveUp);
      }),

    close() {
      closed ??= (async () => {
        closing.abort();
        await Promise.all(running);
        await patched.close();
      })();
      return closed;
    },
  };
};

/** Resolves after the time or when the signal is aborted, whichever is first. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });

/** Milliseconds before the n-th attempt (from 0) after a failure: the longer the more of them, less up to half of it by chance (0 to 1). */
export const pauseBefore = (attempt: number, chance: number): number =>
  backOff({ first: 50, longest: 5_000 }, attempt) * (1 - chance / 2);

/**
 * Tries until the server answers or the time is over. Throws `EventStoreAccessDenied` at once when it refuses the credentials, otherwise
 * `EventStoreUnavailable` with the last error as its cause.
 */
export const reached = async <Result>(
  where: string,
  milliseconds: number,
  ask: () => Promise<Result>,
): Promise<Result> => {
  const began = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (isAccessDenied(error)) {
        throw new EventStoreAccessDenied(
          `EventStoreDB at ${where} refuses the credentials of the connection string, or they may not read $all`,
          { cause: error },
        );
      }
      const said = portError(error, where);
      const wait = Math.min(500, pauseBefore(attempt, 0));
      if (!(said instanceof EventStoreUnavailable) || performance.now() - began + wait > milliseconds) throw said;
      await pause(wait, new AbortController().signal);
    }
  }
};

import { type BackOff, backOff } from '@zakup/async/back-off';
import { delay } from '@zakup/async/delay';
import type { Position, SubscriptionMessage } from '@zakup/event-store/event-store';
import type { Leases } from '@zakup/read-store/leases';
import type { ReadStore } from '@zakup/read-store/read-store';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import type { CommandHandlerDeps } from '../pipeline/handle-command.ts';
import type { CommandLog } from '../pipeline/hidden-codes.ts';
import { type StreamCache, streamCache } from '../pipeline/stream-cache.ts';
import { type Agenda, agenda, type Item } from './agenda.ts';
import { importUndoProcess } from '../compensation/import-undo.process.ts';
import { importProcess } from '../import/import.process.ts';
import type { ImportMetrics } from '../import/import-metrics.ts';
import { licenceClosingProcess } from './licence-closing.process.ts';
import { licenceTermProcess } from './licence-term.process.ts';
import type { Process } from './process.ts';

/** Name of the lease under which processes run. */
export const processesLease = 'processes';

/** The part of a logger that is used. */
export interface ProcessesLog {
  readonly info: (details: object, message: string) => void;
  readonly warn: (details: object, message: string) => void;
}

export interface ProcessesOptions {
  readonly eventStore: CommandLog;
  /** Says which subjects there are, so that history need not be read; absent = the log is read from its beginning. */
  readonly readStore?: Pick<ReadStore, 'checkpoint' | 'query'>;
  /** Whose checkpoint the read models are complete to; default `all`. */
  readonly partition?: string;
  /** The command side's own, where it is at hand; default: one of its own. */
  readonly cache?: StreamCache;
  readonly partialWrites: CommandHandlerDeps['partialWrites'];
  /** Of those several copies that run at once, one works at a time; absent = each works, which does nothing twice either. */
  readonly leases?: Leases;
  /** UTC milliseconds. */
  readonly now: () => number;
  readonly log: ProcessesLog;
  /** Stops them, as `stop` does. */
  readonly signal: AbortSignal;
  /** Why nothing may be changed now, e.g. a full disk; what is due waits. */
  readonly readOnly?: () => string | null;
  readonly onAppend?: CommandHandlerDeps['onAppend'];
  readonly metrics?: ImportMetrics;
  /** Resolves after so many milliseconds, or early when the signal aborts. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface Processes {
  /**
   * Resolves when they hold the lease, have followed the log to its end and done what was overdue; rejects when they end before. Not
   * for readiness: a copy without the lease waits for ever.
   */
  readonly caughtUp: Promise<void>;
  /** Finishes the command under way and lets the lease go; resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** Clocks may jump, so the one given is looked at again at least this often. */
const longestSleep = 60_000;
const retries: BackOff = { first: 50, longest: 5_000 };

/** Runs every process of the product: follows the log and the clock, and issues commands when they are due. Failures of a store are tried again for ever. */
export const runProcesses = (options: ProcessesOptions): Processes => {
  const { eventStore, cache = streamCache(eventStore), partialWrites, leases, log, onAppend, metrics } = options;
  const deps = { eventStore, cache, partialWrites, ...(onAppend === undefined ? {} : { onAppend }) };
  const processes: readonly Process[] = [
    licenceTermProcess(deps),
    licenceClosingProcess(deps),
    importProcess(deps, metrics),
    importUndoProcess(deps, metrics),
  ];
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  if (options.signal.aborted) stop();
  options.signal.addEventListener('abort', stop, { once: true });
  let settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  const caughtUp = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Nobody has to wait for it.
  caughtUp.catch(() => undefined);

  const run = async (): Promise<void> => {
    const { signal } = stopping;
    while (!signal.aborted) {
      const lease = leases === undefined ? null : await leases.acquire(processesLease, signal);
      if (leases !== undefined && lease === null) break;
      const end = await tenure({ ...options, processes, signal, lost: lease?.lost, onDone: () => settle?.resolve() });
      await lease?.release();
      if (end === 'log_closed') break;
      if (!signal.aborted) log.warn({ fence: lease?.fence }, 'The processes lost their lease');
    }
    options.signal.removeEventListener('abort', stop);
    settle?.reject(new Error('The processes ended'));
  };
  const ended = run();

  return {
    caughtUp,
    async stop() {
      stop();
      await ended;
    },
  };
};

interface Tenure extends ProcessesOptions {
  readonly processes: readonly Process[];
  readonly lost: AbortSignal | undefined;
  /** Called whenever nothing is left to do. */
  readonly onDone: () => void;
}

/** Follows and works until it is stopped, the lease is lost or the log is closed. */
const tenure = async (options: Tenure): Promise<'ended' | 'log_closed'> => {
  const over = new AbortController();
  let wake = (): void => undefined;
  const end = (): void => {
    over.abort();
    wake();
  };
  const signals = options.lost === undefined ? [options.signal] : [options.signal, options.lost];
  for (const signal of signals) {
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  }
  const { wait = delay } = options;
  const items = agenda();
  const sleep = async (milliseconds: number): Promise<void> => {
    const nap = new AbortController();
    wake = () => nap.abort();
    if (!over.signal.aborted) await wait(milliseconds, nap.signal);
  };
  const working: Promise<void>[] = [];
  const work = (): void => {
    if (working.length === 0) working.push(workOff(options, items, over.signal, sleep));
    wake();
  };
  const followed = await follow(options, items, over.signal, work);
  for (const signal of signals) signal.removeEventListener('abort', end);
  end();
  await Promise.all(working);
  for (const process of options.processes) process.released?.();
  return followed;
};

/** The subjects that the read models know, and the position from which the log tells of others. */
const subjectsKnown = async (
  { readStore, partition = allPartitions, processes }: Tenure,
  items: Agenda,
): Promise<Position> => {
  const before = await readStore?.checkpoint(partition);
  if (readStore === undefined || before === null || before === undefined) return 0;
  for (const process of processes) {
    for (const where of process.where ?? [{}]) {
      const { docs } = await readStore.query(process.kind, { where });
      for (const { id } of docs) items.lookAt({ process, subject: id });
    }
  }
  // Models that were cleared meanwhile may not have told everything.
  const after = await readStore.checkpoint(partition);
  return Math.min(before.position, after?.position ?? 0);
};

/** Follows the log, and says each time when something is to be looked at; first when all history was seen. */
const follow = async (
  options: Tenure,
  items: Agenda,
  signal: AbortSignal,
  work: () => void,
): Promise<'ended' | 'log_closed'> => {
  const { eventStore, processes, log, wait = delay } = options;
  let position: Position | null = null;
  let complete = false;
  let failures = 0;

  const take = (message: SubscriptionMessage): Position => {
    if (message.kind === 'caught_up') {
      complete = true;
      return message.position;
    }
    for (const event of message.events) {
      for (const process of processes) {
        const subject = process.subjectOf(event);
        if (subject !== null) items.lookAt({ process, subject });
      }
    }
    return message.events.at(-1)?.position ?? 0;
  };

  while (!signal.aborted) {
    try {
      position ??= await subjectsKnown(options, items);
      for await (const message of eventStore.subscribe({ after: position, signal })) {
        position = Math.max(position, take(message));
        failures = 0;
        if (complete && (message.kind === 'caught_up' || items.hasLooks())) work();
      }
      return signal.aborted ? 'ended' : 'log_closed';
    } catch (error) {
      const milliseconds = backOff(retries, failures);
      failures += 1;
      log.warn({ err: error, milliseconds }, 'The processes cannot follow the log, and will try again');
      await wait(milliseconds, signal);
    }
  }
  return 'ended';
};

/** Of an import that of its command, of what else there is that of the licence. */
const idOf = (subject: string): string => subject.slice(subject.lastIndexOf('~') + 1);

/** Looks at what is to be looked at, does what is due, in the order of due dates, and sleeps in between. */
const workOff = async (
  { now, log, readOnly = () => null, onDone }: Tenure,
  items: Agenda,
  signal: AbortSignal,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<void> => {
  let failures = 0;

  const attempt = async (item: Item, act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      items.fail(item);
      const { process, subject } = item;
      log.warn(
        { err: error, process: process.name, subject, correlationId: idOf(subject) },
        'A process will try again',
      );
    }
  };

  while (!signal.aborted) {
    const look = items.takeLook();
    if (look !== null) {
      await attempt(look, async () => items.plan(look, await look.process.next(look.subject)));
      continue;
    }
    const due = items.earliest();
    const left = due === null ? longestSleep : due.step.at - now();
    if (due !== null && left <= 0 && readOnly() === null) {
      await attempt(due, async () => {
        await due.step.run(now());
        items.plan(due, null);
        items.lookAt(due);
      });
      continue;
    }
    failures = items.failures() === 0 ? 0 : failures + 1;
    if (failures === 0 && left > 0) onDone();
    await sleep(
      Math.min(
        longestSleep,
        left > 0 ? left : retries.longest,
        failures > 0 ? backOff(retries, failures) : longestSleep,
      ),
    );
    items.retry();
  }
};

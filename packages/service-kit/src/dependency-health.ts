import type { Readiness } from './health.ts';
import type { Log } from './log.ts';
import { awayText, type NamedServer } from './opening.ts';

/** A part that readiness depends on while the process runs. */
export interface Dependency {
  /** Name of the part in `/readyz`. */
  readonly part: string;
  /** Resolves with why the part is not well, null = it is. The signal is aborted when nobody waits for that any more. */
  readonly look: (late?: AbortSignal) => Promise<string | null>;
  /** The reason when looking fails or takes too long; null = as before, another part tells. */
  readonly away: string | null;
}

/** A server that must answer. */
export const answering = (server: NamedServer, ask: (late?: AbortSignal) => Promise<unknown>): Dependency => ({
  part: server.setting,
  away: awayText(server),
  look: async (late) => {
    await ask(late);
    return null;
  },
});

export interface WatchDependenciesOptions {
  readonly watched: readonly Dependency[];
  readonly readiness: Readiness;
  readonly log: Log;
  /** Milliseconds between two looks; default 1,000. */
  readonly everyMs?: number;
  /** Milliseconds that one look may take; default 3,000. */
  readonly patienceMs?: number;
}

/** Looks at each part again and again, from a first look on, which is over when it resolves; readiness follows. Resolves with how to stop. */
export const watchDependencies = async ({
  watched,
  readiness,
  log,
  everyMs = 1_000,
  patienceMs = 3_000,
}: WatchDependenciesOptions): Promise<() => void> => {
  let stopped = false;
  const timers = new Set<NodeJS.Timeout>();

  const within = (look: Dependency['look']): Promise<string | null> =>
    new Promise((resolve, reject) => {
      const late = new AbortController();
      const timer = setTimeout(() => {
        reject(new Error(`No answer in ${patienceMs} ms`));
        late.abort();
      }, patienceMs);
      look(late.signal)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });

  const follow = async ({ part, away, look }: Dependency, before: string | null): Promise<void> => {
    let failure: unknown;
    const reason = await within(look).catch((error: unknown) => {
      failure = error;
      return away ?? before;
    });
    if (stopped) return;
    if (reason === null) readiness.release(part);
    else readiness.hold(part, reason);
    if (reason !== null && before === null) log.warn({ err: failure, part, reason }, 'Not ready');
    if (reason === null && before !== null) log.info({ part }, 'Ready again');
    const timer = setTimeout(() => {
      timers.delete(timer);
      void follow({ part, away, look }, reason);
    }, everyMs).unref();
    timers.add(timer);
  };

  await Promise.all(watched.map((one) => follow(one, null)));
  return () => {
    stopped = true;
    for (const timer of timers) clearTimeout(timer);
  };
};

export interface ProjectionLagOptions {
  /** Position of the log's last event. */
  readonly head: (late?: AbortSignal) => Promise<number>;
  /** Position that the read models are complete to. */
  readonly reached: () => Promise<number>;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** Milliseconds that the read models may be behind; default 30,000. */
  readonly limitMs?: number;
  /** They are known to have caught up once; default false. */
  readonly hasCaughtUp?: boolean;
}

const catchingUp = 'модели чтения догоняют журнал';

/**
 * The read models follow the log: a head that was seen must be reached within the limit. Time, because positions of a log need not count
 * events. Unless they have caught up before, the first head that is seen must be reached before anything is well.
 */
export const projectionLag = ({
  head,
  reached,
  now,
  limitMs = 30_000,
  hasCaughtUp = false,
}: ProjectionLagOptions): Dependency => {
  let seen: { readonly head: number; readonly at: number } | null = null;
  let everReached = hasCaughtUp;
  const look = async (late?: AbortSignal): Promise<string | null> => {
    const [last, position] = await Promise.all([head(late), reached()]);
    // A head that the log no longer has was another log's, in whose place the right one is back.
    if (seen === null || position >= seen.head || last < seen.head) {
      everReached ||= seen !== null || position >= last;
      seen = { head: last, at: now() };
    }
    if (!everReached) return catchingUp;
    if (position >= seen.head || now() - seen.at <= limitMs) return null;
    return `модели чтения отстают от журнала больше чем на ${limitMs / 1_000} с`;
  };
  return { part: 'projection', away: null, look };
};

import type { GatewayDeps } from '../deps.ts';
import { tooManyAtOnce } from '../http/limits/read-guard.ts';
import { Refused } from '../http/refused.ts';
import { type FeedProgress, isWhole } from './feed-progress.ts';
import type { ReadingThread } from '../reading-thread/reading-thread.ts';
import { messageOf, type Part, partsOf } from './load-parts.ts';
import type { Encoded } from './outgoing.ts';
import type { Sent } from './patch-base-cache.ts';
import { longShared, recentLoads, type RoomForLoads } from './recent-loads.ts';
import type { Scope } from './scope.ts';
import type { ScopeReader } from './scope-reader.ts';
import type { Read } from './scope-read.ts';
import type { View } from './view.ts';
import { type Grown, grownIn, newestOf, type WrittenPart } from './whole-load.ts';

interface LoadPart {
  readonly progress: Part['progress'];
  /** Null = the view is shown nothing of it, and more comes. */
  readonly message: (shown: Parameters<typeof messageOf>[1]) => Promise<Encoded | null>;
}

/** A read that several sockets share, perhaps while it is being made. */
export interface Load extends Pick<Read, 'position' | 'reset'> {
  readonly epoch: number;
  /** For each who iterates all of them, each as soon as it is there; throws where the load breaks off. */
  readonly parts: Iterable<LoadPart> | AsyncIterable<LoadPart>;
  /** Rejects where the load breaks off. */
  readonly end: Promise<LoadEnd>;
}

/** What is known of a load once all its parts are there. */
export interface LoadEnd {
  readonly documents: number;
  /** The newest of its documents may be newer than its position. */
  readonly reaches: number;
  /** Of its documents those that grow, as the view is shown them. */
  readonly grown: (view: View) => readonly GrownDocument[];
}

type Content = Omit<Load, 'epoch'>;

interface GrownDocument extends Pick<Grown, 'name' | 'variant' | 'position'> {
  readonly sent: () => Sent;
}

export interface LoadDeps {
  readonly deps: Pick<GatewayDeps, 'guard' | 'thread'>;
  /** For loads that are kept a while. */
  readonly room: RoomForLoads;
  readonly licenceId: string;
  readonly scope: Scope;
  readonly progress: Readonly<FeedProgress>;
  readonly read: (since: number | undefined) => Promise<Read>;
  /** Takes the lines of the scope's placements with a load that is read elsewhere; null = they are there. */
  readonly linesTaker: ScopeReader['linesTaker'];
  readonly showsOwnEarnings: () => boolean;
  readonly instant: () => string;
}

type KeptLoad = Load & { readonly docs: { readonly length: number } };

/** Loads of one scope that are under way, or were made a moment ago. */
interface LoadState extends LoadDeps {
  readonly running: Map<string, Promise<Load>>;
  readonly recent: ReturnType<typeof recentLoads<KeptLoad>>;
  /** Those that broke off a moment ago: the next of them is answered when it is whole, so that whoever asks is told why there is none. */
  readonly brokenOff: Set<string>;
  /** Stops what is made for nobody. */
  readonly closing: AbortController;
  /** What others see of a licence is one of the hour, and sessions are in no log. */
  readonly isTimeless: boolean;
  isClosed: boolean;
}

/** Parsed once it is compared with what it became. */
const sentText = ({ position, text }: Pick<Grown, 'position' | 'text'>): Sent => {
  let doc: { readonly value: unknown } | null = null;
  return {
    position,
    get doc() {
      doc ??= { value: JSON.parse(text) as unknown };
      return doc.value;
    },
    size: text.length,
    measured: text.length,
  };
};

const givenParts = (parts: AsyncIterable<WrittenPart>): AsyncIterable<LoadPart> => ({
  async *[Symbol.asyncIterator]() {
    for await (const { progress, message } of parts) yield { progress, message: async () => message };
  },
});

/** What another thread reads and writes. */
const writtenLoad = async (thread: ReadingThread, state: LoadState, view: View): Promise<Content> => {
  const { licenceId, scope, closing, linesTaker } = state;
  const lines = linesTaker();
  const { position, parts, end } = await thread.scope(licenceId, scope, view, closing.signal, lines?.take);
  return {
    position,
    reset: false,
    parts: givenParts(parts),
    end: end.then(({ documents, reaches, grown }) => {
      lines?.end(position);
      return { documents, reaches, grown: () => grown.map((one) => ({ ...one, sent: () => sentText(one) })) };
    }),
  };
};

const readLoad = async ({ read, instant }: LoadState, since: number | undefined): Promise<Content> => {
  const { docs, position, reset } = await read(since);
  const end: LoadEnd = {
    documents: docs.length,
    reaches: newestOf({ docs, position }),
    grown: (view) =>
      grownIn(docs, view, instant()).map((one) => ({
        ...one,
        sent: () => {
          const size = JSON.stringify(one.doc).length;
          return { position: one.position, doc: one.doc, size, measured: size };
        },
      })),
  };
  return {
    position,
    reset,
    parts: partsOf(docs).map((part) => ({ progress: part.progress, message: (shown) => messageOf(part, shown) })),
    end: Promise.resolve(end),
  };
};

/** Whether another thread reads and writes it: then it is of one view. */
const isElsewhere = ({ deps, isTimeless }: LoadState, since: number | undefined): boolean =>
  deps.thread !== undefined && since === undefined && isTimeless;

const keyOfLoad = (state: LoadState, since: number | undefined, view: View): string =>
  `${since ?? 'all'} ${isElsewhere(state, since) ? view.key : state.showsOwnEarnings()}`;

const madeLoad = async (state: LoadState, since: number | undefined, view: View): Promise<Content> => {
  const { thread } = state.deps;
  return thread !== undefined && isElsewhere(state, since) ? writtenLoad(thread, state, view) : readLoad(state, since);
};

/**
 * A whole scope is read in a turn: who has many of them read again and again waits for a while, and nobody else does. Who goes on is not sent
 * away. Resolves when the load has begun; its turn lasts until it ends.
 */
const begunInTurn = async (
  { deps, licenceId, scope, progress }: LoadState,
  since: number | undefined,
  begins: boolean,
  work: () => Promise<Content>,
): Promise<Content> => {
  if (!begins || scope.kind === 'me' || !isWhole(since, progress.position)) return work();
  return new Promise((resolve, reject) => {
    const turn = async (): Promise<LoadEnd> => {
      const content = await work();
      resolve(content);
      return content.end;
    };
    const inTime = async (): Promise<void> => {
      if ((await deps.guard.scope(licenceId, turn)) === null) throw new Refused(tooManyAtOnce);
    };
    inTime().catch(reject);
  });
};

const isCurrent = ({ epoch, changedAt }: Readonly<FeedProgress>, done: Load): boolean =>
  done.epoch === epoch && done.position >= changedAt;

const noteBreak = ({ brokenOff, deps }: LoadState, key: string): void => {
  brokenOff.add(key);
  deps.guard.timers.setTimeout(() => brokenOff.delete(key), longShared);
};

/** Follows one to its end, and keeps it for those who come next. */
const follow = async (state: LoadState, key: string, making: Promise<Load>): Promise<void> => {
  const { running, recent, progress, brokenOff } = state;
  let load: Load | null = null;
  try {
    load = await making;
    const { documents } = await load.end;
    brokenOff.delete(key);
    if (!state.isClosed && isCurrent(progress, load)) recent.keep(key, { ...load, docs: { length: documents } });
  } catch {
    // Who waits for it is told.
    if (load !== null && !state.isClosed) noteBreak(state, key);
  } finally {
    running.delete(key);
  }
};

const beginLoad = (state: LoadState, key: string, since: number | undefined, begins: boolean, view: View) => {
  const { progress, running } = state;
  let begun = progress.epoch;
  const making = begunInTurn(state, since, begins, () => {
    begun = progress.epoch;
    return madeLoad(state, since, view);
  }).then((made): Load => ({ ...made, epoch: begun }));
  running.set(key, making);
  void follow(state, key, making);
  return making;
};

const loadOnce = async (state: LoadState, since: number | undefined, begins: boolean, view: View): Promise<Load> => {
  const key = keyOfLoad(state, since, view);
  const load = await (state.running.get(key) ?? beginLoad(state, key, since, begins, view));
  if (state.brokenOff.has(key)) await load.end;
  return load;
};

/** Loads of one scope: what several ask for at once is read once. */
export interface ScopeLoads {
  /** All of the scope, or what changed after `since`, once its position is known. `begins`: for somebody who comes; then it rejects with `Refused` where too many wait. */
  load(since: number | undefined, begins: boolean, view: View): Promise<Load>;
  /** Who begins may begin with what others just got, unless something changed since: what the load lacks comes after it. */
  recent(since: number | undefined, view: View): Load | undefined;
  /** Those that nobody can begin with any more. */
  forgetOutdated(): void;
  forgetAll(): void;
  /** Whether one is worth waiting for those who may come, or broke off, so that those who had it are about to come back. */
  isAwaited(): boolean;
  close(): void;
}

export const scopeLoads = (of: LoadDeps): ScopeLoads => {
  const { room, licenceId, scope, deps, progress } = of;
  const isTimeless = scope.kind === 'campaign' || scope.kind === 'contractor';
  const recent = recentLoads<KeptLoad>({ room, licenceId, isTimeless, timers: deps.guard.timers });
  const state: LoadState = {
    ...of,
    running: new Map(),
    recent,
    brokenOff: new Set(),
    closing: new AbortController(),
    isTimeless,
    isClosed: false,
  };
  const forgetAll = (): void => recent.forget(() => true);
  return {
    load: (since, begins, view) => loadOnce(state, since, begins, view),
    recent(since, view) {
      const done = recent.get(keyOfLoad(state, since, view));
      return done !== undefined && isCurrent(progress, done) ? done : undefined;
    },
    forgetOutdated: () => recent.forget((done) => !isCurrent(progress, done)),
    forgetAll,
    isAwaited: () => recent.hasLong() || state.brokenOff.size > 0,
    close() {
      state.isClosed = true;
      state.closing.abort();
      forgetAll();
    },
  };
};

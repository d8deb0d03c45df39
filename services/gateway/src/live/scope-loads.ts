import type { GatewayDeps } from '../deps.ts';
import { tooManyAtOnce } from '../http/limits/read-guard.ts';
import { Refused } from '../http/refused.ts';
import { type FeedProgress, isWhole } from './feed-progress.ts';
import { messageOf, type Part, partsOf } from './load-parts.ts';
import type { Encoded } from './outgoing.ts';
import type { Sent } from './patch-base-cache.ts';
import { recentLoads, type RoomForLoads } from './recent-loads.ts';
import type { Scope } from './scope.ts';
import type { Read } from './scope-read.ts';
import type { View } from './view.ts';
import { type Grown, grownIn, newestOf, type WholeLoad } from './whole-load.ts';

/** A read that several sockets share. */
export interface Load extends Pick<Read, 'position' | 'reset'> {
  readonly docs: { readonly length: number };
  readonly epoch: number;
  /** The newest of its documents may be newer than its position. */
  readonly reaches: number;
  readonly parts: readonly {
    readonly progress: Part['progress'];
    /** Null = the view is shown nothing of it, and more comes. */
    readonly message: (shown: Parameters<typeof messageOf>[1]) => Promise<Encoded | null>;
  }[];
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
  readonly showsOwnEarnings: () => boolean;
  readonly instant: () => string;
}

/** Loads of one scope that are under way, or were made a moment ago. */
interface LoadState extends LoadDeps {
  readonly running: Map<string, Promise<Load>>;
  readonly recent: ReturnType<typeof recentLoads<Load>>;
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

/** What another thread has read and written. */
const writtenLoad = ({ position, reaches, documents, parts, grown }: WholeLoad): Content => ({
  position,
  reset: false,
  docs: { length: documents },
  reaches,
  parts: parts.map(({ progress, message }) => ({ progress, message: async () => message })),
  grown: () => grown.map((one) => ({ ...one, sent: () => sentText(one) })),
});

const readLoad = async ({ read, instant }: LoadState, since: number | undefined): Promise<Content> => {
  const changes = await read(since);
  return {
    ...changes,
    reaches: newestOf(changes),
    parts: partsOf(changes.docs).map((part) => ({
      progress: part.progress,
      message: (shown) => messageOf(part, shown),
    })),
    grown: (view) =>
      grownIn(changes.docs, view, instant()).map((one) => ({
        ...one,
        sent: () => {
          const size = JSON.stringify(one.doc).length;
          return { position: one.position, doc: one.doc, size, measured: size };
        },
      })),
  };
};

/** Whether another thread reads and writes it: then it is of one view. */
const isElsewhere = ({ deps, isTimeless }: LoadState, since: number | undefined): boolean =>
  deps.thread !== undefined && since === undefined && isTimeless;

const keyOfLoad = (state: LoadState, since: number | undefined, view: View): string =>
  `${since ?? 'all'} ${isElsewhere(state, since) ? view.key : state.showsOwnEarnings()}`;

const madeLoad = async (state: LoadState, since: number | undefined, view: View): Promise<Content> => {
  const { deps, licenceId, scope } = state;
  return deps.thread !== undefined && isElsewhere(state, since)
    ? writtenLoad(await deps.thread.scope(licenceId, scope, view))
    : readLoad(state, since);
};

/** A whole scope is read in a turn: who has many of them read again and again waits for a while, and nobody else does. Who goes on is not sent away. */
const inTurn = async (
  { deps, licenceId, scope, progress }: LoadState,
  since: number | undefined,
  begins: boolean,
  work: () => Promise<Content>,
): Promise<Content> => {
  if (!begins || scope.kind === 'me' || !isWhole(since, progress.position)) return work();
  const done = await deps.guard.scope(licenceId, work);
  if (done === null) throw new Refused(tooManyAtOnce);
  return done;
};

const isCurrent = ({ epoch, changedAt }: Readonly<FeedProgress>, done: Load): boolean =>
  done.epoch === epoch && done.position >= changedAt;

const loadOnce = (state: LoadState, since: number | undefined, begins: boolean, view: View): Promise<Load> => {
  const { progress, running, recent } = state;
  const key = keyOfLoad(state, since, view);
  const known = running.get(key);
  if (known !== undefined) return known;
  let begun = progress.epoch;
  const making = inTurn(state, since, begins, () => {
    begun = progress.epoch;
    return madeLoad(state, since, view);
  }).then((made): Load => {
    const fresh: Load = { ...made, epoch: begun };
    if (!state.isClosed && isCurrent(progress, fresh)) recent.keep(key, fresh);
    return fresh;
  });
  running.set(key, making);
  const forget = (): void => {
    running.delete(key);
  };
  making.then(forget, forget);
  return making;
};

/** Loads of one scope: what several ask for at once is read once. */
export interface ScopeLoads {
  /** All of the scope, or what changed after `since`. `begins`: for somebody who comes; then it rejects with `Refused` where too many wait. */
  load(since: number | undefined, begins: boolean, view: View): Promise<Load>;
  /** Who begins may begin with what others just got, unless something changed since: what the load lacks comes after it. */
  recent(since: number | undefined, view: View): Load | undefined;
  /** Those that nobody can begin with any more. */
  forgetOutdated(): void;
  forgetAll(): void;
  /** Whether one is worth waiting for those who may come. */
  hasLong(): boolean;
  close(): void;
}

export const scopeLoads = (of: LoadDeps): ScopeLoads => {
  const { room, licenceId, scope, deps, progress } = of;
  const isTimeless = scope.kind === 'campaign' || scope.kind === 'contractor';
  const recent = recentLoads<Load>({ room, licenceId, isTimeless, timers: deps.guard.timers });
  const state: LoadState = { ...of, running: new Map(), recent, isTimeless, isClosed: false };
  const forgetAll = (): void => recent.forget(() => true);
  return {
    load: (since, begins, view) => loadOnce(state, since, begins, view),
    recent(since, view) {
      const done = recent.get(keyOfLoad(state, since, view));
      return done !== undefined && isCurrent(progress, done) ? done : undefined;
    },
    forgetOutdated: () => recent.forget((done) => !isCurrent(progress, done)),
    forgetAll,
    hasLong: () => recent.hasLong(),
    close() {
      state.isClosed = true;
      forgetAll();
    },
  };
};

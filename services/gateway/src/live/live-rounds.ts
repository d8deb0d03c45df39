import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { GatewayDeps } from '../deps.ts';
import { leastPause, pauseAfter } from './broadcast-throttle.ts';
import { type AuthorOf, changeAuthors } from './change-authors.ts';
import type { HubChannels } from './hub-channels.ts';
import type { ScopeFeed } from './scope-feed.ts';
import type { Read } from './scope-read.ts';
import { type Pushed, pushReports } from './tell-pushed.ts';

/** Milliseconds until a round is tried again when the read store failed. */
const retry = 1_000;
/** Milliseconds between two looks at what is everybody's own: nothing shared says that a person was told something. */
const ownEvery = 200;

export interface RoundsOptions {
  readonly deps: Pick<GatewayDeps, 'readStore' | 'metrics' | 'log' | 'steps'>;
  readonly licenceId: string;
  readonly channels: HubChannels;
  /** Looks at the rights anew of everybody whom this may concern; how many they are. */
  readonly reassess: (isTouched: (userId: string) => boolean) => Promise<number>;
}

interface RoundState extends RoundsOptions {
  /** Null: nobody looks. */
  readonly reportPushed: ((pushed: Pushed) => void) | null;
  /** Until the next round. */
  timer: NodeJS.Timeout | null;
  running: boolean;
  /** Whether something was committed since the round that is running began. */
  again: boolean;
  /** By `performance.now()`, as all instants here. */
  begun: number;
  /** Milliseconds from the beginning of a round to that of the next one. */
  pause: number;
  /** When something was first committed that no round began after. */
  pokedAt: number | null;
  ownReadAt: number;
  ownTimer: NodeJS.Timeout | null;
}

/** What a feed found. */
interface Found {
  readonly feed: ScopeFeed;
  readonly read: Read;
}

/** How many positions changed something in a scope. */
const versionsIn = ({ docs }: Read): number => new Set(docs.map(({ position }) => position)).size;

/** Changes go out without names rather than not at all. */
const authorsIn = async ({ deps, licenceId }: RoundState, found: readonly Found[]): Promise<AuthorOf> => {
  const told = found.filter(({ feed, read }) => feed.size() > 0 && !read.reset);
  const after = Math.min(...told.map(({ feed }) => feed.position()));
  try {
    return await changeAuthors(deps.readStore, licenceId, { after, changes: told.flatMap(({ read }) => read.docs) });
  } catch (error) {
    deps.log.error({ err: error, licenceId }, 'Who changed placements could not be read');
    return () => null;
  }
};

const readAll = (due: readonly ScopeFeed[]): Promise<readonly Found[]> =>
  Promise.all(due.map(async (feed) => ({ feed, read: await feed.readOn() })));

const reassessBy = ({ reassess }: RoundState, { docs, reset }: Read): Promise<number> => {
  const users = new Set(docs.filter(({ doc }) => doc.kind === 'user').map(({ doc }) => doc.id));
  const everybody = reset || docs.some(({ doc }) => doc.kind === 'license');
  return reassess((userId) => everybody || users.has(userId));
};

const deliverAll = async (
  state: RoundState,
  lobby: ScopeFeed,
  all: readonly Found[],
  authorOf: AuthorOf,
): Promise<void> => {
  const sending = performance.now();
  for (const { feed, read } of all) if (!feed.deliver(read, authorOf)) state.again = true;
  state.channels.reached(lobby.position());
  // What was written leaves the process before the next turn, with whatever else had to wait for it.
  await yieldToEventLoop();
  const heard = all.filter(({ feed }) => feed.size() > 0).map((one) => versionsIn(one.read));
  state.pause = pauseAfter({ versions: Math.max(0, ...heard), sending: performance.now() - sending });
};

/** `since`: when it was first heard of what is pushed. */
const tellRound = (
  { licenceId, channels, reportPushed }: RoundState,
  all: readonly Found[],
  { after, since }: { readonly after: number; readonly since: number },
): void => {
  if (reportPushed === null) return;
  const told = all.filter(({ feed, read }) => feed.size() > 0 && (read.reset || read.docs.length > 0));
  if (told.length === 0) return;
  reportPushed({
    licenceId,
    after,
    to: channels.position(),
    scopes: told.length,
    sockets: new Set(told.flatMap(({ feed }) => feed.members().map(({ socket }) => socket))).size,
    milliseconds: performance.now() - since,
  });
};

const round = async (state: RoundState, since: number): Promise<void> => {
  const { channels } = state;
  const lobby = await channels.lobby();
  const after = channels.position();
  const feeds = channels.feeds().filter((feed) => feed !== lobby);
  const isOwnDue = performance.now() - state.ownReadAt >= ownEvery;
  if (isOwnDue) state.ownReadAt = performance.now();
  // Hidden from others, earnings have no other way than their person's own scope.
  const isDue = ({ scope, members }: ScopeFeed): boolean =>
    scope.kind !== 'me' || isOwnDue || members().some(({ view }) => !view.earnings);
  const read = await readAll(feeds.filter(isDue));
  // The workspace is read last and rights are looked at before anything is sent: they are at least as new as what is sent.
  const [changes, authorOf] = await Promise.all([lobby.readOn(), authorsIn(state, read)]);
  const touched = await reassessBy(state, changes);
  const all = [...read, { feed: lobby, read: changes }];
  await deliverAll(state, lobby, all, authorOf);
  tellRound(state, all, { after, since });
  if (touched > 0) {
    // Their own documents may have changed too.
    state.ownReadAt = Number.NEGATIVE_INFINITY;
    state.again = true;
  } else if (!isOwnDue && feeds.some(({ scope }) => scope.kind === 'me')) lookAtOwnLater(state);
};

const lookAtOwnLater = (state: RoundState): void => {
  state.ownTimer ??= setTimeout(
    () => {
      state.ownTimer = null;
      wake(state);
    },
    Math.max(0, state.ownReadAt + ownEvery - performance.now()),
  );
};

const run = async (state: RoundState): Promise<void> => {
  const { deps, licenceId } = state;
  state.running = true;
  state.timer = null;
  state.again = false;
  state.begun = performance.now();
  const since = state.pokedAt;
  state.pokedAt = null;
  try {
    await round(state, since ?? state.begun);
    if (since !== null) deps.metrics.fanOut.observe((performance.now() - since) / 1000);
  } catch (error) {
    // Nothing was taken as sent that was not: the next round brings it.
    deps.log.error({ err: error, licenceId }, 'Changes could not be read');
    state.timer = setTimeout(() => void run(state), retry);
  }
  state.running = false;
  if (state.again) wake(state);
};

const wake = (state: RoundState): void => {
  state.pokedAt ??= performance.now();
  state.again = true;
  if (state.running || state.timer !== null) return;
  const wait = state.begun + state.pause - performance.now();
  if (wait <= 0) void run(state);
  else state.timer = setTimeout(() => void run(state), wait);
};

/** Reads what changed in all scopes of a licence and sends it, one round after another. */
export const liveRounds = (options: RoundsOptions) => {
  const { steps } = options.deps;
  const state: RoundState = {
    ...options,
    reportPushed: steps?.areWatched === true ? pushReports(options.deps, steps) : null,
    timer: null,
    running: false,
    again: false,
    begun: Number.NEGATIVE_INFINITY,
    pause: leastPause,
    pokedAt: null,
    ownReadAt: Number.NEGATIVE_INFINITY,
    ownTimer: null,
  };
  return {
    /** Something was committed. */
    wake: (): void => wake(state),
    stop(): void {
      if (state.timer !== null) clearTimeout(state.timer);
      if (state.ownTimer !== null) clearTimeout(state.ownTimer);
    },
  };
};

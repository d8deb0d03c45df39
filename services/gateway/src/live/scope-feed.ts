import type { GatewayDeps } from '../deps.ts';
import { type BroadcastState, broadcast, resetLive } from './broadcast.ts';
import { catchUp, type CatchUpState } from './catch-up.ts';
import type { AuthorOf } from './change-authors.ts';
import type { FeedProgress } from './feed-progress.ts';
import type { PatchBaseCache } from './patch-base-cache.ts';
import type { RoomForLoads } from './recent-loads.ts';
import { type ResetBase, resetBase } from './reset-base.ts';
import { type ScopeLoads, scopeLoads } from './scope-loads.ts';
import type { Scope } from './scope.ts';
import type { Read } from './scope-read.ts';
import { scopeReader } from './scope-reader.ts';
import { type Members, membersOf, type Opening, type Subscription } from './subscription.ts';

export type FeedDeps = Pick<GatewayDeps, 'readStore' | 'partition' | 'now' | 'log' | 'guard' | 'thread'>;

export interface FeedOptions {
  readonly deps: FeedDeps;
  /** Where it keeps what it sent. */
  readonly sent: PatchBaseCache;
  /** For loads that it keeps a while. */
  readonly room: RoomForLoads;
  readonly licenceId: string;
  readonly scope: Scope;
  /** A position that the read models have reached. */
  readonly from: number;
  /** Bytes under way to a socket above which it is caught up later. */
  readonly bufferLimit: number;
}

/** One scope with everybody in it. */
export interface ScopeFeed {
  readonly scope: Scope;
  /** How many sockets are in it. */
  size(): number;
  /** Whether it was reset a moment ago, so that those who were in it are about to come back, or holds what whoever comes can have at once. */
  isAwaited(): boolean;
  /** Everything up to here was broadcast. */
  position(): number;
  readonly members: () => readonly Subscription[];
  /** What changed after what was broadcast. */
  readOn(): Promise<Read>;
  /**
   * Sends what `readOn` found to everybody who is live, or resets them where it cannot be presented. False: somebody came meanwhile who is
   * shown what it lacks; it is to be read once more.
   */
  deliver(changes: Read, authorOf: AuthorOf): boolean;
  /** Nobody is in it any more, nor will be. */
  close(): void;
  /** Takes a socket in: the load or what it missed first, then live. Rejects, leaving it out, when the read store fails before `opened`. */
  open(subscription: Subscription, opening: Opening): Promise<void>;
  end(subscription: Subscription): void;
  /** The client drops the scope and asks anew, without `since`. */
  reset(subscription: Subscription): void;
}

/** What a delivery moves on. */
interface Delivery extends BroadcastState, Pick<CatchUpState, 'log'> {
  readonly progress: FeedProgress;
  readonly loads: ScopeLoads;
  readonly base: ResetBase;
}

/** Whether somebody is shown the lines of what is delivered. */
const areLinesShown = ({ kind }: Scope, members: Members): boolean =>
  kind === 'campaign' ? members.isAnybodyLive() : members.all.size > 0 && members.showsOwnEarnings();

const deliver = (feed: Delivery, changes: Read, authorOf: AuthorOf): boolean => {
  const { scope, members, progress, loads, base, log } = feed;
  if (changes.withoutLines === true && !changes.reset && areLinesShown(scope, members)) return false;
  if (changes.reset || changes.docs.length > 0) progress.changedAt = changes.position;
  if (changes.reset) {
    progress.epoch += 1;
    progress.position = changes.position;
    base.keep(changes);
    loads.forgetOutdated();
    resetLive(feed);
    return true;
  }
  if (changes.docs.length > 0) loads.forgetOutdated();
  if (changes.position > progress.position) base.keep(null);
  const before = progress.position;
  progress.position = changes.position;
  if (changes.compared === true) {
    // Of what came and went since the base no content tells: who may hold it asks anew.
    for (const one of members.all) if (one.phase === 'live' && one.reaches > before) members.reset(one);
  }
  if (changes.docs.length === 0) return true;
  try {
    broadcast(feed, changes, authorOf, before);
  } catch (error) {
    // Read once more it would fail again, and hold up the other scopes: those in this one ask anew.
    log.error({ err: error, scope: scope.name }, 'What changed could not be presented');
    resetLive(feed);
  }
  return true;
};

/**
 * One scope of one licence: what changed is read once, presented once for all who are shown the same, and sent to them. Who is new, was away
 * or is slow gets what it misses by position, until it stands where the feed stands.
 */
export const scopeFeed = (options: FeedOptions): ScopeFeed => {
  const { deps, sent, room, licenceId, scope, from, bufferLimit } = options;
  const { now, log } = deps;
  const instant = (): string => new Date(now()).toISOString();
  const progress: FeedProgress = { position: from, changedAt: from, epoch: 0 };
  const members = membersOf(scope.name);
  const { showsOwnEarnings } = members;
  const { read, linesTaker } = scopeReader(deps, licenceId, scope, showsOwnEarnings);
  const loads = scopeLoads({ deps, room, licenceId, scope, progress, read, linesTaker, showsOwnEarnings, instant });
  const base = resetBase(scope);
  const shelf = sent.shelf();
  const catching: CatchUpState = { scope, members, progress, loads, shelf, bufferLimit, instant, log };
  const delivery: Delivery = {
    ...catching,
    progress,
    base,
    catchUp: (slow) => void catchUp(catching, slow, null),
  };

  return {
    scope,
    size: () => members.all.size,
    isAwaited: () => base.isKept() || loads.isAwaited(),
    position: () => progress.position,
    members: () => [...members.all],
    readOn: async () => {
      const found = await read(progress.position, members.isAnybodyLive());
      return base.changesSince(progress.position, found);
    },
    deliver: (changes, authorOf) => deliver(delivery, changes, authorOf),
    close() {
      shelf.clear();
      loads.close();
    },
    async open(subscription, opening) {
      members.add(subscription);
      await catchUp(catching, subscription, opening);
    },
    end: members.end,
    reset: members.reset,
  };
};

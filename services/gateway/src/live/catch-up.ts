import { createYielder, type YieldIfDue } from '@zakup/async/yielder';
import type { Change } from '@zakup/contracts/socket';
import type { Log } from '@zakup/service-kit/log';
import type { FeedProgress } from './feed-progress.ts';
import { drained, sendEncoded } from './outgoing.ts';
import type { PatchBaseCache } from './patch-base-cache.ts';
import type { Load, LoadEnd, ScopeLoads } from './scope-loads.ts';
import type { Scope } from './scope.ts';
import { hasEnded, type Members, type Opening, type Subscription } from './subscription.ts';
import type { View } from './view.ts';

/** What sockets of one scope are caught up with. */
export interface CatchUpState {
  readonly scope: Scope;
  readonly members: Members;
  readonly progress: Readonly<FeedProgress>;
  readonly loads: ScopeLoads;
  /** What documents were at the feed's position, where that is known. */
  readonly shelf: ReturnType<PatchBaseCache['shelf']>;
  /** Bytes under way to a socket above which it is waited for. */
  readonly bufferLimit: number;
  readonly instant: () => string;
  readonly log: Log;
}

/** Sends a load in as many messages as it needs, each when it is there, as fast as the socket takes them. */
const sendLoad = async (
  { scope, bufferLimit, instant }: CatchUpState,
  to: Subscription,
  of: Load,
  extras: readonly Change[],
): Promise<void> => {
  let yieldIfDue: YieldIfDue | null = null;
  for await (const part of of.parts) {
    yieldIfDue ??= createYielder({ long: part.progress !== null });
    await drained(to.socket, bufferLimit);
    if (hasEnded(to)) return;
    const last = part.progress === null;
    const { view } = to;
    const { position } = of;
    const more = last ? extras : [];
    const message = await part.message({ scope: scope.name, view, position, extras: more, instant, yieldIfDue });
    if (hasEnded(to)) return;
    if (message !== null) sendEncoded(to.socket, message);
    if (!last) await yieldIfDue();
  }
};

/** Who was sent this load holds what is in it, as do all others who are live: when it is no older than what was broadcast. */
const rememberLoad = ({ progress, shelf }: CatchUpState, of: Load, { reaches, grown }: LoadEnd, view: View): void => {
  if (of.epoch !== progress.epoch || reaches > of.position || of.position < progress.position) return;
  for (const { name, variant, position, sent: told } of grown(view))
    if (position <= progress.position && shelf.get(name, variant) === undefined) shelf.put(name, variant, told());
};

const untilLive = async (feed: CatchUpState, subscription: Subscription, opening: Opening | null): Promise<void> => {
  const { scope, members, progress, loads } = feed;
  const wanted = opening === null ? subscription.position : opening.since;
  // Sessions are in no log, so what is one's own is always sent whole.
  const whole = opening !== null && wanted !== undefined && (scope.kind === 'me' || wanted <= opening.rightsAt);
  let since = whole ? undefined : wanted;
  let first = opening;
  for (;;) {
    const missed =
      (first === null ? undefined : loads.recent(since, subscription.view)) ??
      (await loads.load(since, first !== null, subscription.view));
    if (first !== null) subscription.began = missed.reset ? -1 : (since ?? -1);
    first?.opened({ position: missed.position, reset: missed.reset || whole });
    await subscription.confirm();
    if (hasEnded(subscription)) return;
    if (first === null && missed.reset) {
      // What it began with stands at a floor, and would bring it here again.
      loads.forgetAll();
      return members.reset(subscription);
    }
    if (first !== null || (await missed.end).documents > 0)
      await sendLoad(feed, subscription, missed, first === null ? [] : await subscription.extras(missed.position));
    if (hasEnded(subscription)) return;
    const end = await missed.end;
    if (hasEnded(subscription)) return;
    subscription.position = missed.position;
    subscription.reaches = Math.max(subscription.reaches, end.reaches);
    since = missed.position;
    first = null;
    if (missed.epoch !== progress.epoch) return members.reset(subscription);
    if (missed.position < progress.position) continue;
    if (subscription.patches) rememberLoad(feed, missed, end, subscription.view);
    break;
  }
  subscription.phase = 'live';
};

/**
 * Sends a socket what it misses, until it stands where the feed stands and is live. With an opening it rejects, leaving the socket out, when
 * that fails before it is opened; whoever was told that it is, is reset instead.
 */
export const catchUp = async (
  feed: CatchUpState,
  subscription: Subscription,
  opening: Opening | null,
): Promise<void> => {
  const { scope, members, log } = feed;
  let isOpen = opening === null;
  const noted: Opening | null = opening && {
    ...opening,
    opened(at) {
      isOpen = true;
      opening.opened(at);
    },
  };
  try {
    if (opening === null) await drained(subscription.socket, 0);
    if (!hasEnded(subscription)) await untilLive(feed, subscription, noted);
  } catch (error) {
    if (!isOpen) {
      members.end(subscription);
      throw error;
    }
    // What was read for whoever has left was stopped.
    if (hasEnded(subscription)) return;
    log.error({ err: error, scope: scope.name }, 'A socket could not be caught up');
    members.reset(subscription);
  }
};

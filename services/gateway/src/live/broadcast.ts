import type { AuthorOf } from './change-authors.ts';
import { encodeChanges, kindsOf, sameFor, type WrittenMessage } from './encode-changes.ts';
import { sendEncoded, waitingBytes } from './outgoing.ts';
import type { PatchBaseCache } from './patch-base-cache.ts';
import type { Scope } from './scope.ts';
import type { Read } from './scope-read.ts';
import type { Members, Subscription } from './subscription.ts';
import type { View } from './view.ts';
import { newestOf } from './whole-load.ts';

/** What changes of one scope are broadcast with. */
export interface BroadcastState {
  readonly scope: Scope;
  readonly members: Members;
  /** What documents were at the feed's position, where that is known. */
  readonly shelf: ReturnType<PatchBaseCache['shelf']>;
  /** Bytes under way to a socket above which it is caught up later. */
  readonly bufferLimit: number;
  readonly instant: () => string;
  /** For a socket that takes no more at present. */
  readonly catchUp: (slow: Subscription) => void;
}

/** From where to where what is broadcast brings who gets it; nothing of it is newer than `reaches`. */
interface Span {
  readonly before: number;
  readonly after: number;
  readonly reaches: number;
}

const sendTo = (
  { bufferLimit, catchUp }: BroadcastState,
  message: WrittenMessage,
  group: readonly Subscription[],
  { before, after, reaches }: Span,
): void => {
  const slow: Subscription[] = [];
  for (const subscription of group) {
    if (subscription.position >= after) continue;
    if (waitingBytes(subscription.socket) > bufferLimit) {
      slow.push(subscription);
      continue;
    }
    // What it holds is what was broadcast, if nothing newer was sent to it and all of it by this feed.
    const holds = subscription.reaches <= before && subscription.began < message.oldestBase;
    sendEncoded(subscription.socket, subscription.patches && holds ? message.patched() : message.whole());
    subscription.position = after;
    subscription.reaches = reaches;
  }
  for (const subscription of slow) {
    subscription.phase = 'catching';
    catchUp(subscription);
  }
};

/** Presents what changed after `before` once for all who are shown the same, and sends it to everybody who is live. */
export const broadcast = (feed: BroadcastState, changes: Read, authorOf: AuthorOf, before: number): void => {
  const { scope, members, shelf, instant } = feed;
  const live = [...members.all].filter(({ phase }) => phase === 'live');
  const patching = live.some(({ patches }) => patches);
  const texts = encodeChanges({ scope: scope.name, read: changes, shelf, patching, authorOf, now: instant() });
  const kinds = kindsOf(changes.docs);
  const groups = new Map<string, { readonly view: View; readonly members: Subscription[] }>();
  for (const subscription of live) {
    const key = sameFor(subscription.view, kinds);
    const group = groups.get(key) ?? { view: subscription.view, members: [] };
    groups.set(key, group);
    group.members.push(subscription);
  }
  const span: Span = { before, after: changes.position, reaches: newestOf(changes) };
  for (const { view, members: group } of groups.values()) {
    const message = texts.messageFor(view);
    if (message !== null) sendTo(feed, message, group, span);
  }
  texts.remember();
};

/** Everybody who is live asks anew. */
export const resetLive = ({ members, shelf }: Pick<BroadcastState, 'members' | 'shelf'>): void => {
  shelf.clear();
  for (const subscription of members.all) if (subscription.phase === 'live') members.reset(subscription);
};

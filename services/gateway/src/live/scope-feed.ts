import type { Change } from '@zakup/contracts/socket';
import type { GatewayDeps } from '../deps.ts';
import { limits } from '../http/limits/limits.ts';
import { tooManyAtOnce } from '../http/limits/read-guard.ts';
import { Refused } from '../http/refused.ts';
import { createYielder } from '@zakup/async/yielder';
import { changesAfter } from './content-after.ts';
import { drained, type Encoded, type LiveSocket, sendEncoded, waitingBytes } from './outgoing.ts';
import { messageOf, type Part, partsOf } from './load-parts.ts';
import { recentLoads, type RoomForLoads } from './recent-loads.ts';
import type { AuthorOf } from './change-authors.ts';
import type { Scope } from './scope.ts';
import type { Read } from './scope-read.ts';
import { scopeReader } from './scope-reader.ts';
import type { Sent, PatchBaseCache } from './patch-base-cache.ts';
import { showsEarnings, type View } from './view.ts';
import { type Grown, grownIn, newestOf, type WholeLoad } from './whole-load.ts';
import { kindsOf, sameFor, type WrittenMessage, encodeChanges } from './encode-changes.ts';

/** One socket's part in a scope. */
export interface Subscription {
  readonly socket: LiveSocket;
  readonly view: View;
  /** Whether it takes patches. */
  readonly patches: boolean;
  /** Documents that come with the first load and are in no read store. */
  readonly extras: (position: number) => Promise<readonly Change[]>;
  /** Looks at the person's rights again, and resets or ends what they no longer open; called between reading and sending. */
  readonly confirm: () => Promise<void>;
  /** Forgets it; called when the feed gives it up. */
  readonly onReset: () => void;
  /** `catching`: gets what it misses by position; `live`: gets what is broadcast. */
  phase: 'catching' | 'live' | 'ended';
  /** Everything up to here was sent. */
  position: number;
  /** Nothing newer than this was sent. */
  reaches: number;
  /** Of documents that did not change after this nothing was sent; −1 = everything was. */
  began: number;
}

/** What is asked when a subscription begins. */
export interface Opening {
  readonly since: number | undefined;
  /** A `since` at or below it is answered with everything: other rights show other documents. */
  readonly rightsAt: number;
  /** Called once, before the first `changes`. */
  readonly opened: (at: { readonly position: number; readonly reset: boolean }) => void;
}

/** A read that several sockets share. */
interface Load extends Pick<Read, 'position' | 'reset'> {
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

interface GrownDocument extends Pick<Grown, 'name' | 'variant' | 'position'> {
  readonly sent: () => Sent;
}

/** Milliseconds for which the content of a reset is kept, to tell the floor of that reset from another one. */
export const baseKept = 5_000;
/** Whether what comes after `since` may be as much as everything. */
export const isWhole = (since: number | undefined, position: number): boolean =>
  since === undefined || position - since > limits.farBehind;

export type FeedDeps = Pick<GatewayDeps, 'readStore' | 'partition' | 'now' | 'log' | 'guard' | 'thread'>;

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
const writtenLoad = ({ position, reaches, documents, parts, grown }: WholeLoad): Omit<Load, 'epoch'> => ({
  position,
  reset: false,
  docs: { length: documents },
  reaches,
  parts: parts.map(({ progress, message }) => ({ progress, message: async () => message })),
  grown: () => grown.map((one) => ({ ...one, sent: () => sentText(one) })),
});

/**
 * One scope of one licence: what changed is read once, presented once for all who are shown the same, and sent to them. Who is new, was away
 * or is slow gets what it misses by position, until it stands where the feed stands.
 */
export const scopeFeed = ({
  deps,
  sent,
  room,
  licenceId,
  scope,
  from,
  bufferLimit,
}: {
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
}) => {
  const { now, log, guard } = deps;
  const subscriptions = new Set<Subscription>();
  /** Under way. */
  const loads = new Map<string, Promise<Load>>();
  /** Done a moment ago. What others see of a licence is one of the hour, and sessions are in no log. */
  const isTimeless = scope.kind === 'campaign' || scope.kind === 'contractor';
  const recent = recentLoads<Load>({ room, licenceId, isTimeless, timers: guard.timers });
  /** Everything up to here was broadcast. */
  let position = from;
  /** Where something was last broadcast. */
  let changedAt = from;
  /** Raised whenever what was sent before may no longer be exact. */
  let epoch = 0;
  let isClosed = false;
  /** What everybody was last reset to. */
  let base: Read | null = null;
  /** What documents were at `position`, where that is known. */
  const shelf = sent.shelf();

  const instant = (): string => new Date(now()).toISOString();

  /** In `me`; asked anew each time, as rights change. */
  const showsOwnEarnings = (): boolean =>
    subscriptions.size === 0 || [...subscriptions].some(({ view }) => showsEarnings(view));
  const read = scopeReader(deps, licenceId, scope, showsOwnEarnings);

  /** The rows of a deleted campaign stay as they were: who holds them has to ask, and is told that it is gone. */
  const isDeleted = ({ docs }: Read): boolean =>
    scope.kind === 'campaign' &&
    !docs.some(({ doc }) => doc.kind === 'campaign' && doc.id === scope.id && !doc.deleted);

  /** A floor holds for the position it was raised at, so the store answers the next read with everything once more: nobody is reset twice for it. */
  const readOn = async (): Promise<Read> => {
    const found = await read(position);
    if (!found.reset || base?.position !== position || isDeleted(found)) return found;
    const known = await changesAfter(base, found);
    if (known === null) return found;
    return { ...known, compared: true, ...(found.withoutLines === true && { withoutLines: true }) };
  };

  const keepBase = (content: Read | null): void => {
    base = content;
    if (content === null) return;
    setTimeout(() => {
      if (base === content) base = null;
    }, baseKept).unref();
  };

  /** Whether another thread reads and writes it: then it is of one view. */
  const isElsewhere = (since: number | undefined): boolean =>
    deps.thread !== undefined && since === undefined && isTimeless;

  const keyOfLoad = (since: number | undefined, view: View): string =>
    `${since ?? 'all'} ${isElsewhere(since) ? view.key : showsOwnEarnings()}`;

  const readLoad = async (since: number | undefined): Promise<Omit<Load, 'epoch'>> => {
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

  const madeLoad = async (since: number | undefined, view: View): Promise<Omit<Load, 'epoch'>> =>
    deps.thread !== undefined && isElsewhere(since)
      ? writtenLoad(await deps.thread.scope(licenceId, scope, view))
      : readLoad(since);

  /** A whole scope is read in a turn: who has many of them read again and again waits for a while, and nobody else does. Who goes on is not sent away. */
  const inTurn = async (
    since: number | undefined,
    begins: boolean,
    work: () => Promise<Omit<Load, 'epoch'>>,
  ): Promise<Omit<Load, 'epoch'>> => {
    if (!begins || scope.kind === 'me' || !isWhole(since, position)) return work();
    const done = await guard.scope(licenceId, work);
    if (done === null) throw new Refused(tooManyAtOnce);
    return done;
  };

  const isCurrent = (done: Load): boolean => done.epoch === epoch && done.position >= changedAt;

  const load = (since: number | undefined, begins: boolean, view: View): Promise<Load> => {
    const key = keyOfLoad(since, view);
    const running = loads.get(key);
    if (running !== undefined) return running;
    let begun = epoch;
    const making = inTurn(since, begins, () => {
      begun = epoch;
      return madeLoad(since, view);
    }).then((made): Load => {
      const fresh: Load = { ...made, epoch: begun };
      if (!isClosed && isCurrent(fresh)) recent.keep(key, fresh);
      return fresh;
    });
    loads.set(key, making);
    const forget = (): void => {
      loads.delete(key);
    };
    making.then(forget, forget);
    return making;
  };

  /** Who begins may begin with what others just got, unless something changed since: what the load lacks comes after it. */
  const recentLoad = (since: number | undefined, view: View): Load | undefined => {
    const done = recent.get(keyOfLoad(since, view));
    return done !== undefined && isCurrent(done) ? done : undefined;
  };

  const end = (subscription: Subscription): void => {
    subscription.phase = 'ended';
    subscriptions.delete(subscription);
  };

  /** The client drops the scope and asks anew, without `since`. */
  const reset = (subscription: Subscription): void => {
    end(subscription);
    subscription.onReset();
    subscription.socket.emit('reset', { scope: scope.name });
  };

  /** Asked anew each time: it changes while the feed waits. */
  const hasEnded = ({ phase, socket }: Subscription): boolean => phase === 'ended' || !socket.connected;

  /** Sends a load in as many messages as it needs, as fast as the socket takes them. */
  const sendLoad = async (to: Subscription, of: Load, extras: readonly Change[]): Promise<void> => {
    const yieldIfDue = createYielder({ long: of.parts.length > 1 });
    for (const part of of.parts) {
      await drained(to.socket, bufferLimit);
      if (hasEnded(to)) return;
      const last = part.progress === null;
      const { view } = to;
      const { position: at } = of;
      const more = last ? extras : [];
      const message = await part.message({ scope: scope.name, view, position: at, extras: more, instant, yieldIfDue });
      if (hasEnded(to)) return;
      if (message !== null) sendEncoded(to.socket, message);
      if (!last) await yieldIfDue();
    }
  };

  /** Who was sent this load holds what is in it, as do all others who are live: when it is no older than what was broadcast. */
  const rememberLoad = (of: Load, view: View): void => {
    if (of.epoch !== epoch || of.reaches > of.position || of.position < position) return;
    for (const { name, variant, position: at, sent: told } of of.grown(view))
      if (at <= position && shelf.get(name, variant) === undefined) shelf.put(name, variant, told());
  };

  const catchUp = async (subscription: Subscription, opening: Opening | null): Promise<void> => {
    const wanted = opening === null ? subscription.position : opening.since;
    // Sessions are in no log, so what is one's own is always sent whole.
    const whole = opening !== null && wanted !== undefined && (scope.kind === 'me' || wanted <= opening.rightsAt);
    let since = whole ? undefined : wanted;
    let first = opening;
    for (;;) {
      const missed =
        (first === null ? undefined : recentLoad(since, subscription.view)) ??
        (await load(since, first !== null, subscription.view));
      if (first !== null) subscription.began = missed.reset ? -1 : (since ?? -1);
      first?.opened({ position: missed.position, reset: missed.reset || whole });
      await subscription.confirm();
      if (hasEnded(subscription)) return;
      if (first === null && missed.reset) {
        // What it began with stands at a floor, and would bring it here again.
        recent.forget(() => true);
        return reset(subscription);
      }
      if (first !== null || missed.docs.length > 0) {
        await sendLoad(subscription, missed, first === null ? [] : await subscription.extras(missed.position));
        if (hasEnded(subscription)) return;
      }
      subscription.position = missed.position;
      subscription.reaches = Math.max(subscription.reaches, missed.reaches);
      since = missed.position;
      first = null;
      if (missed.epoch !== epoch) return reset(subscription);
      if (missed.position < position) continue;
      if (subscription.patches) rememberLoad(missed, subscription.view);
      break;
    }
    subscription.phase = 'live';
  };

  const follow = async (subscription: Subscription, opening: Opening | null): Promise<void> => {
    try {
      if (opening === null) await drained(subscription.socket, 0);
      if (!hasEnded(subscription)) await catchUp(subscription, opening);
    } catch (error) {
      if (opening !== null) {
        end(subscription);
        throw error;
      }
      log.error({ err: error, scope: scope.name }, 'A socket could not be caught up');
      if (!hasEnded(subscription)) reset(subscription);
    }
  };

  const broadcast = (
    message: WrittenMessage,
    group: readonly Subscription[],
    { before, after, reaches }: { readonly before: number; readonly after: number; readonly reaches: number },
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
      void follow(subscription, null);
    }
  };

  const broadcastAll = (changes: Read, authorOf: AuthorOf, before: number): void => {
    const live = [...subscriptions].filter(({ phase }) => phase === 'live');
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
    const span = { before, after: changes.position, reaches: newestOf(changes) };
    for (const { view, members } of groups.values()) {
      const message = texts.messageFor(view);
      if (message !== null) broadcast(message, members, span);
    }
    texts.remember();
  };

  const resetLive = (): void => {
    shelf.clear();
    for (const subscription of subscriptions) if (subscription.phase === 'live') reset(subscription);
  };

  return {
    scope,
    /** How many sockets are in it. */
    size: (): number => subscriptions.size,
    /** Whether it was reset a moment ago, so that those who were in it are about to come back, or holds what whoever comes can have at once. */
    isAwaited: (): boolean => base !== null || recent.hasLong(),
    position: (): number => position,
    members: (): readonly Subscription[] => [...subscriptions],
    /** What changed after what was broadcast. */
    readOn,

    /**
     * Sends what `readOn` found to everybody who is live, or resets them where it cannot be presented. False: somebody came meanwhile who is
     * shown what it lacks; it is to be read once more.
     */
    deliver(changes: Read, authorOf: AuthorOf): boolean {
      if (changes.withoutLines === true && !changes.reset && subscriptions.size > 0 && showsOwnEarnings()) return false;
      if (changes.reset || changes.docs.length > 0) changedAt = changes.position;
      if (changes.reset) {
        epoch += 1;
        position = changes.position;
        keepBase(changes);
        recent.forget((done) => !isCurrent(done));
        resetLive();
        return true;
      }
      if (changes.docs.length > 0) recent.forget((done) => !isCurrent(done));
      if (changes.position > position) keepBase(null);
      const before = position;
      position = changes.position;
      if (changes.compared === true) {
        // Of what came and went since the base no content tells: who may hold it asks anew.
        for (const one of subscriptions) if (one.phase === 'live' && one.reaches > before) reset(one);
      }
      if (changes.docs.length === 0) return true;
      try {
        broadcastAll(changes, authorOf, before);
      } catch (error) {
        // Read once more it would fail again, and hold up the other scopes: those in this one ask anew.
        log.error({ err: error, scope: scope.name }, 'What changed could not be presented');
        resetLive();
      }
      return true;
    },

    /** Nobody is in it any more, nor will be. */
    close: (): void => {
      isClosed = true;
      shelf.clear();
      recent.forget(() => true);
    },

    /** Takes a socket in: the load or what it missed first, then live. Rejects, leaving it out, when the read store fails before `opened`. */
    async open(subscription: Subscription, opening: Opening): Promise<void> {
      subscriptions.add(subscription);
      await follow(subscription, opening);
    },

    end,
    reset,
  };
};

export type ScopeFeed = ReturnType<typeof scopeFeed>;

import type { Change } from '@zakup/contracts/socket';
import type { GatewayDeps } from '../deps.ts';
import { changesAfter } from './content-after.ts';
import { drained, encoded, type LiveServer, type LiveSocket, sendEncoded, waitingBytes } from './outgoing.ts';
import type { Scope } from './scope.ts';
import { type Read, scopeReader } from './scope-reader.ts';
import { changesFor, type View } from './view.ts';

/** One socket's part in a scope. */
export interface Subscription {
  readonly socket: LiveSocket;
  readonly view: View;
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
}

/** What is asked when a subscription begins. */
export interface Opening {
  readonly since: number | undefined;
  /** A `since` at or below it is answered with everything: other rights show other documents. */
  readonly rightsAt: number;
  /** Called once, before the first `changes`. */
  readonly opened: (at: { readonly position: number; readonly reset: boolean }) => void;
}

/** A read that several sockets share, with its messages made once for each view. */
interface Load extends Read {
  readonly epoch: number;
  readonly parts: Map<string, (readonly Change[])[]>;
  readonly texts: Map<string, string>;
}

/** Milliseconds for which a load serves those who come next: after a break everybody comes at once. */
const shared = 1_000;
/** Milliseconds for which the content of a reset is kept, to tell the floor of that reset from another one. */
export const baseKept = 5_000;
/** Documents of the store in one message of a load; each becomes at most two on the wire. */
const loadSlice = 250;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export type FeedDeps = Pick<GatewayDeps, 'readStore' | 'partition' | 'now' | 'log'>;

/**
 * One scope of one licence: what changed is read once, presented once for each view, and sent to all sockets of the view. Who is new,
 * was away or is slow gets what it misses by position, until it stands where the feed stands.
 */
export const scopeFeed = ({
  deps,
  io,
  licenceId,
  scope,
  from,
  bufferLimit,
}: {
  readonly deps: FeedDeps;
  readonly io: LiveServer;
  readonly licenceId: string;
  readonly scope: Scope;
  /** A position that the read models have reached. */
  readonly from: number;
  /** Bytes under way to a socket above which it is caught up later. */
  readonly bufferLimit: number;
}) => {
  const { now, log } = deps;
  const subscriptions = new Set<Subscription>();
  /** Under way. */
  const loads = new Map<number | 'all', Promise<Load>>();
  /** Done a moment ago. */
  const recent = new Map<number | 'all', Load>();
  /** Everything up to here was broadcast. */
  let position = from;
  /** Where something was last broadcast. */
  let changedAt = from;
  /** Raised whenever what was sent before may no longer be exact. */
  let epoch = 0;
  /** What everybody was last reset to. */
  let base: Read | null = null;

  const instant = (): string => new Date(now()).toISOString();
  const roomOf = (view: View): string => `${licenceId} ${scope.stored} ${view.key}`;

  const read = scopeReader(deps, licenceId, scope);

  /** A floor holds for the position it was raised at, so the store answers the next read with everything once more: nobody is reset twice for it. */
  const readOn = async (): Promise<Read> => {
    const found = await read(position);
    const known = found.reset && base?.position === position ? await changesAfter(base, found) : null;
    return known ?? found;
  };

  const keepBase = (content: Read | null): void => {
    base = content;
    if (content === null) return;
    setTimeout(() => {
      if (base === content) base = null;
    }, baseKept).unref();
  };

  const load = (since: number | undefined): Promise<Load> => {
    const key = since ?? 'all';
    const running = loads.get(key);
    if (running !== undefined) return running;
    const begun = epoch;
    const made = read(since).then((changes): Load => {
      const done: Load = { ...changes, epoch: begun, parts: new Map(), texts: new Map() };
      recent.set(key, done);
      setTimeout(() => {
        if (recent.get(key) === done) recent.delete(key);
      }, shared).unref();
      return done;
    });
    loads.set(key, made);
    const forget = (): void => {
      loads.delete(key);
    };
    made.then(forget, forget);
    return made;
  };

  /** Who begins may begin with what others just got, unless something changed since: what the load lacks comes after it. */
  const recentLoad = (since: number | undefined): Load | undefined => {
    const done = recent.get(since ?? 'all');
    return done !== undefined && done.epoch === epoch && done.position >= changedAt ? done : undefined;
  };

  const partOf = ({ docs, parts }: Load, view: View, index: number): readonly Change[] => {
    const made = parts.get(view.key) ?? [];
    parts.set(view.key, made);
    const part = made[index] ?? changesFor(view, docs.slice(index * loadSlice, (index + 1) * loadSlice), instant());
    made[index] = part;
    return part;
  };

  const textOf = (of: Load, view: View, index: number, last: boolean, extras: readonly Change[]): string => {
    const message = (): string =>
      encoded('changes', {
        scope: scope.name,
        position: of.position,
        docs: [...partOf(of, view, index), ...extras],
        last,
      });
    if (extras.length > 0) return message();
    const key = `${index} ${view.key}`;
    const text = of.texts.get(key) ?? message();
    of.texts.set(key, text);
    return text;
  };

  const end = (subscription: Subscription): void => {
    subscription.phase = 'ended';
    subscriptions.delete(subscription);
    void subscription.socket.leave(roomOf(subscription.view));
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
    const count = Math.max(1, Math.ceil(of.docs.length / loadSlice));
    for (let index = 0; index < count; index += 1) {
      await drained(to.socket, bufferLimit);
      if (hasEnded(to)) return;
      const last = index === count - 1;
      if (last || partOf(of, to.view, index).length > 0) {
        sendEncoded(to.socket, textOf(of, to.view, index, last, last ? extras : []));
      }
      if (!last) await turn();
    }
  };

  const catchUp = async (subscription: Subscription, opening: Opening | null): Promise<void> => {
    const wanted = opening === null ? subscription.position : opening.since;
    // Sessions are in no log, so what is one's own is always sent whole.
    const whole = opening !== null && wanted !== undefined && (scope.kind === 'me' || wanted <= opening.rightsAt);
    let since = whole ? undefined : wanted;
    let first = opening;
    for (;;) {
      const missed = (first === null ? undefined : recentLoad(since)) ?? (await load(since));
      first?.opened({ position: missed.position, reset: missed.reset || whole });
      await subscription.confirm();
      if (hasEnded(subscription)) return;
      if (first === null && missed.reset) {
        // What it began with stands at a floor, and would bring it here again.
        recent.clear();
        return reset(subscription);
      }
      if (first !== null || missed.docs.length > 0) {
        await sendLoad(subscription, missed, first === null ? [] : await subscription.extras(missed.position));
        if (hasEnded(subscription)) return;
      }
      subscription.position = missed.position;
      since = missed.position;
      first = null;
      if (missed.epoch !== epoch) return reset(subscription);
      if (missed.position >= position) break;
    }
    subscription.phase = 'live';
    await subscription.socket.join(roomOf(subscription.view));
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

  const broadcast = (view: View, group: readonly Subscription[], { docs, position: at }: Read): void => {
    const shown = changesFor(view, docs, instant());
    if (shown.length === 0) return;
    const left: string[] = [];
    const slow: Subscription[] = [];
    for (const subscription of group) {
      if (subscription.position >= at) left.push(subscription.socket.id);
      else if (waitingBytes(subscription.socket) > bufferLimit) slow.push(subscription);
      else subscription.position = at;
    }
    for (const subscription of slow) {
      subscription.phase = 'catching';
      void subscription.socket.leave(roomOf(view));
    }
    io.to(roomOf(view)).except(left).emit('changes', { scope: scope.name, position: at, docs: shown, last: true });
    for (const subscription of slow) void follow(subscription, null);
  };

  return {
    scope,
    /** How many sockets are in it. */
    size: (): number => subscriptions.size,
    /** Whether it was reset a moment ago, so that those who were in it are about to come back. */
    isAwaited: (): boolean => base !== null,
    position: (): number => position,
    members: (): readonly Subscription[] => [...subscriptions],
    /** What changed after what was broadcast. */
    readOn,

    /** Sends what `readOn` found to everybody who is live. */
    deliver(changes: Read): void {
      if (changes.reset || changes.docs.length > 0) changedAt = changes.position;
      if (changes.reset) {
        epoch += 1;
        position = changes.position;
        keepBase(changes);
        for (const subscription of subscriptions) if (subscription.phase === 'live') reset(subscription);
        return;
      }
      if (changes.position > position) keepBase(null);
      position = changes.position;
      if (changes.docs.length === 0) return;
      const groups = new Map<string, Subscription[]>();
      for (const subscription of subscriptions) {
        if (subscription.phase !== 'live') continue;
        const group = groups.get(subscription.view.key) ?? [];
        group.push(subscription);
        groups.set(subscription.view.key, group);
      }
      for (const group of groups.values()) {
        const [any] = group;
        if (any !== undefined) broadcast(any.view, group, changes);
      }
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

import type { Change } from '@zakup/contracts/socket';
import type { LiveSocket } from './outgoing.ts';
import { showsEarnings, type View } from './view.ts';

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

/** Asked anew each time: it changes while the feed waits. */
export const hasEnded = ({ phase, socket }: Subscription): boolean => phase === 'ended' || !socket.connected;

/** Sockets in one scope. */
export interface Members {
  readonly all: ReadonlySet<Subscription>;
  readonly add: (subscription: Subscription) => void;
  readonly end: (subscription: Subscription) => void;
  /** The client drops the scope and asks anew, without `since`. */
  readonly reset: (subscription: Subscription) => void;
  /** Whether somebody gets what is broadcast; asked anew each time. */
  readonly isAnybodyLive: () => boolean;
  /** In `me`; asked anew each time, as rights change. */
  readonly showsOwnEarnings: () => boolean;
}

export const membersOf = (scopeName: string): Members => {
  const all = new Set<Subscription>();
  const end = (subscription: Subscription): void => {
    subscription.phase = 'ended';
    all.delete(subscription);
  };
  return {
    all,
    add: (subscription) => void all.add(subscription),
    end,
    reset(subscription) {
      end(subscription);
      subscription.onReset();
      subscription.socket.emit('reset', { scope: scopeName });
    },
    isAnybodyLive: () => [...all].some(({ phase }) => phase === 'live'),
    showsOwnEarnings: () => all.size === 0 || [...all].some(({ view }) => showsEarnings(view)),
  };
};

import type { Delay } from '@zakup/async/delay';
import { setMaxListeners } from 'node:events';
import type { AccessDoor, AccessEvent, AccessRefusal } from '@zakup/domain/access/events';
import { type AccessHolder, accessStream } from './access-entry.ts';

/** One refused try of somebody who is known. */
export interface AccountRefusal {
  readonly holder: AccessHolder;
  readonly door: AccessDoor;
  readonly reason: AccessRefusal;
  readonly network: string;
}

export interface RefusalGathererDeps {
  /** False = not now: they are gathered on. */
  readonly write: (holder: AccessHolder, refused: AccessEvent) => Promise<boolean>;
  /** UTC milliseconds. */
  readonly now: () => number;
  readonly wait: Delay;
  /** Aborted = what was gathered is written now, and nothing more is. */
  readonly signal: AbortSignal;
  readonly onLost: (entries: number) => void;
}

/** Writes the refusals of an account together, some seconds after the first and ever more seldom while they go on. */
export interface RefusalGatherer {
  /** Returns at once. */
  add(refusal: AccountRefusal): void;
  /** Resolves when nothing is gathered any more; the signal must be aborted. */
  settled(): Promise<void>;
}

const second = 1000;
const minute = 60 * second;
/** How long refusals are gathered before they are written: at first, and while they go on. */
const windows = [10 * second, minute, 5 * minute, 30 * minute, 60 * minute] as const;
const mostAccounts = 1000;
const mostNetworks = 5;

/** What one account has gathered since it was last written. */
interface Gathered {
  readonly holder: AccessHolder;
  /** Of the `windows`. */
  window: number;
  /** UTC milliseconds of the first and the last. */
  since: number;
  until: number;
  count: number;
  readonly reasons: Map<AccessRefusal, number>;
  readonly doors: Set<AccessDoor>;
  readonly networks: Set<string>;
}

const nothingOf = (holder: AccessHolder): Gathered => ({
  holder,
  window: 0,
  since: 0,
  until: 0,
  count: 0,
  reasons: new Map(),
  doors: new Set(),
  networks: new Set(),
});

const gather = (gathered: Gathered, { door, reason, network }: AccountRefusal, at: number): void => {
  if (gathered.count === 0) gathered.since = at;
  gathered.until = at;
  gathered.count += 1;
  gathered.reasons.set(reason, (gathered.reasons.get(reason) ?? 0) + 1);
  gathered.doors.add(door);
  // One more than is told, so that it can be said that there were more.
  if (network !== '' && gathered.networks.size <= mostNetworks) gathered.networks.add(network);
};

const beginNextWindow = (gathered: Gathered): void => {
  gathered.count = 0;
  gathered.reasons.clear();
  gathered.doors.clear();
  gathered.networks.clear();
  gathered.window = Math.min(gathered.window + 1, windows.length - 1);
};

const refusedEvent = ({ since, until, count, reasons, doors, networks }: Gathered): AccessEvent => ({
  type: 'SignInRefused',
  data: {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    count,
    reasons: Object.fromEntries(reasons),
    doors: [...doors],
    networks: [...networks].slice(0, mostNetworks),
    moreNetworks: networks.size > mostNetworks,
  },
});

export const refusalGatherer = ({ write, now, wait, signal, onLost }: RefusalGathererDeps): RefusalGatherer => {
  // One for each account that is told of, and there are no more than so many.
  setMaxListeners(mostAccounts + 1, signal);
  const accounts = new Map<string, Gathered>();
  const running = new Set<Promise<void>>();

  /** Writes what an account has gathered whenever a window is over; one without anything new ends it. */
  const writeWindows = async (key: string, gathered: Gathered): Promise<void> => {
    for (;;) {
      await wait(windows[gathered.window] ?? minute, signal);
      if (gathered.count === 0) break;
      const written = await write(gathered.holder, refusedEvent(gathered));
      if (written) beginNextWindow(gathered);
      if (signal.aborted) {
        if (!written) onLost(1);
        break;
      }
    }
    accounts.delete(key);
  };

  const begin = (key: string, holder: AccessHolder): Gathered => {
    const gathered = nothingOf(holder);
    accounts.set(key, gathered);
    const work = writeWindows(key, gathered);
    running.add(work);
    void work.finally(() => running.delete(work));
    return gathered;
  };

  return {
    add(refusal) {
      const key = accessStream(refusal.holder);
      const known = accounts.get(key);
      if (known === undefined && (accounts.size >= mostAccounts || signal.aborted)) {
        onLost(1);
        return;
      }
      gather(known ?? begin(key, refusal.holder), refusal, now());
    },

    async settled() {
      await Promise.all(running);
    },
  };
};

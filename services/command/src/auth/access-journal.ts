import { unrefDelay } from '@zakup/async/delay';
import { setMaxListeners } from 'node:events';
import { accessEntity } from '@zakup/domain/access/access.entity';
import type { AccessDoor, AccessEvent, AccessRefusal } from '@zakup/domain/access/events';
import { catalogEntry } from '@zakup/domain/catalog';
import type { EventStore, EventToAppend } from '@zakup/event-store/event-store';
import type { Metrics } from '@zakup/service-kit/metrics';
import { streamOf } from '../pipeline/ids.ts';

/** Whose door it is. */
export interface AccessHolder {
  readonly licenceId: string;
  readonly personId: string;
}

/** One refused try. */
export interface RefusedTry {
  /** Null = nobody that is known: told to the metrics alone. */
  readonly holder: AccessHolder | null;
  readonly door: AccessDoor | 'admin';
  readonly reason: AccessRefusal;
  readonly network: string;
}

/** Tells the audit of sign-ins (AUTH-34, AUTH-35). Nothing of it ever rejects: whoever has the right secret comes in, written or not. */
export interface AccessJournal {
  /**
   * What a person did, or `system`. Resolves when it is durable, at the latest after a second: what could not be written is kept in memory
   * and tried again.
   */
  tell(holder: AccessHolder, actorId: string, events: readonly [AccessEvent, ...AccessEvent[]]): Promise<void>;
  /** Returns at once. The refusals of an account are written together, some seconds after the first and ever more seldom while they go on. */
  refused(refusal: RefusedTry): void;
  /** Writes what is left, once. */
  stop(): Promise<void>;
}

/** The part of a logger that is used. */
export interface AccessLog {
  warn(about: object, message: string): void;
}

export interface AccessJournalDeps {
  readonly eventStore: Pick<EventStore, 'append'>;
  readonly metrics: Pick<Metrics, 'signInRefusals' | 'lostAccessEntries'>;
  readonly log: AccessLog;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** A fresh UUID. */
  readonly newId: () => string;
  /** Told the network of every refused try at the admin's door, which is of no licence. */
  readonly onAdminRefused?: ((network: string) => void) | undefined;
  /** Why nothing may be written now. */
  readonly readOnly: () => string | null;
  /** Resolves after so many milliseconds, or early when the signal aborts. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const second = 1000;
const minute = 60 * second;
/** How long refusals are gathered before they are written: at first, and while they go on. */
const windows = [10 * second, minute, 5 * minute, 30 * minute, 60 * minute] as const;
/** How long a sign-in waits for its entry. */
const patience = second;
const retryAfter = 5 * second;
const mostAccounts = 1000;
const mostUnwritten = 1000;
const mostNetworks = 5;

interface Gathered {
  readonly holder: AccessHolder;
  window: number;
  since: number;
  until: number;
  count: number;
  readonly reasons: Map<AccessRefusal, number>;
  readonly doors: Set<AccessDoor>;
  readonly networks: Set<string>;
}

const iso = (instant: number): string => new Date(instant).toISOString();

/** What is appended to a person's stream of access. */
export interface Entry {
  readonly stream: string;
  readonly events: readonly [EventToAppend, ...EventToAppend[]];
}

export const accessEntry = (
  holder: AccessHolder,
  events: readonly [AccessEvent, ...AccessEvent[]],
  by: {
    readonly actorId: string;
    readonly commandId: string;
    /** UTC milliseconds. */
    readonly at: number;
    readonly newId: () => string;
  },
): Entry => {
  const { actorId, commandId, at, newId } = by;
  const toAppend = ({ type, data }: AccessEvent): EventToAppend => ({
    id: newId(),
    type,
    data,
    metadata: {
      licenceId: holder.licenceId,
      actorId,
      source: actorId === 'system' ? 'system' : 'screen',
      commandId,
      requestHash: '',
      at: iso(at),
      schemaVersion: catalogEntry(type)?.version ?? 1,
    },
  });
  const [first, ...rest] = events;
  return {
    stream: streamOf(accessEntity.category, holder.licenceId, holder.personId),
    events: [toAppend(first), ...rest.map(toAppend)],
  };
};

const gathering = (holder: AccessHolder): Gathered => ({
  holder,
  window: 0,
  since: 0,
  until: 0,
  count: 0,
  reasons: new Map(),
  doors: new Set(),
  networks: new Set(),
});

const refusalOf = ({ since, until, count, reasons, doors, networks }: Gathered): AccessEvent => ({
  type: 'SignInRefused',
  data: {
    since: iso(since),
    until: iso(until),
    count,
    reasons: Object.fromEntries(reasons),
    doors: [...doors],
    networks: [...networks].slice(0, mostNetworks),
    moreNetworks: networks.size > mostNetworks,
  },
});

export const accessJournal = (deps: AccessJournalDeps): AccessJournal => {
  const { eventStore, metrics, log, now, newId, readOnly, onAdminRefused, wait = unrefDelay } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  // One for each account that is told of, and there are no more than so many.
  setMaxListeners(mostAccounts + 1, signal);
  const accounts = new Map<string, Gathered>();
  const unwritten: Entry[] = [];
  const running = new Set<Promise<void>>();
  let retrying = false;

  const inBackground = (work: Promise<void>): void => {
    running.add(work);
    void work.finally(() => running.delete(work));
  };

  const entryOf = (holder: AccessHolder, actorId: string, events: readonly [AccessEvent, ...AccessEvent[]]): Entry =>
    accessEntry(holder, events, { actorId, commandId: newId(), at: now(), newId });

  /** False = not now; what went wrong is in the log. */
  const written = async ({ stream, events }: Entry): Promise<boolean> => {
    if (readOnly() !== null) return false;
    try {
      await eventStore.append([{ stream, expectedRevision: 'any', events }], {});
      return true;
    } catch (error) {
      log.warn({ err: error }, 'An entry of the audit could not be written');
      return false;
    }
  };

  const lost = (entries: number): void => {
    if (entries > 0) metrics.lostAccessEntries.inc(entries);
  };

  const retry = async (): Promise<void> => {
    while (unwritten.length > 0) {
      await wait(retryAfter, signal);
      for (let first = unwritten[0]; first !== undefined && (await written(first)); first = unwritten[0])
        unwritten.shift();
      if (signal.aborted) return;
    }
    retrying = false;
  };

  const keep = (entry: Entry): void => {
    if (unwritten.length >= mostUnwritten || signal.aborted) {
      lost(1);
      return;
    }
    unwritten.push(entry);
    if (retrying) return;
    retrying = true;
    inBackground(retry());
  };

  const tellLater = async (entry: Entry): Promise<void> => {
    if (!(await written(entry))) keep(entry);
  };

  /** Writes what an account has gathered whenever a window is over; one without anything new ends it. */
  const gather = async (key: string, gathered: Gathered): Promise<void> => {
    for (;;) {
      await wait(windows[gathered.window] ?? minute, signal);
      if (gathered.count === 0) break;
      const done = await written(entryOf(gathered.holder, 'system', [refusalOf(gathered)]));
      if (done) {
        gathered.count = 0;
        gathered.reasons.clear();
        gathered.doors.clear();
        gathered.networks.clear();
        gathered.window = Math.min(gathered.window + 1, windows.length - 1);
      }
      if (signal.aborted) {
        if (!done) lost(1);
        break;
      }
    }
    accounts.delete(key);
  };

  return {
    async tell(holder, actorId, events) {
      const done = tellLater(entryOf(holder, actorId, events));
      inBackground(done);
      const inTime = new AbortController();
      await Promise.race([done, wait(patience, inTime.signal)]);
      inTime.abort();
    },

    refused({ holder, door, reason, network }) {
      metrics.signInRefusals.inc({ door });
      if (door === 'admin') onAdminRefused?.(network);
      if (holder === null || door === 'admin') return;
      const key = streamOf(accessEntity.category, holder.licenceId, holder.personId);
      let gathered = accounts.get(key);
      if (gathered === undefined) {
        if (accounts.size >= mostAccounts || signal.aborted) {
          lost(1);
          return;
        }
        gathered = gathering(holder);
        accounts.set(key, gathered);
        inBackground(gather(key, gathered));
      }
      const at = now();
      if (gathered.count === 0) gathered.since = at;
      gathered.until = at;
      gathered.count += 1;
      gathered.reasons.set(reason, (gathered.reasons.get(reason) ?? 0) + 1);
      gathered.doors.add(door);
      // One more than is told, so that it can be said that there were more.
      if (network !== '' && gathered.networks.size <= mostNetworks) gathered.networks.add(network);
    },

    async stop() {
      stopping.abort();
      await Promise.all(running);
      lost(unwritten.length);
    },
  };
};

/**
 * Leases in MongoDB, for processes that share one. No clock is compared with another machine's: who waits takes a lease over once
 * it has seen it unrenewed for its whole time to live by its own clock, and who holds it counts that time from before it renewed.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import type { Lease, Leases } from '../leases.ts';
import { ownCollections } from './collections.ts';
import { connectReadStore } from './connection.ts';
import { readStoreError } from './errors.ts';
import { heldLease, type HoldingDeps } from './held-lease.ts';
import { type StoredLease, takeLease } from './stored-lease.ts';

export interface MongoLeasesOptions {
  /** Servers, credentials and database, as for the read store. */
  readonly url: string;
  /** Names the process, for people who look into the database. */
  readonly holder: string;
  /** Milliseconds after which an unrenewed lease is lost; default 10,000. */
  readonly ttl?: number;
  readonly log?: { readonly warn: (details: object, message: string) => void };
  /** Milliseconds of a clock that only goes forward. */
  readonly clock?: () => number;
  /** Milliseconds since 1970 (UTC), for people who look into the database. */
  readonly now?: () => number;
  readonly newId?: () => string;
}

export interface MongoLeases extends Leases {
  /** Releases what is held, ends what waits and the connection. Never rejects. */
  close(): Promise<void>;
}

interface Watched {
  readonly token: string;
  readonly renewals: number;
  /** By the own clock. */
  readonly since: number;
}

const monotonic = (): number => performance.now();

/** Most milliseconds between two looks at a lease that another one has. */
const longestLook = 1_000;

/**
 * Connects first: throws `ReadStoreUnavailable` when the server is away, and an Error when URL, credentials or kind of server are wrong.
 */
export const mongoLeases = async (options: MongoLeasesOptions): Promise<MongoLeases> => {
  const { url, holder, ttl = 10_000, log, clock = monotonic, now = Date.now, newId = randomUUID } = options;
  const { client, database, where } = await connectReadStore(url);
  const leases: Collection<StoredLease> = database.collection<StoredLease>(ownCollections.leases);
  const lookEvery = Math.min(longestLook, ttl / 5);
  const closed = new AbortController();
  const held = new Set<Lease>();
  /** Tokens of holdings that have ended here, by name: while a stored one is among them nobody has the lease. */
  const over = new Map<string, string>();

  const holding: HoldingDeps = {
    leases,
    ttl,
    clock,
    now,
    warn: (details, message) => log?.warn(details, message),
    readable: (error) => readStoreError(where, error),
  };
  const hold = (taken: StoredLease, takenAt: number): Lease => {
    const lease = heldLease(holding, taken, takenAt);
    held.add(lease);
    lease.lost.addEventListener('abort', () => {
      held.delete(lease);
      over.set(lease.name, taken.token);
    });
    return lease;
  };

  const acquire = async (name: string, asked: AbortSignal): Promise<Lease | null> => {
    const signal = AbortSignal.any([asked, closed.signal]);
    const token = newId();
    let watched: Watched | null = null as Watched | null;
    while (!signal.aborted) {
      const startedAt = clock();
      try {
        const seen = await leases.findOne({ _id: name });
        if (signal.aborted) break;
        let free = seen === null || seen.free;
        // A take whose answer was lost is there all the same, and so is a holding that was lost while the server was away; taking it again
        // begins its time anew.
        if (seen?.token === token || (seen !== null && seen.token === over.get(name))) free = true;
        else if (seen !== null && (watched?.token !== seen.token || watched.renewals !== seen.renewals)) {
          watched = { token: seen.token, renewals: seen.renewals, since: clock() };
        } else if (watched !== null && clock() - watched.since >= ttl) free = true;
        const taken = free ? await takeLease(leases, name, seen, { holder, token, at: new Date(now()) }) : null;
        if (taken !== null) {
          const lease = hold(taken, startedAt);
          if (!signal.aborted) return lease;
          await lease.release();
          return null;
        }
      } catch (error) {
        if (!signal.aborted) log?.warn({ err: readStoreError(where, error), lease: name }, 'The lease is waited for');
      }
      await delay(lookEvery, undefined, { signal }).catch(() => undefined);
    }
    return null;
  };

  return {
    acquire,
    async close() {
      if (closed.signal.aborted) return;
      closed.abort();
      await Promise.all([...held].map((lease) => lease.release()));
      await client.close().catch(() => undefined);
    },
  };
};

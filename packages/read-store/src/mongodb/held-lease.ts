import { setTimeout as delay } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import type { Lease } from '../leases.ts';
import type { StoredLease } from './stored-lease.ts';

export interface HoldingDeps {
  readonly leases: Collection<StoredLease>;
  /** Milliseconds after which an unrenewed lease is lost. */
  readonly ttl: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
  /** Milliseconds since 1970 (UTC), for people who look into the database. */
  readonly now: () => number;
  readonly warn: (details: object, message: string) => void;
  /** The driver's error as this store tells of it. */
  readonly readable: (error: unknown) => unknown;
}

/** One holding of a lease: renewed in time until it is released, taken over or out of its time. */
class HeldLease implements Lease {
  readonly name: string;
  readonly fence: number;
  readonly lost: AbortSignal;
  readonly #deps: HoldingDeps;
  readonly #token: string;
  readonly #ended = new AbortController();
  #until: number;
  #expiry: NodeJS.Timeout | undefined;

  constructor(deps: HoldingDeps, { _id, fence, token }: StoredLease, takenAt: number) {
    this.name = _id;
    this.fence = fence;
    this.lost = this.#ended.signal;
    this.#deps = deps;
    this.#token = token;
    this.#until = takenAt + deps.ttl;
  }

  /** Keeps it from now on. */
  begin(): void {
    this.#watchExpiry();
    void this.#renew();
  }

  readonly release = async (): Promise<void> => {
    if (this.lost.aborted) return;
    this.#end();
    const { leases, now, readable, warn } = this.#deps;
    try {
      await leases.updateOne(
        { _id: this.name, token: this.#token },
        { $set: { free: true, updatedAt: new Date(now()) } },
      );
    } catch (error) {
      warn({ err: readable(error), lease: this.name }, 'The lease will be free when its time is over');
    }
  };

  #end(): void {
    clearTimeout(this.#expiry);
    this.#ended.abort();
  }

  #lose(reason: string): void {
    if (this.lost.aborted) return;
    this.#deps.warn({ lease: this.name, fence: this.fence }, reason);
    this.#end();
  }

  #watchExpiry(): void {
    const { clock } = this.#deps;
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(
      () => {
        if (clock() >= this.#until) this.#lose('The lease was not renewed in time');
        else this.#watchExpiry();
      },
      Math.max(0, this.#until - clock()),
    );
  }

  async #renew(): Promise<void> {
    const { leases, ttl, clock, now, readable, warn } = this.#deps;
    let pause = ttl / 3;
    for (;;) {
      await delay(pause, undefined, { signal: this.lost }).catch(() => undefined);
      if (this.lost.aborted) return;
      const asked = clock();
      try {
        const renewed = await leases.findOneAndUpdate(
          { _id: this.name, token: this.#token, free: false },
          { $inc: { renewals: 1 }, $set: { updatedAt: new Date(now()) } },
        );
        if (renewed === null) return this.#lose('The lease was taken over');
        if (this.lost.aborted) return;
        this.#until = asked + ttl;
        this.#watchExpiry();
        pause = ttl / 3;
      } catch (error) {
        if (this.lost.aborted) return;
        warn({ err: readable(error), lease: this.name }, 'The lease could not be renewed yet');
        pause = ttl / 20;
      }
    }
  }
}

/** Holds a lease that was taken; its time counts from `takenAt`, by the clock of `deps`. */
export const heldLease = (deps: HoldingDeps, taken: StoredLease, takenAt: number): Lease => {
  const lease = new HeldLease(deps, taken, takenAt);
  lease.begin();
  return lease;
};

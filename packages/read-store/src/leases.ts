/**
 * The Leases port: at most one process at a time does what a name stands for. A holder that lost its lease without noticing is
 * kept out by its fence: whoever writes under a lease names the fence, and the store refuses one smaller than it has seen.
 */

export interface Lease {
  readonly name: string;
  /** Rises with every holder of the name, so that a later holder's is greater. */
  readonly fence: number;
  /** Aborts when the lease could not be renewed in time, or was released. */
  readonly lost: AbortSignal;
  /** Lets the next one have it at once. Never rejects. */
  release(): Promise<void>;
}

export interface Leases {
  /**
   * Waits until nobody holds the name, takes it, and renews it in the background until it is released or lost. Resolves with null
   * when the signal aborts before. A store that is away is waited for.
   */
  acquire(name: string, signal: AbortSignal): Promise<Lease | null>;
}

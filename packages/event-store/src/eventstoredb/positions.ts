import type { Position } from '../event-store.ts';

/** The client's own pair, of which the commit half orders the log. */
export interface ServerPosition {
  readonly commit: bigint;
}

/** A server's number as ours. Throws a RangeError for one that a JavaScript integer cannot hold, which is also how some servers say "unknown". */
export const wholeNumber = (value: bigint, what: string): number => {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(`${what} ${value} is not between 0 and 2^53−1`);
  }
  return Number(value);
};

/** The commit position. Throws when there is none: without it nobody could tell what has been seen. */
export const positionOf = (position: ServerPosition | undefined, what: string): Position => {
  if (position === undefined) throw new RangeError(`${what} came without a position`);
  return wholeNumber(position.commit, `Position of ${what}`);
};

/** Where a read or subscription of `$all` begins; 0 is before everything. */
export const startAfter = (position: Position): 'start' | { readonly commit: bigint; readonly prepare: bigint } =>
  position === 0 ? 'start' : { commit: BigInt(position), prepare: BigInt(position) };

/** How long is waited between tries, in milliseconds. */
export interface BackOff {
  readonly first: number;
  readonly longest: number;
}

/** Milliseconds until the next try after so many failures (from 0): the first time doubled with each of them, up to the longest. */
export const backOff = ({ first, longest }: BackOff, failures: number): number =>
  Math.min(longest, first * 2 ** failures);

import { ApiProblem } from './api-problem.ts';

/** Reads that are tried again by themselves: the line broke, or the server asked to come a little later. */
const passing: ReadonlySet<string> = new Set(['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED']);

/** Longer than this nobody waits before something that only turns; in milliseconds. */
const longestWait = 30_000;

/** Twice at most. */
export const retriesRead = (failures: number, thrown: unknown): boolean =>
  failures < 2 && thrown instanceof ApiProblem && passing.has(thrown.code);

/** Milliseconds until the next try: as long as the server says that its bounds last, else a second, then two. */
export const readRetryDelay = (failures: number, thrown: unknown): number => {
  const seconds = thrown instanceof ApiProblem && thrown.code === 'RATE_LIMITED' ? thrown.retryAfterSeconds : null;
  return Math.min(longestWait, 1_000 * (seconds ?? 2 ** failures));
};

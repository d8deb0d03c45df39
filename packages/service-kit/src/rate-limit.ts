export interface RateLimitOptions {
  /** Tokens that come back per second; default 50. */
  readonly perSecond?: number;
  /** Tokens of a full bucket; default 500. */
  readonly burst?: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

export type Taken =
  | { readonly kind: 'taken' }
  /** Nothing was taken; in this many seconds (not rounded) the same call succeeds. */
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

export interface RateLimit {
  /** Takes one token of the key's bucket, or as many as it costs, which are never more than a full bucket has. */
  take(key: string, cost?: number): Taken;
  /** Number of keys held; full buckets are dropped by and by. */
  readonly size: number;
}

const leastSweep = 1024;

/** One token bucket per key, in memory. */
export function rateLimit({ perSecond = 50, burst = 500, now }: RateLimitOptions): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>();
  let sweepAbove = leastSweep;

  const filled = (bucket: { tokens: number; at: number }, at: number): number =>
    Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);

  const sweep = (at: number): void => {
    for (const [key, bucket] of buckets) if (filled(bucket, at) >= burst) buckets.delete(key);
    sweepAbove = Math.max(leastSweep, buckets.size * 2);
  };

  return {
    take(key, cost = 1) {
      const at = now();
      const known = buckets.get(key);
      const tokens = known === undefined ? burst : filled(known, at);
      if (tokens < cost) return { kind: 'limited', retryAfterSeconds: (cost - tokens) / perSecond };
      buckets.set(key, { tokens: tokens - cost, at });
      if (buckets.size > sweepAbove) sweep(at);
      return { kind: 'taken' };
    },
    get size() {
      return buckets.size;
    },
  };
}

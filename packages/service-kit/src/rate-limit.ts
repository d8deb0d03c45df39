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

/** One whose tokens are taken only once it is known that something counts. */
export interface RateBudget extends RateLimit {
  /** Whether one token is there, without taking it. */
  look(key: string): Taken;
  /** Takes one token, there or not: what is owed comes back before the next one does. */
  owe(key: string): void;
}

const leastSweep = 1024;

/** One token bucket per key, in memory. */
export function rateLimit({ perSecond = 50, burst = 500, now }: RateLimitOptions): RateBudget {
  const buckets = new Map<string, { tokens: number; at: number }>();
  let sweepAbove = leastSweep;

  const filled = (bucket: { tokens: number; at: number }, at: number): number =>
    Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);

  const sweep = (at: number): void => {
    for (const [key, bucket] of buckets) if (filled(bucket, at) >= burst) buckets.delete(key);
    sweepAbove = Math.max(leastSweep, buckets.size * 2);
  };

  const tokensOf = (key: string, at: number): number => {
    const known = buckets.get(key);
    return known === undefined ? burst : filled(known, at);
  };

  const set = (key: string, tokens: number, at: number): void => {
    buckets.set(key, { tokens, at });
    if (buckets.size > sweepAbove) sweep(at);
  };

  const verdict = (tokens: number, cost: number): Taken =>
    tokens < cost ? { kind: 'limited', retryAfterSeconds: (cost - tokens) / perSecond } : { kind: 'taken' };

  return {
    take(key, cost = 1) {
      const at = now();
      const tokens = tokensOf(key, at);
      const taken = verdict(tokens, cost);
      if (taken.kind === 'taken') set(key, tokens - cost, at);
      return taken;
    },
    look: (key) => verdict(tokensOf(key, now()), 1),
    owe(key) {
      const at = now();
      set(key, tokensOf(key, at) - 1, at);
    },
    get size() {
      return buckets.size;
    },
  };
}

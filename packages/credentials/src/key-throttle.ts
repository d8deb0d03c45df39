import { hashToken } from './secrets.ts';

/** Keys that are none, by the address that they come from: guessing gets slow, and whoever has a right key does not wait. In memory. */
export interface KeyThrottle {
  /** Before the secret is looked up: nothing tells a right one that was not looked at from a wrong one. */
  admit(
    address: string,
    secret: string,
  ): { readonly kind: 'admitted' } | { readonly kind: 'limited'; readonly retryAfterSeconds: number };
  /** It was looked up, and is a key: its tries cost nothing from now on. */
  right(address: string, secret: string): void;
  wrong(secret: string): void;
}

interface Tries {
  /** Of failures that are left. */
  readonly tokens: number;
  readonly at: number;
}

export interface KeyThrottleOptions {
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** Failures of one address at once. */
  readonly burst?: number;
  /** How many come back. */
  readonly perSecond?: number;
  /** Addresses, and right keys, that are kept. */
  readonly most?: number;
}

export const keyThrottle = ({ now, burst = 30, perSecond = 1, most = 10_000 }: KeyThrottleOptions): KeyThrottle => {
  const addresses = new Map<string, Tries>();
  /** Hashes of secrets that were right when they were looked up last. */
  const known = new Set<string>();

  const tokensOf = (address: string): number => {
    const tries = addresses.get(address);
    return tries === undefined ? burst : Math.min(burst, tries.tokens + ((now() - tries.at) / 1000) * perSecond);
  };
  const set = (address: string, tokens: number): void => {
    addresses.delete(address);
    if (tokens < burst) addresses.set(address, { tokens, at: now() });
    for (const oldest of addresses.keys()) {
      if (addresses.size <= most) break;
      addresses.delete(oldest);
    }
  };

  return {
    admit(address, secret) {
      if (known.has(hashToken(secret))) return { kind: 'admitted' };
      const tokens = tokensOf(address);
      if (tokens < 1) return { kind: 'limited', retryAfterSeconds: Math.ceil((1 - tokens) / perSecond) };
      set(address, tokens - 1);
      return { kind: 'admitted' };
    },
    right(address, secret) {
      const hash = hashToken(secret);
      if (known.has(hash)) return;
      known.add(hash);
      set(address, Math.min(burst, tokensOf(address) + 1));
      for (const oldest of known) {
        if (known.size <= most) break;
        known.delete(oldest);
      }
    },
    wrong(secret) {
      known.delete(hashToken(secret));
    },
  };
};

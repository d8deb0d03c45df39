import { describe, expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { keepTokenFresh } from './token-renewal.ts';

/** A token issued and ending at these seconds. */
const token = (iat: number, exp: number): string => `a.${btoa(JSON.stringify({ iat, exp, sub: 'u1' }))}.c`;

const browser = (stored: string | null) => {
  const clock = new SimulatedClock();
  const listeners = new Set<(token: string) => void>();
  const renewals: number[] = [];
  const stop = keepTokenFresh({
    api: {
      renew: () => {
        renewals.push(clock.now());
        return Promise.reject(new Error('no answer'));
      },
      onToken: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    tokens: { read: () => (stored === null ? null : { token: stored, refreshToken: 'r' }) },
    clock: {
      now: () => clock.now(),
      setTimeout: (run, ms) => clock.setTimeout(run, ms),
      clearTimeout: (handle) => clock.clearTimeout(handle as number),
    },
  });
  const came = (next: string): void => {
    for (const listener of listeners) listener(next);
  };
  return { clock, renewals, came, stop, listeners };
};

describe('renewal of the token', () => {
  it('TKR-1 comes at 80 % of its life, once', () => {
    const { clock, renewals } = browser(token(0, 900));
    clock.increment(719_999);
    expect(renewals).toEqual([]);
    clock.increment(1);
    expect(renewals).toEqual([720_000]);
    clock.increment(3_600_000);
    expect(renewals).toHaveLength(1);
  });

  it('TKR-2 is counted anew from each token that comes', () => {
    const { clock, renewals, came } = browser(token(0, 900));
    clock.increment(600_000);
    came(token(600, 1_500));
    clock.increment(719_999);
    expect(renewals).toEqual([]);
    clock.increment(1);
    expect(renewals).toEqual([1_320_000]);
  });

  it('TKR-3 of a token that is over, or is none, comes after a second, not in a storm', () => {
    for (const stored of [token(-1_000, -100), 'no token']) {
      const { clock, renewals } = browser(stored);
      clock.increment(999);
      expect(renewals).toEqual([]);
      clock.increment(1);
      expect(renewals).toEqual([1_000]);
    }
  });

  it('TKR-4 begins with the sign-in where nobody is signed in yet, and ends when told to', () => {
    const { clock, renewals, came, stop, listeners } = browser(null);
    clock.increment(3_600_000);
    expect(renewals).toEqual([]);
    came(token(3_600, 4_500));
    stop();
    clock.increment(3_600_000);
    expect(renewals).toEqual([]);
    expect(listeners.size).toBe(0);
  });
});

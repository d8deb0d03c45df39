import { expect, it } from 'vitest';
import { keyThrottle } from './key-throttle.ts';

const begun = () => {
  const state = { now: 0 };
  return { state, throttle: keyThrottle({ now: () => state.now, burst: 3, perSecond: 1, most: 2 }) };
};

it('KEY-2885 wrong keys of an address are looked at ever slower; those of another one as before', () => {
  const { state, throttle } = begun();
  const guess = (address: string, secret: string) => {
    const admitted = throttle.admit(address, secret);
    if (admitted.kind === 'admitted') throttle.wrong(secret);
    return admitted.kind;
  };
  expect(['a', 'b', 'c', 'd'].map((secret) => guess('here', secret))).toEqual([
    'admitted',
    'admitted',
    'admitted',
    'limited',
  ]);
  expect(throttle.admit('here', 'e')).toEqual({ kind: 'limited', retryAfterSeconds: 1 });
  expect(guess('there', 'a')).toBe('admitted');
  state.now = 1_000;
  expect(guess('here', 'f')).toBe('admitted');
  expect(guess('here', 'g')).toBe('limited');
});

it('KEY-2886 a right key costs its address nothing, and passes where others wait, until it is wrong', () => {
  const { throttle } = begun();
  for (let use = 0; use < 10; use += 1) {
    expect(throttle.admit('here', 'right').kind).toBe('admitted');
    throttle.right('here', 'right');
  }
  for (const secret of ['a', 'b', 'c']) expect(throttle.admit('here', secret).kind).toBe('admitted');
  expect(throttle.admit('here', 'd').kind).toBe('limited');
  expect(throttle.admit('here', 'right').kind).toBe('admitted');
  throttle.wrong('right');
  expect(throttle.admit('here', 'right').kind).toBe('limited');
});

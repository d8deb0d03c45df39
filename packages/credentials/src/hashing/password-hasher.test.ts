import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import { parseOptions } from '@node-rs/argon2';
import { expect, it } from 'vitest';
import { CredentialsUnavailable } from '../credentials.ts';
import { hashingThread } from './hashing-thread.ts';
import { hashesAtOnce, mostWaiting, passwordHasher } from './password-hasher.ts';

it('CRD-38 hashes are Argon2id with 19 MiB, two passes, one lane, and a salt of their own', async () => {
  const hasher = passwordHasher();
  const [first, second] = await Promise.all([hasher.hash('x'), hasher.hash('x')]);
  expect(first).toMatch(/^\$argon2id\$/);
  expect(first).not.toBe(second);
  expect(parseOptions(first)).toMatchObject({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
});

it('CRD-39 without a hash a check costs as much work as with one', async () => {
  const hasher = passwordHasher();
  const stored = await hasher.hash('right');
  const timed = async (hash: string | null): Promise<number> => {
    const begun = performance.now();
    await hasher.matches(hash === null ? [] : [hash], 'wrong');
    return performance.now() - begun;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    known.push(await timed(stored));
    unknown.push(await timed(null));
  }
  const least = (times: readonly number[]): number => Math.min(...times);
  // Far apart on purpose: it tells a skipped hash (a thousandth of the time), not a busy machine.
  expect(least(unknown)).toBeGreaterThan(least(known) / 3);
  expect(least(known)).toBeGreaterThan(least(unknown) / 3);
});

it('CRD-1260 hashes of one salt are looked at together for the price of one, each for itself', async () => {
  const hasher = passwordHasher();
  const salt = new Uint8Array(16).fill(7);
  const [anna, oleg, other] = [
    await hasher.hash('anna', salt),
    await hasher.hash('oleg', salt),
    await hasher.hash('oleg'),
  ];
  expect(await hasher.matches([anna, oleg], 'oleg')).toEqual([false, true]);
  expect(await hasher.matches([anna, oleg, other, oleg], 'oleg')).toEqual([false, true, true, true]);
  expect(await hasher.matches([anna, oleg], 'nobody')).toEqual([false, false]);
  const timed = async (stored: readonly string[]): Promise<number> => {
    const begun = performance.now();
    await hasher.matches(stored, 'wrong');
    return performance.now() - begun;
  };
  const fifty = await Promise.all(Array.from({ length: 50 }, (_, index) => hasher.hash(`${index}`, salt)));
  const one: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    one.push(await timed([anna]));
    many.push(await timed(fifty));
  }
  // Far apart on purpose: fifty hashes would take fifty times as long.
  expect(Math.min(...many)).toBeLessThan(Math.min(...one) * 10);
});

it('CRD-40 more than run at once wait in order and all finish, also after one that failed', async () => {
  const hasher = passwordHasher();
  const finished: number[] = [];
  const work = Array.from({ length: 6 }, async (_, index) => {
    try {
      await (index === 1 ? hasher.matches(['no hash at all'], 'x') : hasher.hash('x'));
    } catch {
      finished.push(-index);
      return;
    }
    finished.push(index);
  });
  await Promise.all(work);
  expect(finished.toSorted((a, b) => a - b)).toEqual([-1, 0, 2, 3, 4, 5]);
});

it('SIG-82 a thousand wait, further ones are turned away at once, and all of the thousand finish', async () => {
  const hasher = passwordHasher({ memoryCost: 8, timeCost: 1 });
  const taken = mostWaiting + hashesAtOnce(availableParallelism());
  const asked = Array.from({ length: taken + 8 }, () => hasher.matches([], 'x'));
  const outcomes = await Promise.allSettled(asked);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(8);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(CredentialsUnavailable);
  expect(outcomes.slice(-8).every(({ status }) => status === 'rejected')).toBe(true);
  expect(await hasher.matches([await hasher.hash('y')], 'y')).toEqual([true]);
});

it('ACL-1 hashing leaves a core to those who answer, and takes two at most', () => {
  expect([1, 2, 3, 4, 64].map(hashesAtOnce)).toEqual([1, 1, 2, 2, 2]);
});

/** The nice value of each thread of this process. */
const niceValues = (): readonly number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    // The name in brackets may hold blanks; the value is the 17th member behind it.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });

it.skipIf(process.platform !== 'linux')('ACL-2 the threads that hash stand behind all others for a core', async () => {
  const hasher = passwordHasher();
  await Promise.all(Array.from({ length: 4 }, () => hasher.hash('x')));
  const own = getPriority();
  const behind = niceValues().filter((nice) => nice > own);
  expect(behind).toHaveLength(own < 5 ? hashesAtOnce(availableParallelism()) : 0);
});

it('ACL-3 a thread that ended fails what it was asked, and the next task has another', async () => {
  const thread = hashingThread();
  const task = { password: 'x', options: { memoryCost: 8, timeCost: 1, parallelism: 1 } } as const;
  expect(await thread.run(task)).toMatch(/^\$argon2id\$/);
  await expect(thread.run({ password: 'x', stored: ['no hash at all'] })).rejects.toThrow('Decoding failed');
  await expect(thread.run(null as never)).rejects.toThrow('null');
  expect(await thread.run(task)).toMatch(/^\$argon2id\$/);
});

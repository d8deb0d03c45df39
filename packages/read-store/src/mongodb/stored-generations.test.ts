import type { Collection } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { firstGeneration, type StoredGenerations, type StoredMeta } from './stored.ts';
import { generationsRecord } from './stored-generations.ts';

/** The collection, as far as it is read; each read is answered with what is stored when it begins, and later. */
const stored = () => {
  const state = { number: 0, reads: 0 };
  const meta = {
    findOne: async (): Promise<{ readonly generations: StoredGenerations }> => {
      state.reads += 1;
      const { number } = state;
      await new Promise<void>((resolve) => void setImmediate(resolve));
      return { generations: { ...firstGeneration, active: { number, version: null } } };
    },
  };
  return { state, record: generationsRecord(meta as unknown as Collection<StoredMeta>) };
};

describe('which content readers see', () => {
  test('MRS-3502 those who ask in one turn are told by one read, begun after all of them asked', async () => {
    const { state, record } = stored();
    const asked = [record.look(), record.look()];
    state.number = 1;
    expect(await Promise.all([...asked, record.look()])).toEqual([1, 1, 1]);
    expect([state.reads, record.known()]).toEqual([1, 1]);
  });

  test('MRS-3503 who asks while a read is under way is told by the next one, for the content may have changed since it began', async () => {
    const { state, record } = stored();
    const first = record.look();
    await Promise.resolve();
    await Promise.resolve();
    expect(state.reads).toBe(1);
    state.number = 1;
    expect(await Promise.all([first, record.look()])).toEqual([0, 1]);
    expect(state.reads).toBe(2);
  });

  test('MRS-3504 a read that fails fails for those who asked in its turn alone', async () => {
    let isAway = true;
    const meta = {
      findOne: async () => {
        if (isAway) throw new Error('away');
        return null;
      },
    };
    const record = generationsRecord(meta as unknown as Collection<StoredMeta>);
    const both = await Promise.allSettled([record.look(), record.look()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    expect(await record.look()).toBe(0);
  });
});

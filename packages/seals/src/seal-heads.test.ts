import { expect, test } from 'vitest';
import { inMemorySealStore } from './in-memory.ts';
import { ensureHeads, headBook, headOf, inMemorySealHeads } from './seal-heads.ts';
import type { StoredSeal } from './seal-store.ts';
import { withDamagedSeal } from './testing/damaged.ts';
import { otherKey, sealAfter, testKey } from './testing/sealed.ts';

/** So many seals of a licence, noted elsewhere as they are made. */
const sealed = async (count: number, key = testKey) => {
  const seals = inMemorySealStore();
  const heads = inMemorySealHeads('записям');
  const book = await headBook(seals, [heads]);
  let last: StoredSeal | null = null;
  for (let number = 1; number <= count; number += 1) {
    last = sealAfter(last, '3f1', 2, key);
    await seals.add(last, 1);
    await book.added(last);
  }
  return { seals, heads };
};

test('SEAL-1331 seals that were deleted, the last one of them, or made anew by the server itself are missed', async () => {
  const { seals, heads } = await sealed(3);
  await expect(ensureHeads(seals, [heads])).resolves.toBeUndefined();
  const kept = async (count: number, key = testKey) => (await sealed(count, key)).seals;
  await expect(ensureHeads(await kept(0), [heads])).rejects.toMatchObject({
    name: 'SealsReplaced',
    kind: 'behind',
    licenceId: '3f1',
    number: 3,
    where: 'записям',
  });
  await expect(ensureHeads(await kept(2), [heads])).rejects.toMatchObject({ kind: 'behind', number: 3 });
  await expect(ensureHeads(await kept(3, otherKey), [heads])).rejects.toMatchObject({ kind: 'beside', number: 3 });
  await expect(ensureHeads(await kept(9, otherKey), [heads])).rejects.toMatchObject({ kind: 'beside', number: 3 });
  // Whoever keeps nothing knows nothing.
  await expect(ensureHeads(await kept(2), [inMemorySealHeads()])).resolves.toBeUndefined();
});

test('SEAL-1332 a place that was away when a seal was made is told at the next start, and never of seals that do not go on from what it knows', async () => {
  const { seals, heads } = await sealed(2);
  const late = inMemorySealHeads();
  const third = sealAfter(await seals.last('3f1'), '3f1', 2);
  await seals.add(third, 1);
  const book = await headBook(seals, [heads, late]);
  expect([await heads.all(), await late.all()]).toEqual([[headOf(third)], [headOf(third)]]);
  expect(book.of('3f1')).toEqual(headOf(third));
  const { seals: others } = await sealed(5, otherKey);
  const known = (await headBook(others, [heads])).of('3f1');
  expect(known).toEqual(headOf(third));
  expect(await heads.all()).toEqual([headOf(third)]);
});

test('SEAL-3680 a licence whose last seal is damaged keeps no other one from being noted in a place that was away', async () => {
  const { seals, heads } = await sealed(2);
  const other = sealAfter(null, '4a1', 2);
  await seals.add({ ...other, position: 9 }, 1);
  const late = inMemorySealHeads();
  const book = await headBook(withDamagedSeal(seals, '3f1', 2), [heads, late]);
  expect(await late.all()).toMatchObject([{ licenceId: '4a1', number: 1 }]);
  expect(book.of('3f1')).toMatchObject({ number: 2 });
});

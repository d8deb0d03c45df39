import { declaredFields } from '@zakup/contracts/read-models';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { expect, test } from 'vitest';
import { checkpointHeads } from './kept-heads.ts';

const head = (licenceId: string, number: number) => ({
  licenceId,
  number,
  hash: `${number}`.repeat(64),
  position: number,
});

test('SEAL-1333 the last seals are kept beside the checkpoint, over a rebuild, go only forwards, and are forgotten when asked', async () => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  const heads = checkpointHeads(readStore, 'моделям чтения');
  expect(await heads.all()).toEqual([]);
  for (const one of [head('3f1', 2), head('3f2', 1), head('a07', 4), head('3f1', 1), head('3f1', 3)])
    await heads.note(one);
  await readStore.clear();
  const again = checkpointHeads(readStore, 'моделям чтения');
  expect((await again.all()).toSorted((a, b) => a.number - b.number)).toEqual([
    head('3f2', 1),
    head('3f1', 3),
    head('a07', 4),
  ]);
  await again.forget();
  expect(await heads.all()).toEqual([]);
});

test('TT-2431 the last seals of all licences are read in one read', async () => {
  const store = inMemoryReadStore({ declared: declaredFields });
  const heads = checkpointHeads(store, 'моделям чтения');
  for (const one of [head('3f1', 2), head('a07', 4)]) await heads.note(one);
  let reads = 0;
  const counted: typeof store = {
    ...store,
    notice: (name) => ((reads += 1), store.notice(name)),
    noticesOf: (names) => ((reads += 1), store.noticesOf(names)),
  };
  expect(await checkpointHeads(counted, 'моделям чтения').all()).toEqual([head('3f1', 2), head('a07', 4)]);
  expect(reads).toBe(1);
});

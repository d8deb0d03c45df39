import { expect, test } from 'vitest';
import { aDocument, suiteDeclared } from './contract-suite.ts';
import { inMemoryReadStore } from './in-memory.ts';
import { writtenElsewhere } from './written-elsewhere.ts';

const partition = '3f';

test('THR-2751 a store that is written elsewhere reads, hands notes on, tells of commits that it is told of, and writes nothing', async () => {
  const opened = inMemoryReadStore({ declared: suiteDeclared });
  const { readStore, committed } = writtenElsewhere(opened, (name, data) => opened.note(name, data));
  const told: number[] = [];
  const stop = readStore.onCommit(({ position }) => told.push(position));
  const commit = { docs: [aDocument('d1', 1)], checkpoint: { partition, position: 1, fence: 1 } };
  await opened.commit(commit);
  expect(told).toEqual([]);
  committed({ partition, position: 1 });
  await expect.poll(() => told).toEqual([1]);
  expect(await readStore.get('placement', 'd1')).toMatchObject({ position: 1 });
  await readStore.note('asked', { id: 'one' });
  expect(await readStore.notice('asked')).toEqual({ id: 'one' });
  const writes = [
    readStore.commit({ ...commit, checkpoint: { partition, position: 2, fence: 1 } }),
    readStore.clear(),
    readStore.noteVersion('v1'),
    readStore.beginNext('v2'),
    readStore.discard(),
    readStore.purge(),
  ];
  for (const write of writes) await expect(write).rejects.toThrow('are written by a thread of their own');
  expect((await readStore.checkpoint(partition))?.position).toBe(1);
  stop();
  committed({ partition, position: 2 });
  await Promise.resolve();
  expect(told).toEqual([1]);
});

import type { DocumentReader } from '@zakup/read-store/read-store';
import { expect, test } from 'vitest';
import { contractorNotes } from './contractor-notes.ts';

test('ATT-2464 others have their turn while a file’s contractors are looked up', async () => {
  const asked: string[] = [];
  // As a store in a file answers: without a turn of the loop.
  const readStore: DocumentReader = {
    get: async () => null,
    getMany: async (_, ids) =>
      ids.map((id) => ({
        kind: 'contractor',
        id,
        licenceId: 'l',
        deleted: false,
        position: 1,
        scopes: [],
        left: [],
        data: { id, adminUsername: `@${id}` },
      })),
    async query(_, { where }) {
      const until = performance.now() + 5;
      while (performance.now() < until);
      asked.push(String(where?.['contractorId']));
      return { docs: [], total: 0 };
    },
    readEach: async () => undefined,
  };
  const known = Array.from({ length: 40 }, (_, index) => ({
    contractorId: `k${index}`,
    rowsByBuyer: new Map([['b', 1]]),
  }));
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await contractorNotes(readStore, 'l', known);
  isOver = true;
  expect(asked).toHaveLength(40);
  expect(turns).toBeGreaterThan(20);
});

import { type MongoClient, MongoNetworkError } from 'mongodb';
import { expect, test } from 'vitest';
import { type ActiveGeneration, ofOneGeneration } from './active-generation.ts';
import { generationReader, type GenerationReaderDeps } from './generation-reader.ts';

/** A content of that number, and what it was asked: within a snapshot, or outside. */
const content = (number: number) => {
  const asked: string[] = [];
  const shown = {
    known: () => number,
    number: async (options?: object) => {
      asked.push(options === undefined ? 'number now' : 'number of the snapshot');
      return number;
    },
  } as unknown as ActiveGeneration;
  /** A reader of a server that does this to find and to count. */
  const reader = (find: () => AsyncIterable<never>, count: () => Promise<number>) =>
    generationReader(
      {
        client: { startSession: () => ({ endSession: async () => undefined }) } as unknown as MongoClient,
        where: 'a test',
        declared: {},
        contents: { documents: () => ({ find, countDocuments: count }) },
        answer: (work: () => Promise<unknown>) => work(),
      } as unknown as GenerationReaderDeps,
      shown,
    );
  return { asked, shown, reader };
};

test('MRS-3685 a read that fails because the server is away asks it nothing more', async () => {
  const away = () => {
    throw new MongoNetworkError('away');
  };
  const { asked, shown, reader } = content(1);
  await expect(reader(away, away).query('license', { limit: 5 })).rejects.toThrow('away');
  expect(asked).toEqual([]);
  await expect(ofOneGeneration(shown, async () => away())).rejects.toThrow('away');
  // With the read, not after it.
  expect(asked).toEqual(['number now']);
});

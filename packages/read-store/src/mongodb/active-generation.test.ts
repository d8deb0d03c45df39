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

test('MRS-3686 what is counted of the first content is counted before it is looked whether its names are still its own', async () => {
  const orderOf = async (number: number): Promise<readonly string[]> => {
    const { asked, reader } = content(number);
    const none = async function* (): AsyncGenerator<never> {};
    const count = async (): Promise<number> => {
      asked.push('count begun');
      await Promise.resolve();
      asked.push('count ended');
      return 3;
    };
    expect(await reader(none, count).query('license', { offset: 5, limit: 5 })).toEqual({ docs: [], total: 3 });
    return asked;
  };
  expect(await orderOf(0)).toEqual(['count begun', 'number of the snapshot', 'count ended', 'number now']);
  // The names of all others are theirs for good: nothing is looked at.
  expect(await orderOf(1)).toEqual(['count begun', 'number of the snapshot', 'count ended']);
});

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, openDatabase } from '@zakup/sqlite/engine';

/** Milliseconds between two looks at a lock that another one has. */
const lookEvery = 100;

const taken = (database: Database): boolean => {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && /locked|busy/i.test(error.message)) return false;
    throw error;
  }
};

/** Does the work while nobody else, in whatever process, does any under the same file. The operating system holds the lock, so it ends with its process. */
export const alone = async <Result>(file: string, work: () => Promise<Result>): Promise<Result> => {
  await mkdir(dirname(file), { recursive: true });
  const database = openDatabase(file);
  try {
    database.exec('PRAGMA busy_timeout = 0');
    while (!taken(database)) await delay(lookEvery);
    return await work();
  } finally {
    database.close();
  }
};

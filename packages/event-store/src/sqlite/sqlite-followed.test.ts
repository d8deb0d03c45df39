import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { eventStoreContractSuite } from '../contract-suite.ts';
import { sqliteLogFollower } from './log-follower.ts';
import { sqliteEventStore } from './sqlite-event-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'zakup-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// As another thread follows it. One file for all: each test meets the events of those before it.
eventStoreContractSuite(
  'SQLite, followed beside its store',
  async () => {
    const file = join(folder, 'followed.db');
    const store = await sqliteEventStore({ file });
    const follower = sqliteLogFollower({ file });
    store.onPublished((position) => follower.published(position));
    const close = async (): Promise<void> => {
      await follower.close();
      await store.close();
    };
    return { ...follower, append: (writes, options) => store.append(writes, options), close };
  },
  { gapless: true, oneStore: true },
);

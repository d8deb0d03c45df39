import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { readStoreContractSuite } from '../contract-suite.ts';
import type { ReadStore } from '../read-store.ts';
import { writtenElsewhere } from '../written-elsewhere.ts';
import { sqliteReadStore } from './sqlite-read-store.ts';

let folder = '';
let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `read-${files}.db`);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-store-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

// Read here, written through another connection, as by another thread.
readStoreContractSuite('SQLite, written elsewhere', async (declared) => {
  const file = newFile();
  const writer = sqliteReadStore({ file, declared });
  const opened = sqliteReadStore({ file, declared, readOnly: true });
  const { readStore, committed } = writtenElsewhere(opened, (name, data) => writer.note(name, data));
  writer.onCommit(committed);
  const close = async (): Promise<void> => {
    await readStore.close();
    await writer.close();
  };
  const store: ReadStore = {
    ...readStore,
    commit: (commit) => writer.commit(commit),
    clear: () => writer.clear(),
    noteVersion: (version) => writer.noteVersion(version),
    beginNext: (version, options) => writer.beginNext(version, options),
    discard: () => writer.discard(),
    purge: () => writer.purge(),
    close,
  };
  return { store, end: close };
});

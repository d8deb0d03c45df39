import { chmodSync, existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from './engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'zakup-owner-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const rights = (file: string): number => statSync(file).mode & 0o777;

it.skipIf(process.platform === 'win32')(
  'SQL-1260 a database and the files beside it are their owner’s alone, new or found',
  () => {
    const file = join(folder, 'a.sqlite');
    const beside = ['', '-wal', '-shm'].map((suffix) => `${file}${suffix}`);
    const opened = () => {
      const database = openDatabase(file);
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (x); INSERT INTO t VALUES (1)');
      return database;
    };
    const first = opened();
    expect(beside.map(rights)).toEqual([0o600, 0o600, 0o600]);
    for (const one of beside) chmodSync(one, 0o664);
    const second = opened();
    expect(beside.map(rights)).toEqual([0o600, 0o600, 0o600]);
    second.close();
    first.close();
    chmodSync(file, 0o444);
    const reader = openDatabase(file, { readOnly: true });
    reader.close();
    expect(rights(file), 'who only reads changes nothing').toBe(0o444);
  },
);

it('SQL-1261 a file that cannot be made is refused as before, and none is left', () => {
  const file = join(folder, 'absent', 'a.sqlite');
  expect(() => openDatabase(file)).toThrow('open');
  expect(existsSync(file)).toBe(false);
});

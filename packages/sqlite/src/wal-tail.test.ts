import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from './engine.ts';
import { checkLength } from './file-length.ts';
import { isSafeVersion } from './safe-version.ts';
import { UnusableFile, unusableFile } from './unusable-file.ts';
import { checkWalTail } from './wal-tail.ts';

const frame = 24 + 4096;
const commits = 10;
let folder: string;
let file: string;

/** What a kill leaves of a database that was committed to ten times, one frame each behind the first three. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zakup-sqlite-'));
  const open = join(folder, 'open.db');
  file = join(folder, 'a.db');
  const database = openDatabase(open);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)');
  for (let count = 0; count < commits; count += 1) database.exec(`INSERT INTO t VALUES (${count})`);
  copyFileSync(open, file);
  copyFileSync(`${open}-wal`, `${file}-wal`);
  database.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const flipInWal = (fromEnd: number): void => {
  const bytes = readFileSync(`${file}-wal`);
  const offset = fromEnd < 0 ? -fromEnd : bytes.length - fromEnd;
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  writeFileSync(`${file}-wal`, bytes);
};
const refusal = (check: () => void): UnusableFile => {
  try {
    check();
  } catch (error) {
    if (error instanceof UnusableFile) return error;
    throw error;
  }
  throw new Error('was not refused');
};
const rows = (): unknown => {
  const database = openDatabase(file);
  const count = database.prepare('SELECT count(*) AS rows FROM t').get();
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return count;
};

describe('WAL of a database', () => {
  test('WAL-1 a whole one passes, and loses nothing by being looked at', () => {
    checkWalTail(file);
    expect(rows()).toMatchObject({ rows: commits });
    checkWalTail(file);
    checkWalTail(join(folder, 'absent.db'));
  });

  test('WAL-2 a changed byte that cuts off more than one commit is refused by name, again and again', () => {
    const before = readFileSync(`${file}-wal`).length;
    flipInWal(2 * frame - 100);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(refusal(() => checkWalTail(file))).toMatchObject({ file: `${file}-wal`, fault: 'damaged' });
      expect(readFileSync(`${file}-wal`)).toHaveLength(before);
    }
  });

  test('WAL-3 a damaged header is refused by name', () => {
    flipInWal(-18);
    expect(refusal(() => checkWalTail(file))).toMatchObject({ file: `${file}-wal`, fault: 'damaged' });
  });

  test('WAL-4 one unfinished commit at the end, cut or torn, is what a crash leaves', () => {
    const torn = join(folder, 'torn.db');
    for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${torn}${end}`);
    truncateSync(`${file}-wal`, readFileSync(`${file}-wal`).length - 1000);
    checkWalTail(file);
    expect(rows()).toMatchObject({ rows: commits - 1 });
    file = torn;
    flipInWal(100);
    checkWalTail(file);
    expect(rows()).toMatchObject({ rows: commits - 1 });
  });

  test('WAL-5 a database beside an open writer passes while it commits', () => {
    const writer = openDatabase(file);
    for (let count = 0; count < 5; count += 1) {
      writer.exec('INSERT INTO t VALUES (1)');
      checkWalTail(file);
    }
    writer.close();
    expect(rows()).toMatchObject({ rows: commits + 5 });
  });
});

describe('file of a database', () => {
  test('SQF-1 one that is cut off or none is refused by name; an absent and an empty one pass', () => {
    rows();
    checkLength(file);
    truncateSync(file, 4096);
    expect(refusal(() => checkLength(file))).toMatchObject({ file, fault: 'cut_off' });
    writeFileSync(file, 'no database '.repeat(100));
    expect(refusal(() => checkLength(file))).toMatchObject({ file, fault: 'damaged' });
    truncateSync(file, 0);
    checkLength(file);
    checkLength(join(folder, 'absent.db'));
  });

  test('SQF-2 what the engine throws is told by what it means', () => {
    const thrown = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return error;
      }
    };
    const nowhere = join(folder, 'absent', 'a.db');
    expect(
      unusableFile(
        nowhere,
        thrown(() => openDatabase(nowhere)),
      ),
    ).toMatchObject({ fault: 'inaccessible' });
    const garbage = join(folder, 'garbage.db');
    writeFileSync(garbage, 'no database '.repeat(1000));
    const read = () => openDatabase(garbage).exec('SELECT * FROM sqlite_master');
    expect(unusableFile(garbage, thrown(read))).toMatchObject({ file: garbage, fault: 'damaged' });
    const missing = thrown(() => readFileSync(nowhere));
    expect(unusableFile(nowhere, missing)).toMatchObject({ fault: 'inaccessible' });
    expect(unusableFile(file, 'odd')).toMatchObject({ fault: 'other', message: `${file}: odd` });
  });

  test('SQF-3 a connection that closes gives its locks free, also in the middle of a transaction', () => {
    const first = openDatabase(file);
    first.exec('BEGIN IMMEDIATE');
    expect(first.isTransaction).toBe(true);
    first.close();
    const second = openDatabase(file);
    second.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK');
    second.close();
  });
});

test.each([
  [undefined, false],
  ['3.46.1', false],
  ['3.51.2', false],
  ['3.51.3', true],
  ['3.52.0', true],
  ['4.0.0', true],
] as const)('SQV-1 a SQLite of version %s is safe: %s', (version, safe) => {
  expect(isSafeVersion(version)).toBe(safe);
});

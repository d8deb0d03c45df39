import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockDataDir } from './data-dir-lock.ts';
import { DataDirRefused } from './data-dir-refused.ts';
import { dataDirSecrets } from './data-dir-secrets.ts';
import { prepareDataDir, type DataDirMigration } from './data-dir-version.ts';
import { openDataDir } from './data-dir.ts';
import { diskSpace } from './disk-space.ts';

let dir: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'zakup-data-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

async function processHolding(folder: string): Promise<ChildProcess> {
  const lockModule = new URL('./data-dir-lock.ts', import.meta.url).href;
  const script = `import { lockDataDir } from ${JSON.stringify(lockModule)};
    lockDataDir(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

/** Exit code of a process that tries to lock the folder. */
async function spawnRefused(folder: string): Promise<number | null> {
  const lockModule = new URL('./data-dir-lock.ts', import.meta.url).href;
  const script = `import { lockDataDir } from ${JSON.stringify(lockModule)}; lockDataDir(${JSON.stringify(folder)});`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'exit');
  return child.exitCode;
}

/** What a process without root's rights is told when it tries to lock the folder. */
async function refusedWithoutRoot(folder: string): Promise<string> {
  const lockModule = new URL('./data-dir-lock.ts', import.meta.url).href;
  const script = `import { lockDataDir } from ${JSON.stringify(lockModule)};
    if (process.getuid?.() === 0) process.setuid?.(65534);
    try { lockDataDir(${JSON.stringify(folder)}); } catch (error) { process.stdout.write(error.message); }`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(child, 'close');
  return said;
}

function refusal(run: () => unknown): DataDirRefused {
  try {
    run();
  } catch (error) {
    if (error instanceof DataDirRefused) return error;
    throw error;
  }
  throw new Error('was not refused');
}

const refused = (promise: Promise<unknown>): Promise<DataDirRefused> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error: unknown) => (error instanceof DataDirRefused ? error : Promise.reject(error as Error)),
  );

describe('lock of the data folder', () => {
  test('DIR-1 a second process is refused with the name of the folder; kill -9 of the first leaves nothing in the way', async () => {
    const child = await processHolding(dir);
    const error = refusal(() => lockDataDir(dir));
    expect(error.message).toBe(
      `Папку данных ${dir} уже использует другой процесс. Остановите его или задайте другую DATA_DIR.`,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = lockDataDir(dir);
    expect(lock.dir).toBe(dir);
    lock.release();
  });

  test('DIR-2 released, it can be taken again, also within one process; releasing twice is harmless', () => {
    const lock = lockDataDir(dir);
    expect(refusal(() => lockDataDir(dir)).path).toBe(join(dir, 'lock'));
    lock.release();
    lock.release();
    lockDataDir(dir).release();
  });

  test('DIR-3 makes the folder where it is absent', async () => {
    lockDataDir(join(dir, 'a', 'b')).release();
    expect(await readdir(join(dir, 'a', 'b'))).toEqual(['lock']);
  });

  test('DIR-4 a file in the place of the folder is refused by name', async () => {
    const file = join(dir, 'data');
    await writeFile(file, 'x');
    expect(refusal(() => lockDataDir(file)).message).toContain(`Папка данных ${file} недоступна для записи (EEXIST)`);
  });

  test('DIR-5 a folder without the right to write is refused by name', async () => {
    await chmod(dir, 0o555);
    expect(await refusedWithoutRoot(dir)).toContain(`${dir} недоступна для записи (EACCES)`);
    await chmod(dir, 0o700);
  });

  test.skipIf(process.platform === 'win32')(
    'DIR-1260 a folder that was open to others, and its lock, are the owner’s alone',
    async () => {
      await writeFile(join(dir, 'lock'), '');
      await chmod(join(dir, 'lock'), 0o664);
      await chmod(dir, 0o755);
      lockDataDir(dir).release();
      expect((await stat(dir)).mode & 0o777).toBe(0o700);
      expect((await stat(join(dir, 'lock'))).mode & 0o777).toBe(0o600);
    },
  );

  test('DIR-6 a damaged lock file is refused by name', async () => {
    const file = join(dir, 'lock');
    await writeFile(file, 'not a database, '.repeat(100));
    const error = refusal(() => lockDataDir(dir));
    expect(error.path).toBe(file);
    expect(error.message).toContain(file);
  });
});

describe('version of the data folder', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  const version = () => readFile(join(dir, 'version.json'), 'utf8');
  const rewriting = (to: number): DataDirMigration => ({
    to,
    run: async (folder) => {
      const file = join(folder, 'log');
      await writeFile(file, `${await readFile(file, 'utf8')}>${to}`);
    },
  });

  test('VER-1 an empty folder is marked, a marked one stays as it is', async () => {
    await writeFile(join(dir, '.gitkeep'), '');
    expect(await prepareDataDir(dir)).toEqual({ format: 1, backup: null });
    expect(await version()).toBe('{"format":1}\n');
    await writeFile(join(dir, 'log'), 'x');
    expect(await prepareDataDir(dir)).toEqual({ format: 1, backup: null });
  });

  test('VER-2 a newer folder is refused, naming the file, and untouched', async () => {
    await writeFile(join(dir, 'version.json'), '{"format":2}');
    const error = await refused(prepareDataDir(dir));
    expect(error.path).toBe(join(dir, 'version.json'));
    expect(error.message).toContain(error.path);
    expect(await version()).toBe('{"format":2}');
    expect(await readdir(dir)).toEqual(['version.json']);
  });

  test.each(['', '{', '{}', '{"format":"1"}', '{"format":0}', '{"format":1.5}', 'null'])(
    'VER-3 a version file reading %j is refused',
    async (text) => {
      await writeFile(join(dir, 'version.json'), text);
      expect((await refused(prepareDataDir(dir))).path).toBe(join(dir, 'version.json'));
      expect(await version()).toBe(text);
    },
  );

  test('VER-4 a folder with files but no version is refused, naming what is missing', async () => {
    await writeFile(join(dir, 'holiday.jpg'), 'x');
    const error = await refused(prepareDataDir(dir));
    expect(error.message).toContain('holiday.jpg');
    expect(error.message).toContain(join(dir, 'version.json'));
  });

  test('VER-5 an older folder is copied, then upgraded step by step', async () => {
    await writeFile(join(dir, 'version.json'), '{"format":1}');
    await writeFile(join(dir, 'log'), 'one');
    const lock = lockDataDir(dir);
    const result = await prepareDataDir(dir, { migrations: [rewriting(2), rewriting(3)], now });
    const backup = join(dir, 'backup-1-2026-11-21');
    expect(result).toEqual({ format: 3, backup });
    expect(await readFile(join(dir, 'log'), 'utf8')).toBe('one>2>3');
    expect(await version()).toBe('{"format":3}\n');
    expect((await readdir(backup)).sort()).toEqual(['log', 'version.json']);
    expect(await readFile(join(backup, 'log'), 'utf8')).toBe('one');
    const child = await spawnRefused(dir);
    expect(child).toBe(1);
    lock.release();
  });

  test('VER-6 a second copy of the same day gets a name of its own and holds no earlier copy', async () => {
    await writeFile(join(dir, 'version.json'), '{"format":1}');
    await writeFile(join(dir, 'log'), 'one');
    await prepareDataDir(dir, { migrations: [rewriting(2)], now });
    await writeFile(join(dir, 'version.json'), '{"format":1}');
    const { backup } = await prepareDataDir(dir, { migrations: [rewriting(2)], now });
    expect(backup).toBe(join(dir, 'backup-1-2026-11-21-2'));
    expect((await readdir(join(dir, 'backup-1-2026-11-21-2'))).sort()).toEqual(['log', 'version.json']);
  });

  test('VER-7 a failing step is refused, says where the copy is, and keeps the format reached', async () => {
    await writeFile(join(dir, 'version.json'), '{"format":1}');
    await writeFile(join(dir, 'log'), 'one');
    const failing: DataDirMigration = { to: 3, run: () => Promise.reject(new Error('no')) };
    const error = await refused(prepareDataDir(dir, { migrations: [rewriting(2), failing], now }));
    expect(error.message).toContain(join(dir, 'backup-1-2026-11-21'));
    expect(await version()).toBe('{"format":2}\n');
  });
});

describe('free disk space', () => {
  test('DISK-1 under the threshold it is read-only, and says each turn once', async () => {
    let free: number | Error = 1000;
    const freeBytesOf = () => (free instanceof Error ? Promise.reject(free) : Promise.resolve(free));
    const disk = await diskSpace(dir, { leastFreeBytes: 500, everyMs: 1_000_000, freeBytesOf });
    const turns: boolean[] = [];
    disk.onChange((readOnly) => turns.push(readOnly));
    expect([disk.readOnly, disk.freeBytes]).toEqual([false, 1000]);
    for (const next of [500, 499, 100, 500, 505, 511, new Error('gone'), 600]) {
      free = next;
      await disk.check();
    }
    expect(turns).toEqual([true, false, true, false]);
    disk.stop();
  });

  test('DISK-2 a listener that was taken off hears nothing more', async () => {
    let free = 1000;
    const disk = await diskSpace(dir, { leastFreeBytes: 500, freeBytesOf: () => Promise.resolve(free) });
    const turns: boolean[] = [];
    disk.onChange((readOnly) => turns.push(readOnly))();
    free = 0;
    await disk.check();
    expect([turns, disk.readOnly]).toEqual([[], true]);
    disk.stop();
  });

  test('DISK-3 reads the real file system', async () => {
    const disk = await diskSpace(dir, { leastFreeBytes: 1 });
    expect(disk.freeBytes).toBeGreaterThan(1);
    disk.stop();
  });
});

describe('keys of the data folder', () => {
  test('KEY-1 are made once, long enough, for the owner alone', async () => {
    const first = await dataDirSecrets(dir);
    expect(Buffer.byteLength(first.jwtSecret)).toBe(64);
    expect(first.credentialsKey).toHaveLength(32);
    expect(await dataDirSecrets(dir)).toEqual(first);
    for (const name of ['jwt-secret', 'credentials-key']) {
      expect((await stat(join(dir, 'keys', name))).mode & 0o777).toBe(0o600);
    }
  });

  test('KEY-3688 a secret of many characters that was put there is taken as it is, one of more than ten thousand is refused', async () => {
    await dataDirSecrets(dir);
    const long = 'k'.repeat(10_000);
    for (const name of ['jwt-secret', 'credentials-key']) await writeFile(join(dir, 'keys', name), long);
    const taken = await dataDirSecrets(dir);
    expect([taken.jwtSecret, taken.credentialsKey.length]).toEqual([long, 7_500]);
    await writeFile(join(dir, 'keys', 'jwt-secret'), `${long}k`);
    expect((await refused(dataDirSecrets(dir))).message).toContain('jwt-secret');
  });

  test('KEY-2 a damaged key is refused by name, never replaced', async () => {
    await dataDirSecrets(dir);
    const file = join(dir, 'keys', 'credentials-key');
    await writeFile(file, 'short');
    expect((await refused(dataDirSecrets(dir))).message).toContain(file);
    expect(await readFile(file, 'utf8')).toBe('short');
  });
});

describe('data folder as a whole', () => {
  test('KEY-3658 a key that is a byte too short or too long for its use is refused by name, and stays', async () => {
    (await openDataDir(dir)).close();
    for (const [name, bytes] of [
      ['seal-key', 31],
      ['seal-key', 33],
      ['access-codes-key', 33],
      ['credentials-key', 31],
    ] as const) {
      const file = join(dir, 'keys', name);
      const kept = await readFile(file, 'utf8');
      const wrong = Buffer.alloc(bytes, 7).toString('base64url');
      await writeFile(file, wrong);
      expect((await refused(openDataDir(dir))).message).toContain(`Файл ключа ${file} повреждён`);
      expect(await readFile(file, 'utf8')).toBe(wrong);
      await writeFile(file, kept);
    }
    (await openDataDir(dir)).close();
  });

  test.skipIf(process.platform === 'win32')(
    'DIR-3659 a pipe in the place of a key, a store or the version is refused by name, and nobody waits for it',
    async () => {
      (await openDataDir(dir)).close();
      for (const name of ['keys/seal-key', 'events.db', 'events.db.head', 'read-models.db', 'version.json']) {
        const file = join(dir, name);
        const kept = await readFile(file).catch(() => null);
        await rm(file, { force: true });
        execFileSync('mkfifo', [file]);
        expect((await refused(openDataDir(dir))).message).toBe(`${file}: это не файл. Верните его из копии.`);
        await rm(file);
        if (kept !== null) await writeFile(file, kept);
      }
      (await openDataDir(dir)).close();
    },
  );

  test('DIR-7 opens, closes and opens again with the same keys; a refusal gives the lock free', async () => {
    const first = await openDataDir(dir);
    expect(first.version).toEqual({ format: 1, backup: null });
    expect((await refused(openDataDir(dir))).message).toContain('уже использует другой процесс');
    first.close();
    const second = await openDataDir(dir);
    expect(second.secrets).toEqual(first.secrets);
    second.close();
    await writeFile(join(dir, 'version.json'), '{"format":99}');
    expect((await refused(openDataDir(dir))).path).toBe(join(dir, 'version.json'));
    lockDataDir(dir).release();
  });
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { refusalText } from '@zakup/service-kit/refusal-text';
import { testStart } from '@zakup/service-kit/testing/started';
import { openDatabase } from '@zakup/sqlite/engine';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyFiles } from '../data-dir/data-dir-secrets.ts';
import { storeFiles } from '../data-dir/store-files.ts';
import { fileTellers } from '../file-tellers.ts';
import { restoreBackup, type RestoreOptions } from '../restore/restore-backup.ts';
import { startStandalone } from '../standalone.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { type BackupOptions, draftEnd, takeBackup } from './take-backup.ts';

const now = Date.parse('2026-11-28T03:00:00.000Z');
const name = 'zakup-2026-11-28T03-00-00Z';
const { signal } = new AbortController();

let filled: string;
let folder: string;
let dataDir: string;
let target: string;
let backup: string;

const takes = (more: Partial<BackupOptions> = {}) => takeBackup({ dataDir, target, now, signal, ...more });
const restores = (more: Partial<RestoreOptions> = {}) =>
  restoreBackup({ from: backup, dataDir: join(folder, 'restored'), now, signal, ...more });
const refusal = async (work: Promise<unknown>): Promise<string> =>
  refusalText(
    await work.then(
      () => new Error('It was not refused'),
      (error: unknown) => error,
    ),
    3000,
    fileTellers,
  );
const modes = async (path: string): Promise<Readonly<Record<string, string>>> => {
  const found: Record<string, string> = {};
  for (const entry of (await readdir(path, { recursive: true })).toSorted())
    found[entry] = ((await stat(join(path, entry))).mode & 0o777).toString(8);
  return found;
};
const changeManifest = async (change: (manifest: Manifest) => object): Promise<void> =>
  writeFile(join(backup, 'manifest.json'), JSON.stringify(change(await readManifest(backup))));

beforeAll(async () => {
  filled = await mkdtemp(join(tmpdir(), 'zakup-filled-'));
  const zakup = await startStandalone({ ...testStart({ DATA_DIR: filled }), webDist: filled });
  await zakup.ready;
  const post = async (path: string, body: object, token = ''): Promise<{ readonly token: string }> => {
    const answer = await fetch(`${zakup.address}/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { data: { token: string } }).data;
  };
  const { token } = await post('/admin/login', { login: 'admin', password: 'admin-password' });
  for (const ownerName of ['Анна', 'Борис'])
    await post('/admin/licenses', { ownerName, ownerEmail: 'owner@example.com', ownerTelegram: '@owner' }, token);
  await zakup.shutdown.stop('filled');
});
afterAll(() => rm(filled, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zakup-backup-'));
  dataDir = join(folder, 'data');
  target = join(folder, 'backups');
  backup = join(target, name);
  // In one turn: what this process had open there is closed for good whenever its statements are collected, and files go with it.
  cpSync(filled, dataDir, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('npm run backup', () => {
  test('BAK-2782 writes log, credentials, seals and keys, for the owner alone, and a manifest of them', async () => {
    const { head, path } = await takes();
    expect(path).toBe(backup);
    expect(await modes(target)).toEqual({
      [name]: '700',
      [`${name}/credentials.db`]: '600',
      [`${name}/events.db`]: '600',
      [`${name}/keys`]: '700',
      [`${name}/keys/access-codes-key`]: '600',
      [`${name}/keys/credentials-key`]: '600',
      [`${name}/keys/jwt-secret`]: '600',
      [`${name}/keys/seal-key`]: '600',
      [`${name}/manifest.json`]: '600',
      [`${name}/seals.db`]: '600',
      [`${name}/version.json`]: '600',
    });
    const manifest = await readManifest(backup);
    expect(manifest).toMatchObject({ version: 1, head, createdAt: '2026-11-28T03:00:00.000Z' });
    expect(head).toBeGreaterThan(2);
    const keys = manifest.files.filter(({ path: file }) => file.startsWith('keys/'));
    expect(keys).toHaveLength(4);
    expect(keys[0]?.sha256).toMatch(/^[0-9a-f]{64}$/u);
  });

  test('BAK-2783 a taken name, and a second backup at once, are refused and leave the first alone', async () => {
    let second: Promise<string> | undefined;
    await takes({
      onProgress: () => {
        second ??= refusal(takes({ now: now + 60_000 }));
      },
    });
    expect(await second).toBe(`Копия папки данных ${dataDir} уже делается. Дождитесь её.`);
    expect(await refusal(takes())).toBe(`Папка ${backup} уже есть. Повторите через секунду.`);
    expect(await readdir(target)).toEqual([name]);
    expect((await restores()).head).toBe((await readManifest(backup)).head);
  });

  test('REV-2854 a log that is shorter than it was is not copied as if it were whole', async () => {
    const { events } = storeFiles(dataDir);
    const database = openDatabase(events);
    database.exec('DELETE FROM events WHERE position > 2');
    database.close();
    expect(await refusal(takes())).toMatch(/заканчивается на позиции 2, а по \S+events\.db\.head он доходил до \d+/u);
    expect(await readdir(folder)).toEqual(['data']);
  });

  test('REV-2856 what another installation is copying from a folder of the same path is left alone', async () => {
    const { sealKey } = keyFiles(dataDir);
    const before = await draftEnd(dataDir);
    await writeFile(sealKey, 'A'.repeat(43));
    await mkdir(join(target, `.${name}${before}`), { recursive: true });
    await takes();
    expect((await readdir(target)).toSorted()).toEqual([`.${name}${before}`, name]);
  });

  test('BAK-2784 a disk that is, or becomes, full, and whoever breaks it off: nothing is left behind', async () => {
    const full = await refusal(takes({ freeBytesOf: async () => 500_000_000 }));
    expect(full).toMatch(/свободно 500 МБ, для копии нужно 50\d МБ\. Освободите место/u);
    const fails = (error: Error) =>
      refusal(
        takes({
          onProgress: () => {
            throw error;
          },
        }),
      );
    const noSpace = await fails(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    expect(noSpace).toContain('На диске нет места для файла');
    expect(await fails(new Error('EIO of a device'))).toContain('EIO');
    const stop = new AbortController();
    const aborted = takes({ signal: stop.signal, onProgress: () => stop.abort() });
    await expect(aborted).rejects.toThrow('This operation was aborted');
    expect(await readdir(folder)).toEqual(['data']);
    await takes();
  });

  test('BAK-2785 kill -9 in the middle leaves no backup, and the next one clears away what it left', async () => {
    const module = new URL('./take-backup.ts', import.meta.url).href;
    const script = `import { takeBackup } from ${JSON.stringify(module)};
      await takeBackup({ dataDir: ${JSON.stringify(dataDir)}, target: ${JSON.stringify(target)}, now: ${now},
        signal: new AbortController().signal, onProgress: () => process.kill(process.pid, 'SIGKILL') });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: 'ignore',
    });
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    const left = await readdir(target);
    expect(left).toHaveLength(1);
    expect(left[0]).toMatch(/^\.zakup-.*\.partial$/u);
    await mkdir(join(target, '.zakup-another-installation.partial'));
    await takes({ now: now + 1_000 });
    expect(await readdir(target)).toEqual(['.zakup-another-installation.partial', 'zakup-2026-11-28T03-00-01Z']);
  });

  test('BAK-3432 a part of the folder that is a pipe, a device or a folder is refused by name, and not read for ever', async () => {
    const { sealKey } = keyFiles(dataDir);
    const puts = [
      () => execFileSync('mkfifo', [sealKey]),
      () => symlink('/dev/zero', sealKey),
      () => mkdir(sealKey),
    ] as const;
    for (const put of puts) {
      await rm(sealKey, { recursive: true });
      await put();
      expect(await refusal(takes())).toBe(`${sealKey}: это не файл. Верните его из копии.`);
    }
    expect(await readdir(folder)).toEqual(['data']);
  });

  test('BAK-2786 a folder without data, without a key, of a newer version, or with a damaged event is refused by name', async () => {
    expect(await refusal(takes({ dataDir: join(folder, 'none') }))).toContain('нет данных Zakup');
    await writeFile(join(folder, 'file'), '');
    expect(await refusal(takes({ target: join(folder, 'file') }))).toContain('file недоступна (EEXIST)');
    const { credentialsKey } = keyFiles(dataDir);
    const key = await readFile(credentialsKey);
    await rm(credentialsKey);
    expect(await refusal(takes())).toContain(`Нет файла ${credentialsKey}: копия была бы неполной`);
    await writeFile(credentialsKey, key);
    const version = join(dataDir, 'version.json');
    await writeFile(version, '{"format":2}');
    expect(await refusal(takes())).toContain('более новой версией');
    await writeFile(version, '{"format":1}');
    const { events } = storeFiles(dataDir);
    const content = await readFile(events);
    content[content.indexOf('owner@example.com')] = 0;
    await writeFile(events, content);
    expect(await refusal(takes())).toMatch(/Событие на позиции \d+ в .*events\.db повреждено/u);
    expect(await readdir(folder)).toEqual(['data', 'file']);
  });
});

describe('npm run restore', () => {
  beforeEach(async () => {
    await takes();
  });

  test('BAK-2787 only into an empty folder, which stays as it was when the backup is not whole', async () => {
    const restored = join(folder, 'restored');
    expect(await refusal(restores({ dataDir }))).toContain('Копия возвращается только в пустую папку');
    expect(await refusal(restores({ from: folder }))).toContain('нет файла manifest.json');
    const whole = join(folder, 'whole');
    await cp(backup, whole, { recursive: true });
    const spoilt = async (spoil: () => Promise<void>): Promise<string> => {
      await spoil();
      const text = await refusal(restores());
      await rm(backup, { recursive: true });
      await cp(whole, backup, { recursive: true });
      return text;
    };
    const events = join(backup, 'events.db');
    expect(await spoilt(() => truncate(events, 8_192))).toContain('events.db не целиком: 8192 байт из');
    expect(await spoilt(() => rm(events))).toContain('не прочесть events.db (ENOENT)');
    expect(await spoilt(() => rm(join(backup, 'manifest.json')))).toContain('нет файла manifest.json');
    expect(await spoilt(() => writeFile(join(backup, 'manifest.json'), '{"version":1'))).toContain('повреждён');
    const flipped = async (): Promise<void> => {
      const content = await readFile(events);
      content[20_000] = (content[20_000] ?? 0) ^ 1;
      await writeFile(events, content);
    };
    expect(await spoilt(flipped)).toContain('events.db изменён или повреждён');
    const newer = () => changeManifest((manifest) => ({ ...manifest, version: 2 }));
    expect(await spoilt(newer)).toContain('другой версией программы');
    const keyless = () =>
      changeManifest((manifest) => ({
        ...manifest,
        files: manifest.files.filter(({ path }) => path !== 'keys/seal-key'),
      }));
    expect(await spoilt(keyless)).toContain('нет keys/seal-key');
    const outside = () =>
      changeManifest((manifest) => ({
        ...manifest,
        files: [...manifest.files, { path: '../evil', size: 0, sha256: 'a'.repeat(64) }],
      }));
    expect(await spoilt(outside)).toContain('лишний файл ../evil');
    expect(await readdir(folder)).toEqual(['backups', 'data', 'whole']);
    await mkdir(restored);
    const stop = new AbortController();
    await expect(restores({ signal: stop.signal, onFile: () => stop.abort() })).rejects.toThrow('aborted');
    expect((await readdir(restored)).filter((file) => !file.startsWith('lock'))).toEqual([]);
    await restores();
  });

  test('BAK-3430 a pipe, a device or a link in the place of a file of it is refused by name, and neither read for ever nor followed', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await cp(backup, elsewhere, { recursive: true });
    const replaced = async (file: string, put: (path: string) => unknown): Promise<string> => {
      const path = join(backup, file);
      await rm(path, { recursive: true });
      await put(path);
      const text = await refusal(restores());
      await rm(path, { recursive: true });
      await cp(join(elsewhere, file), path, { recursive: true });
      return text;
    };
    const pipe = (path: string) => execFileSync('mkfifo', [path]);
    const noFile = (file: string): string =>
      `В копии ${backup} вместо файла ${file} лежит ссылка или не файл. Возьмите другую копию.`;
    for (const file of ['manifest.json', 'events.db', 'keys/seal-key']) {
      expect(await replaced(file, pipe)).toBe(noFile(file));
      expect(await replaced(file, (path) => symlink('/dev/zero', path))).toBe(noFile(file));
      expect(await replaced(file, (path) => symlink(join(elsewhere, file), path))).toBe(noFile(file));
    }
    expect(await replaced('keys', (path) => symlink(join(elsewhere, 'keys'), path))).toBe(noFile('keys/jwt-secret'));
    // As long as a disk, and never read.
    expect(await replaced('keys/seal-key', (path) => writeFile(path, '').then(() => truncate(path, 2 ** 43)))).toMatch(
      /keys\/seal-key не целиком: 8796093022208 байт из 43/u,
    );
    expect((await readdir(folder)).toSorted()).toEqual(['backups', 'data', 'elsewhere']);
    await symlink(backup, join(folder, 'latest'));
    await restores({ from: join(folder, 'latest') });
  });

  test('BAK-3431 a manifest that is too long, names a file twice or another end of the log is refused, as is a folder that is not empty by our names', async () => {
    const manifest = join(backup, 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    const [first] = (await readManifest(backup)).files;
    await writeFile(manifest, `${text}${' '.repeat(1_000_000)}`);
    expect(await refusal(restores())).toBe(`Файл ${manifest} повреждён. Возьмите другую копию.`);
    await writeFile(manifest, text);
    await changeManifest((one) => ({ ...one, files: [...one.files, first] }));
    expect(await refusal(restores())).toContain('файл credentials.db назван дважды');
    await writeFile(manifest, text);
    await changeManifest((one) => ({ ...one, head: one.head + 1 }));
    expect(await refusal(restores())).toMatch(
      /Журнал копии \S+ кончается на позиции (\d+), а по manifest\.json на \d+/u,
    );
    await writeFile(manifest, text);
    expect(await refusal(restores({ dataDir: join(backup, 'restored') }))).toContain('лежит в самой копии');
    expect((await readdir(backup)).includes('restored')).toBe(false);
    expect(await readdir(folder)).toEqual(['backups', 'data']);
    const restored = join(folder, 'restored');
    await mkdir(restored);
    await writeFile(join(restored, 'lock-and-key.txt'), '');
    expect(await refusal(restores())).toContain('уже есть файлы (lock-and-key.txt)');
  });

  test('BAK-3660 a backup that changes while it is put back is refused, and leaves nothing', async () => {
    const changes = (file: string, text: string) => {
      let isChanged = false;
      return restores({
        onFile: () => {
          if (!isChanged) writeFileSync(join(backup, file), text);
          isChanged = true;
        },
      });
    };
    expect(await refusal(changes('version.json', '{"format":7}'))).toBe(
      `Копия ${backup} изменилась, пока её читали. Повторите.`,
    );
    await writeFile(join(backup, 'version.json'), '{"format":1}\n');
    expect(await refusal(changes('keys/seal-key', 'x'.repeat(43)))).toContain('записан не так, как лежит в копии');
    expect(await readdir(folder)).toEqual(['backups', 'data']);
  });

  test('BAK-2788 REV-2850 what comes next has a greater position than the lost log can have given, also where that was restored', async () => {
    const { head, next } = await restores();
    expect(next - head).toBeGreaterThan(1_000_000_000);
    const store = await sqliteEventStore({ file: storeFiles(join(folder, 'restored')).events });
    expect(await store.head()).toBe(next);
    await store.close();
    const later = join(folder, 'later');
    const again = await restores({ dataDir: later, now: now + 60_000 });
    // The first one may have given positions for a minute.
    expect(again.next - next).toBeGreaterThan(1_000_000);
    const modesOf = await modes(join(folder, 'restored'));
    expect(Object.entries(modesOf).filter(([, mode]) => mode !== '600' && mode !== '700')).toEqual([]);
  });

  test('BAK-2789 a backup in the place of the data, or an older log alone, is recognised and refused', async () => {
    const started = async (path: string): Promise<string> => {
      const opening = async (): Promise<void> => {
        const zakup = await startStandalone({ ...testStart({ DATA_DIR: path }), webDist: path });
        try {
          await zakup.opened;
        } finally {
          await zakup.shutdown.stop('tried');
        }
      };
      return refusal(opening());
    };
    expect(await started(backup)).toContain('лежит копия (manifest.json), а не данные');
    await restores();
    await rm(storeFiles(dataDir).events);
    await cp(storeFiles(backup).events, storeFiles(join(folder, 'restored')).events);
    const replaced = await started(join(folder, 'restored'));
    expect(replaced).toContain('Верните полный журнал');
  });
});

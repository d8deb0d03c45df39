import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { declaredFields } from '@zakup/contracts/read-models';
import { storedHead } from '@zakup/event-store/sqlite/log-file';
import { skipPositions } from '@zakup/event-store/sqlite/skipped-positions';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import {
  type BackupFile,
  BackupRefused,
  checkFiles,
  fileEntry,
  type Manifest,
  readManifest,
} from '../backup/manifest.ts';
import { manifestFileName } from '../data-dir/backup-in-place.ts';
import { backupLockName, lockDataDir, lockFileName } from '../data-dir/data-dir-lock.ts';
import { formatOf, readFormat, versionFileName } from '../data-dir/data-dir-version.ts';
import { syncFile, syncFolder, writeDurably } from '../data-dir/durable-file.ts';
import { refuseLostParts } from '../data-dir/lost-parts.ts';
import { storeFiles } from '../data-dir/store-files.ts';

export interface RestoreOptions {
  /** The backup's folder. */
  readonly from: string;
  /** Empty or absent. */
  readonly dataDir: string;
  /** UTC milliseconds. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Told of each file once it is in its place. */
  readonly onFile?: (file: BackupFile) => void;
}

export interface Restored {
  /** Absolute. */
  readonly path: string;
  /** Position of the last event of the backup, and the one from which the log goes on. */
  readonly head: number;
  readonly next: number;
  /** When the backup was made, UTC, ISO 8601. */
  readonly createdAt: string;
}

/**
 * More positions than a log that is lost can have given since its backup. Of one that was itself put back, or mended, later than what is put
 * back now, they are below what the clock says: no log gives a hundred in a millisecond.
 */
export const positionsLeftOut = (now: number) => ({ count: 1_000_000_000, least: 100 * now }) as const;

/** What may lie in an empty folder: what it was locked by, and a mount point's own entry. */
const ownNames: readonly string[] = [
  'lost+found',
  ...[lockFileName, backupLockName].flatMap((name) => [name, `${name}-journal`]),
];
const isOthers = (name: string): boolean => !ownNames.includes(name);

const refuseFilled = async (dataDir: string): Promise<void> => {
  const found = existsSync(dataDir) ? (await readdir(dataDir)).filter(isOthers) : [];
  if (found.length > 0)
    throw new BackupRefused(
      `В папке ${dataDir} уже есть файлы (${found.slice(0, 3).join(', ')}). Копия возвращается только в пустую папку: задайте другую DATA_DIR или переименуйте эту.`,
    );
};

/** The version's text as the manifest has it: the backup may have been written to since its files were looked at. */
const versionText = async ({ files }: Manifest, from: string): Promise<string> => {
  const text = await readFile(join(from, versionFileName), 'utf8');
  if (hash('sha256', text, 'hex') !== files.find(({ path }) => path === versionFileName)?.sha256)
    throw new BackupRefused(`Копия ${from} изменилась, пока её читали. Повторите.`);
  return text;
};

const putFile = async (file: BackupFile, { from, dataDir, signal, onFile }: RestoreOptions): Promise<void> => {
  const to = join(dataDir, file.path);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(join(from, file.path), to);
  await chmod(to, 0o600);
  await syncFile(to);
  const { sha256 } = await fileEntry(dataDir, file.path, signal);
  if (sha256 !== file.sha256) throw new BackupRefused(`Файл ${to} записан не так, как лежит в копии. Проверьте диск.`);
  onFile?.(file);
};

/**
 * Empty read models that know of every position below `position`: whoever had read others until then begins anew, in every scope.
 */
export const resetReaders = async (file: string, position: number): Promise<void> => {
  const readStore = sqliteReadStore({ file, declared: declaredFields });
  try {
    await readStore.commit({ docs: [], checkpoint: { partition: allPartitions, position, fence: 0 } });
    await readStore.clear();
  } finally {
    await readStore.close();
  }
};

const fill = async (manifest: Manifest, options: RestoreOptions): Promise<number> => {
  const { from, dataDir, now } = options;
  const { files, head } = manifest;
  for (const file of files.filter(({ path }) => path !== versionFileName)) await putFile(file, options);
  refuseLostParts(dataDir);
  const stores = storeFiles(dataDir);
  const last = storedHead(stores.events);
  if (last !== head)
    throw new BackupRefused(`Журнал копии ${from} кончается на позиции ${last}, а по ${manifestFileName} на ${head}.`);
  const next = skipPositions(stores.events, { reason: 'restored', ...positionsLeftOut(now), now });
  await resetReaders(stores.readModels, next);
  for (const folder of new Set(files.map(({ path }) => dirname(join(dataDir, path))))) await syncFolder(folder);
  const version = await versionText(manifest, from);
  options.signal.throwIfAborted();
  // Last: without it nobody takes the folder for data.
  await writeDurably(join(dataDir, versionFileName), version);
  return next;
};

/** Takes away what was put there. */
const empty = async (dataDir: string, wasThere: boolean): Promise<void> => {
  for (const name of await readdir(dataDir))
    if (!wasThere || isOthers(name)) await rm(join(dataDir, name), { recursive: true, force: true });
  if (!wasThere) await rm(dataDir, { recursive: true, force: true });
};

/**
 * Puts a backup back into an empty or absent folder, once every file of it was found as its manifest says. The log goes on behind a gap that
 * is larger than what may have been given since, and whoever follows the read models is reset. Throws `BackupRefused`, and errors that name
 * the file; the folder is then as it was.
 */
export const restoreBackup = async (given: RestoreOptions): Promise<Restored> => {
  const options = { ...given, from: resolve(given.from), dataDir: resolve(given.dataDir) };
  const { from, dataDir, signal } = options;
  const manifest = await readManifest(from);
  if (`${dataDir}${sep}`.startsWith(`${from}${sep}`))
    throw new BackupRefused(`Папка ${dataDir} лежит в самой копии. Задайте другую DATA_DIR.`);
  await checkFiles(from, manifest, { signal });
  if (((await readFormat(from)) ?? 0) > formatOf())
    throw new BackupRefused(`Копия ${from} записана более новой версией программы. Обновите программу.`);
  await refuseFilled(dataDir);
  const wasThere = existsSync(dataDir);
  const lock = lockDataDir(dataDir);
  try {
    await refuseFilled(dataDir);
    const next = await fill(manifest, options).catch(async (error: unknown) => {
      await empty(dataDir, wasThere);
      throw error;
    });
    return { path: dataDir, head: manifest.head, next, createdAt: manifest.createdAt };
  } finally {
    lock.release();
  }
};

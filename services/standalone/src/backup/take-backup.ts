import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkLog } from '@zakup/event-store/sqlite/log-check';
import { refusalText } from '@zakup/service-kit/refusal-text';
import { databaseSnapshot, type Snapshot } from '@zakup/sqlite/snapshot';
import { unusableFile } from '@zakup/sqlite/unusable-file';
import { manifestFileName } from '../data-dir/backup-in-place.ts';
import { lockBackups } from '../data-dir/data-dir-lock.ts';
import { DataDirInUse, systemReason } from '../data-dir/data-dir-refused.ts';
import { formatOf, readFormat, versionFileName } from '../data-dir/data-dir-version.ts';
import { syncFolder, syncFile, writeDurably } from '../data-dir/durable-file.ts';
import { markedHead, refuseShorter, sealedTo } from '../data-dir/known-head.ts';
import { fileTellers } from '../file-tellers.ts';
import { keptBackups } from './kept-backups.ts';
import { noteLastBackup, readLastBackup } from './last-backup.ts';
import { backupName, backupParts, BackupRefused, fileEntry, manifestVersion, neededParts } from './manifest.ts';

/** How far a backup has come. */
export interface BackupProgress {
  readonly bytes: number;
  readonly of: number;
}

export interface BackupOptions {
  /** The data folder, whether a process has it or not. */
  readonly dataDir: string;
  /** Where the backup's folder is made; made where absent. */
  readonly target: string;
  /** UTC milliseconds, which give it its name. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Told after every few megabytes; what it throws ends the backup. */
  readonly onProgress?: (progress: BackupProgress) => void;
  /** Refused where the last one was put into this folder and none of this data folder is there any more: a disk that is not mounted. */
  readonly expectsEarlier?: boolean;
  /** Free bytes on the file system of a path, for an ordinary user. */
  readonly freeBytesOf?: (path: string) => Promise<number>;
}

export interface Backup {
  /** Absolute. */
  readonly path: string;
  /** Position of the last event in it. */
  readonly head: number;
  readonly bytes: number;
  /** UTC instant, ISO 8601. */
  readonly createdAt: string;
}

/** There is one of the same second. */
class BackupNameTaken extends BackupRefused {}

const freeBytes = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
};

/** Below this the server on the same disk would take no more changes. */
const leftForServer = 500_000_000;

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} МБ`;

const refuseFullDisk = async (bytes: number, { dataDir, target, freeBytesOf = freeBytes }: BackupOptions) => {
  const free = await freeBytesOf(target);
  const wanted = bytes + (statSync(target).dev === statSync(dataDir).dev ? leftForServer : 0);
  if (free < wanted)
    throw new BackupRefused(
      `На диске папки ${target} свободно ${megabytes(free)}, для копии нужно ${megabytes(wanted)}. Освободите место или выберите другую папку.`,
    );
};

/**
 * Whose backup it is: under its lock, what another one of the same data folder has left is nobody's. Two installations may have theirs under
 * one path, each in a container of its own, and one restored from a backup has the keys of the first.
 */
export const draftEnd = async (dataDir: string): Promise<string> => {
  const { sha256 } = await fileEntry(dataDir, 'keys/seal-key');
  return `.${createHash('sha256').update(`${dataDir}\n${sha256}`).digest('hex').slice(0, 8)}.partial`;
};

const removeDrafts = async (target: string, end: string): Promise<void> => {
  for (const name of await readdir(target))
    if (name.startsWith('.zakup-') && name.endsWith(end))
      await rm(join(target, name), { recursive: true, force: true });
};

/** What the stores are at one moment: whoever is read first knows of nothing that the others lack. */
const snapshots = (dataDir: string): ReadonlyMap<string, Snapshot> => {
  const taken = new Map<string, Snapshot>();
  try {
    for (const path of backupParts.stores) taken.set(path, databaseSnapshot(join(dataDir, path)));
    return taken;
  } catch (error) {
    for (const one of taken.values()) one.close();
    throw error;
  }
};

const copyStores = async (draft: string, options: BackupOptions): Promise<void> => {
  const { dataDir, signal, onProgress } = options;
  const taken = snapshots(dataDir);
  try {
    const of = [...taken.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    await refuseFullDisk(of, options);
    let before = 0;
    for (const [path, snapshot] of taken) {
      const file = join(draft, path);
      await snapshot.copyTo(file, ({ totalPages, remainingPages }) => {
        signal.throwIfAborted();
        const share = totalPages === 0 ? 1 : (totalPages - remainingPages) / totalPages;
        onProgress?.({ bytes: before + Math.round(snapshot.bytes * share), of });
      });
      await syncFile(file);
      before += snapshot.bytes;
      signal.throwIfAborted();
      onProgress?.({ bytes: before, of });
    }
  } finally {
    for (const snapshot of taken.values()) snapshot.close();
  }
};

const fill = async (draft: string, options: BackupOptions): Promise<Omit<Backup, 'path'>> => {
  const { dataDir, now, signal } = options;
  const [, seals, events] = backupParts.stores;
  const marked = markedHead(join(dataDir, events)) ?? 0;
  await copyStores(draft, options);
  for (const path of backupParts.texts.filter((one) => existsSync(join(dataDir, one)))) {
    const file = join(draft, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeDurably(file, await readFile(join(dataDir, path), 'utf8'));
  }
  const head = await checkLog(join(draft, events), signal);
  const sealed = sealedTo(join(draft, seals));
  refuseShorter(join(dataDir, events), head, { marked, sealed, seals: join(dataDir, seals) });
  const files = [];
  for (const path of [...backupParts.stores, ...backupParts.texts])
    if (existsSync(join(draft, path))) files.push(await fileEntry(draft, path, signal));
  const createdAt = new Date(now).toISOString();
  const manifest = { version: manifestVersion, head, createdAt, files };
  await writeDurably(join(draft, manifestFileName), `${JSON.stringify(manifest, null, 2)}\n`);
  return { head, createdAt, bytes: files.reduce((sum, { size }) => sum + size, 0) };
};

const refuseUnfit = async (dataDir: string): Promise<void> => {
  const format = existsSync(dataDir) ? await readFormat(dataDir) : null;
  if (format === null) throw new BackupRefused(`В ${dataDir} нет данных Zakup: копировать нечего. Проверьте DATA_DIR.`);
  if (format > formatOf())
    throw new BackupRefused(`Папка данных ${dataDir} записана более новой версией. Обновите программу.`);
  for (const path of neededParts) {
    const file = join(dataDir, path);
    // No store of it is opened here for more than reading: a server may have it open in this process.
    if (!existsSync(file))
      throw new BackupRefused(`Нет файла ${file}: копия была бы неполной. Верните его или запустите сервер.`);
  }
};

/** The folder, and whether it was made now. */
const targetFolder = async (target: string): Promise<boolean> => {
  try {
    return (await mkdir(target, { recursive: true, mode: 0o700 })) !== undefined;
  } catch (error) {
    throw new BackupRefused(`Папка для копий ${target} недоступна (${systemReason(error)}).`, { cause: error });
  }
};

/** Else copies would fill the disk under the place where the other one belongs, and be gone from sight once it is back. */
const refuseEmptied = async (dataDir: string, target: string): Promise<void> => {
  const last = await readLastBackup(dataDir);
  if (last?.dir !== target) return;
  const { sha256 } = await fileEntry(dataDir, 'keys/seal-key');
  if ((await keptBackups(target, sha256)).length > 0) return;
  throw new BackupRefused(
    `В ${target} нет прежних копий: подключён ли диск? Если их убрали нарочно, сделайте одну сами: npm run backup -- ${target}`,
  );
};

const takenIn = async (options: BackupOptions): Promise<Backup> => {
  const { dataDir, target, now } = options;
  if (options.expectsEarlier === true) await refuseEmptied(dataDir, target);
  const isMade = await targetFolder(target);
  const path = join(target, backupName(now));
  const end = await draftEnd(dataDir);
  const draft = join(target, `.${backupName(now)}${end}`);
  const refuseTaken = (): void => {
    if (existsSync(path)) throw new BackupNameTaken(`Папка ${path} уже есть. Повторите через секунду.`);
  };
  try {
    refuseTaken();
    await removeDrafts(target, end);
    await mkdir(draft, { mode: 0o700 });
    const filled = await fill(draft, options);
    await syncFolder(draft);
    refuseTaken();
    await rename(draft, path);
    await syncFolder(target);
    return { path, ...filled };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Only where there is nothing else in it.
    if (isMade) await rmdir(target).catch(() => undefined);
    throw systemReason(error) === 'ENOSPC' ? unusableFile(draft, error) : error;
  }
};

const takenAlone = async (options: BackupOptions): Promise<Backup> => {
  const { dataDir } = options;
  await refuseUnfit(dataDir);
  const release = lockBackups(dataDir);
  try {
    return await takenIn(options);
  } finally {
    release();
  }
};

/**
 * Copies a data folder on embedded stores, of which a server may be writing, to a folder that gets its name only when it is whole: log,
 * credentials, seals and keys as they were at one moment, and a manifest. Read models are not in it: they are made of the log. Throws
 * `BackupRefused`, `DataDirInUse` while another backup of the folder is made, and errors that name the file; then nothing is left behind. What became
 * of it is noted in the data folder.
 */
export const takeBackup = async (options: BackupOptions): Promise<Backup> => {
  const dataDir = resolve(options.dataDir);
  const target = resolve(options.target);
  try {
    const backup = await takenAlone({ ...options, dataDir, target });
    await noteLastBackup(dataDir, { at: options.now, ok: true, position: backup.head, problem: null, dir: target });
    return backup;
  } catch (error) {
    const isFailure = !(error instanceof BackupNameTaken || error instanceof DataDirInUse || options.signal.aborted);
    const problem = refusalText(error, 0, fileTellers);
    if (isFailure && existsSync(join(dataDir, versionFileName)))
      await noteLastBackup(dataDir, { at: options.now, ok: false, problem });
    throw error;
  }
};

import { accessSync, constants, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openDatabase } from '@zakup/sqlite/engine';
import { keepToOwner } from '@zakup/sqlite/owner-only';
import { DataDirInUse, DataDirRefused, systemReason } from './data-dir-refused.ts';

/** The file that carries the lock. Opening and closing it elsewhere in the same process would drop the lock (POSIX), so nobody reads or copies it. */
export const lockFileName = 'lock';

/** Held while a backup is made, beside the lock of whoever uses the folder. */
export const backupLockName = `${lockFileName}-backup`;

export interface DataDirLock {
  /** Absolute. */
  readonly dir: string;
  release(): void;
}

function usableFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    keepToOwner(dir);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataDirRefused(
      dir,
      `Папка данных ${dir} недоступна для записи (${systemReason(error)}). Проверьте DATA_DIR и права на папку.`,
      { cause: error },
    );
  }
}

/**
 * Takes a file for this process, making it where it is absent; answers how to give it free. The operating system holds the lock. Throws
 * `DataDirInUse` when another process, or this one, has it, `DataDirRefused` when it cannot be taken.
 */
function exclusiveLock(file: string, text: { readonly busy: string; readonly failed: string }): () => void {
  let database: ReturnType<typeof openDatabase> | undefined;
  try {
    database = openDatabase(file);
    database.exec('PRAGMA busy_timeout = 0');
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    const busy = error instanceof Error && /locked|busy/i.test(error.message);
    if (busy) throw new DataDirInUse(file, text.busy, { cause: error });
    throw new DataDirRefused(file, `${text.failed} (${systemReason(error)}).`, { cause: error });
  }
  const held = database;
  let released = false;
  return () => {
    if (released) return;
    released = true;
    held.close();
  };
}

/** Keeps backups of the folder out while its files are copied, or replaced; answers how to let them in. Throws as `exclusiveLock`. */
export const lockBackups = (dir: string): (() => void) => {
  const file = join(dir, backupLockName);
  return exclusiveLock(file, {
    busy: `Копия папки данных ${dir} уже делается. Дождитесь её.`,
    failed: `Не удалось начать копию: файл ${file}`,
  });
};

/**
 * Takes the folder for this process, making it where it is absent. The operating system holds the lock, so it ends with the process,
 * `kill -9` included. Throws `DataDirRefused` when another process has it, or the folder cannot be written.
 */
export function lockDataDir(path: string): DataDirLock {
  const dir = resolve(path);
  usableFolder(dir);
  const file = join(dir, lockFileName);
  const held = exclusiveLock(file, {
    busy: `Папку данных ${dir} уже использует другой процесс. Остановите его или задайте другую DATA_DIR.`,
    failed: `Не удалось закрыть папку данных ${dir} для других процессов: файл ${file}`,
  });
  return { dir, release: held };
}

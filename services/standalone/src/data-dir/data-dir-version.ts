import { constants } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { lockFileName } from './data-dir-lock.ts';
import { DataDirRefused, systemReason } from './data-dir-refused.ts';
import { refuseNoFiles } from './plain-files.ts';
import { writeDurably } from './durable-file.ts';

/** Brings a folder from the format below `to` up to it. May be run again on a folder that it has changed in part. */
export interface DataDirMigration {
  readonly to: number;
  readonly run: (dir: string) => Promise<void>;
}

/** In order, without gaps; the last one's `to` is today's format, 1 when there are none. */
export const dataDirMigrations: readonly DataDirMigration[] = [];

export interface DataDirVersion {
  readonly format: number;
  /** Where the folder was copied to before it was upgraded; null when there was nothing to upgrade. */
  readonly backup: string | null;
}

const firstFormat = 1;

/** Of these migrations' last step. */
export const formatOf = (migrations: readonly DataDirMigration[] = dataDirMigrations): number =>
  migrations.at(-1)?.to ?? firstFormat;

export const versionFileName = 'version.json';
const backupPrefix = 'backup-';
const versionSchema = z.object({ format: z.int().min(firstFormat) });

/** What a folder may hold before it is ours: the lock, mount points' own entries, hidden files, an unfinished version file. */
const isForeign = (name: string): boolean =>
  name !== lockFileName &&
  name !== `${lockFileName}-journal` &&
  name !== 'lost+found' &&
  name !== `${versionFileName}.new` &&
  !name.startsWith('.');

/** Of the folder; null = there is nothing in it yet. Throws `DataDirRefused`, also where one of its parts is no file. */
export async function readFormat(dir: string): Promise<number | null> {
  const file = join(dir, versionFileName);
  refuseNoFiles(dir, [versionFileName]);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemReason(error) !== 'ENOENT') {
      throw new DataDirRefused(file, `Не удалось прочитать ${file} (${systemReason(error)}).`, { cause: error });
    }
    const found = (await readdir(dir)).filter(isForeign);
    if (found.length === 0) return null;
    throw new DataDirRefused(
      file,
      `В папке ${dir} есть файлы (${found.slice(0, 3).join(', ')}), но нет ${file}: это не папка данных Zakup или она повреждена. Задайте пустую DATA_DIR или верните файл из копии.`,
    );
  }
  try {
    return versionSchema.parse(JSON.parse(text)).format;
  } catch (error) {
    throw new DataDirRefused(file, `Файл ${file} повреждён: ожидается {"format": число}. Верните его из копии.`, {
      cause: error,
    });
  }
}

const writeFormat = (dir: string, format: number): Promise<void> =>
  writeDurably(join(dir, versionFileName), `${JSON.stringify({ format })}\n`);

/** Copies everything but the lock and earlier copies; the copy gets its name only when it is whole. */
async function backUp(dir: string, format: number, now: Date): Promise<string> {
  const entries = await readdir(dir);
  const plain = `${backupPrefix}${format}-${now.toISOString().slice(0, 10)}`;
  let name = plain;
  for (let count = 2; entries.includes(name); count += 1) name = `${plain}-${count}`;
  const draft = join(dir, `.${name}.partial`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  for (const entry of entries) {
    if (entry.startsWith(lockFileName) || entry.startsWith(backupPrefix) || entry.startsWith('.')) continue;
    await cp(join(dir, entry), join(draft, entry), {
      recursive: true,
      preserveTimestamps: true,
      mode: constants.COPYFILE_FICLONE,
    });
  }
  const backup = join(dir, name);
  await rename(draft, backup);
  return backup;
}

/**
 * Makes the folder, which this process has locked, one of today's format: an empty one is marked, an older one is copied to
 * `backup-<format>-<day>` inside it and upgraded step by step. Throws `DataDirRefused`, naming the file, for a newer or damaged one
 * and when a step fails; the format on disk is then that of the last step that ended.
 */
export async function prepareDataDir(
  dir: string,
  {
    migrations = dataDirMigrations,
    now = new Date(),
  }: { readonly migrations?: readonly DataDirMigration[]; readonly now?: Date } = {},
): Promise<DataDirVersion> {
  const today = formatOf(migrations);
  const file = join(dir, versionFileName);
  const format = await readFormat(dir);
  if (format === null) {
    await writeFormat(dir, today);
    return { format: today, backup: null };
  }
  if (format > today) {
    throw new DataDirRefused(
      file,
      `Папка данных ${dir} записана более новой версией (${file}: формат ${format}, эта версия знает до ${today}). Обновите программу.`,
    );
  }
  const due = migrations.filter(({ to }) => to > format);
  if (due.length === 0) return { format, backup: null };
  let backup: string | null = null;
  try {
    backup = await backUp(dir, format, now);
    for (const { to, run } of due) {
      await run(dir);
      await writeFormat(dir, to);
    }
  } catch (error) {
    const copy = backup === null ? 'Копия не сделана, данные не изменены.' : `Прежние данные лежат в ${backup}.`;
    throw new DataDirRefused(
      dir,
      `Не удалось обновить папку данных ${dir} с формата ${format} (${systemReason(error)}). ${copy}`,
      { cause: error },
    );
  }
  return { format: today, backup };
}

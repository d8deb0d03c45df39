import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { manifestFileName } from '../data-dir/backup-in-place.ts';
import { systemReason } from '../data-dir/data-dir-refused.ts';
import { keyFiles } from '../data-dir/data-dir-secrets.ts';
import { versionFileName } from '../data-dir/data-dir-version.ts';
import { demoMarkFileName } from '../data-dir/demo-mark.ts';
import { storeFiles } from '../data-dir/store-files.ts';

/** Of the form of a backup; one of a greater one is refused. */
export const manifestVersion = 1;

/** Bytes: it names ten files at most. */
const longestManifest = 1_000_000;

const fileSchema = z.object({
  /** From the backup's folder, with `/`. */
  path: z.string(),
  size: z.int().min(0),
  /** Hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
});
export type BackupFile = z.infer<typeof fileSchema>;

const manifestSchema = z.object({
  version: z.literal(manifestVersion),
  /** Position of the last event in it; 0 = there is none. */
  head: z.int().min(0),
  /** UTC instant, ISO 8601. */
  createdAt: z.iso.datetime(),
  files: z.array(fileSchema),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A backup cannot be made, or used; `message` is for the operator and names the file or folder. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

/** Paths from a data folder, with `/`: its stores in the order in which they are to be read, and what is text. */
export const backupParts = {
  /** Each may know of what stands in those after it, never the other way round. */
  stores: [storeFiles('').credentials, storeFiles('').seals, storeFiles('').events],
  texts: [
    ...Object.entries(keyFiles(''))
      .filter(([name]) => name !== 'folder')
      .map(([, path]) => path.replaceAll('\\', '/')),
    demoMarkFileName,
    versionFileName,
  ],
} as const;

const known: readonly string[] = [...backupParts.stores, ...backupParts.texts];
const { jwtSecret, credentialsKey, sealKey } = keyFiles('');
/** Without one of them a folder could not be started, or would forget something. */
export const neededParts: readonly string[] = [
  ...backupParts.stores,
  jwtSecret,
  credentialsKey,
  sealKey,
  versionFileName,
];

/** What a file is, read piece by piece. */
export const fileEntry = async (folder: string, path: string, signal?: AbortSignal): Promise<BackupFile> => {
  const file = join(folder, path);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { ...(signal && { signal }) });
  const { size } = await stat(file);
  return { path, size, sha256: hash.digest('hex') };
};

const otherVersion = z.object({ version: z.union([z.number(), z.string()]) });

/**
 * Size of a file of a backup. Throws `BackupRefused` where it is something else, or lies behind a link: a pipe or a device would be read for
 * ever, and a link leads out of the backup.
 */
const plainFile = async (folder: string, path: string): Promise<number> => {
  const file = join(folder, path);
  const found = await lstat(file);
  // The backup itself may be named by a link.
  const isInside = dirname(path) === '.' || (await lstat(dirname(file))).isDirectory();
  if (!found.isFile() || !isInside)
    throw new BackupRefused(`В копии ${folder} вместо файла ${path} лежит ссылка или не файл. Возьмите другую копию.`);
  return found.size;
};

/** Throws `BackupRefused` where there is none, it is damaged, or a newer program wrote it. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const file = join(folder, manifestFileName);
  let text: string;
  try {
    if ((await plainFile(folder, manifestFileName)) > longestManifest)
      throw new BackupRefused(`Файл ${file} повреждён. Возьмите другую копию.`);
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    throw new BackupRefused(
      `${folder} не копия Zakup: нет файла ${manifestFileName} (${systemReason(error)}). Укажите папку zakup-…, целиком.`,
      { cause: error },
    );
  }
  try {
    const content: unknown = JSON.parse(text);
    const { version } = otherVersion.parse(content);
    if (version !== manifestVersion)
      throw new BackupRefused(
        `Копия ${folder} записана другой версией программы (${manifestFileName}: версия ${version}, эта программа знает ${manifestVersion}). Обновите программу.`,
      );
    return manifestSchema.parse(content);
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    throw new BackupRefused(`Файл ${file} повреждён. Возьмите другую копию.`, { cause: error });
  }
};

/** Throws `BackupRefused` unless every file that the manifest names is there as it says, and none is missing. */
export const checkFiles = async (
  folder: string,
  { files }: Manifest,
  { signal, onFile }: { readonly signal: AbortSignal; readonly onFile?: (file: BackupFile) => void },
): Promise<void> => {
  const paths = files.map(({ path }) => path);
  const strange = paths.find((path) => !known.includes(path));
  if (strange !== undefined) throw new BackupRefused(`В ${manifestFileName} копии ${folder} лишний файл ${strange}.`);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined)
    throw new BackupRefused(`В ${manifestFileName} копии ${folder} файл ${twice} назван дважды.`);
  const lost = neededParts.find((path) => !paths.includes(path));
  if (lost !== undefined)
    throw new BackupRefused(`В копии ${folder} нет ${lost}: она неполная. Возьмите другую копию.`);
  for (const file of files) {
    const unreadable = (error: unknown): never => {
      signal.throwIfAborted();
      if (error instanceof BackupRefused) throw error;
      throw new BackupRefused(
        `В копии ${folder} не прочесть ${file.path} (${systemReason(error)}): она неполная. Возьмите другую копию.`,
        { cause: error },
      );
    };
    const size = await plainFile(folder, file.path).catch(unreadable);
    if (size !== file.size)
      throw new BackupRefused(
        `В копии ${folder} файл ${file.path} не целиком: ${size} байт из ${file.size}. Возьмите другую копию.`,
      );
    const found = await fileEntry(folder, file.path, signal).catch(unreadable);
    if (found.sha256 !== file.sha256)
      throw new BackupRefused(`В копии ${folder} файл ${file.path} изменён или повреждён. Возьмите другую копию.`);
    onFile?.(file);
  }
};

/** `zakup-<UTC time>`, as a name of a folder anywhere. */
export const backupName = (now: number): string =>
  `zakup-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** Whether a folder's name is one of a backup. */
export const isBackupName = (path: string): boolean => /^zakup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/u.test(basename(path));

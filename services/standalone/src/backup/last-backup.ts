import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../data-dir/durable-file.ts';

const lastBackupSchema = z.object({
  /** When it was begun, UTC milliseconds. */
  at: z.int(),
  ok: z.boolean(),
  /** Of the last event in the last whole one; null = there was none. */
  position: z.int().min(0).nullable(),
  /** Why it was not made, for the operator. */
  problem: z.string().nullable(),
  /** Where the last whole one was put; absent = there was none, or an earlier version made it. */
  dir: z.string().optional(),
});
/** What became of the last backup of a data folder, whoever made it. */
export type LastBackup = z.infer<typeof lastBackupSchema>;

export const lastBackupFileName = 'last-backup.json';

/** Null = there was none, or nobody can tell. */
export const readLastBackup = async (dataDir: string): Promise<LastBackup | null> => {
  try {
    return lastBackupSchema.parse(JSON.parse(await readFile(join(dataDir, lastBackupFileName), 'utf8')));
  } catch {
    return null;
  }
};

/** A folder that cannot be written has other alarms. */
export const noteLastBackup = async (
  dataDir: string,
  { position, dir, ...last }: Omit<LastBackup, 'position'> & { readonly position?: number },
): Promise<void> => {
  const before = await readLastBackup(dataDir);
  const place = dir ?? before?.dir;
  const noted: LastBackup = {
    ...last,
    position: position ?? before?.position ?? null,
    ...(place !== undefined && { dir: place }),
  };
  await writeDurably(join(dataDir, lastBackupFileName), `${JSON.stringify(noted)}\n`).catch(() => undefined);
};

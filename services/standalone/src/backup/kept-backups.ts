import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BackupFile, isBackupName, readManifest } from './manifest.ts';

export interface KeptBackup {
  readonly path: string;
  /** UTC milliseconds. */
  readonly createdAt: number;
}

const keyOf = (files: readonly BackupFile[]): string | undefined =>
  files.find(({ path }) => path === 'keys/seal-key')?.sha256;

/** Whole backups in a folder, oldest first; `sealKey`: SHA-256 of the key by which an installation's own are told from others'. */
export const keptBackups = async (dir: string, sealKey: string): Promise<readonly KeptBackup[]> => {
  const names = await readdir(dir).catch(() => []);
  const found: KeptBackup[] = [];
  for (const name of names.filter(isBackupName)) {
    const path = join(dir, name);
    const manifest = await readManifest(path).catch(() => null);
    if (manifest !== null && keyOf(manifest.files) === sealKey)
      found.push({ path, createdAt: Date.parse(manifest.createdAt) });
  }
  return found.toSorted((a, b) => a.createdAt - b.createdAt);
};

/** Removes the oldest of these, each out of sight first: half of one must not pass for a backup. */
export const removeOldest = async (kept: readonly KeptBackup[], keep: number, end: string): Promise<void> => {
  for (const { path, createdAt } of kept.slice(0, Math.max(0, kept.length - keep))) {
    const away = join(dirname(path), `.zakup-${createdAt}${end}`);
    await rename(path, away);
    await rm(away, { recursive: true, force: true });
  }
};

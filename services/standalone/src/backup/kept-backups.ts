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

/**
 * Which of these, oldest first, are one too many: what is older than the last `keep` that are at least half of `every` milliseconds apart. So
 * copies that somebody makes one after another push out none of the earlier ones.
 */
export const surplusOf = (
  kept: readonly KeptBackup[],
  { keep, every }: { readonly keep: number; readonly every: number },
): readonly KeptBackup[] => {
  let counted = 0;
  let last = Number.POSITIVE_INFINITY;
  for (const [index, { createdAt }] of [...kept.entries()].toReversed()) {
    if (last - createdAt < every / 2) continue;
    if (counted === keep) return kept.slice(0, index + 1);
    counted += 1;
    last = createdAt;
  }
  return [];
};

/** Removes these, each out of sight first: half of one must not pass for a backup. */
export const removeBackups = async (surplus: readonly KeptBackup[], end: string): Promise<void> => {
  for (const { path, createdAt } of surplus) {
    const away = join(dirname(path), `.zakup-${createdAt}${end}`);
    await rename(path, away);
    await rm(away, { recursive: true, force: true });
  }
};

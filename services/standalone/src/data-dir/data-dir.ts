import { refuseBackupInPlace } from './backup-in-place.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { dataDirSecrets, type DataDirSecrets } from './data-dir-secrets.ts';
import { prepareDataDir, type DataDirMigration, type DataDirVersion } from './data-dir-version.ts';
import { type FolderUse, refuseOtherUse } from './demo-mark.ts';
import { diskSpace, type DiskSpace, type DiskSpaceOptions } from './disk-space.ts';
import { type Elsewhere, refuseLostParts } from './lost-parts.ts';

export interface DataDir {
  /** Absolute. */
  readonly path: string;
  readonly version: DataDirVersion;
  readonly secrets: DataDirSecrets;
  readonly disk: DiskSpace;
  /** Stops the watch and gives the folder free; last of all, after the stores are closed. */
  close(): void;
}

export interface DataDirOptions {
  readonly migrations?: readonly DataDirMigration[];
  readonly disk?: DiskSpaceOptions;
  /** Default: ordinary. */
  readonly use?: FolderUse;
  /** What lies on servers and not in the folder; default: nothing. */
  readonly elsewhere?: Elsewhere;
}

/**
 * Locks the folder, brings it to today's format, makes sure that none of its parts is gone, reads or makes its keys and watches its disk.
 * Throws `DataDirRefused` with a text for the operator, or a store's error naming its file.
 */
export async function openDataDir(
  path: string,
  { migrations, disk, use = 'ordinary', elsewhere }: DataDirOptions = {},
): Promise<DataDir> {
  const lock = lockDataDir(path);
  try {
    refuseBackupInPlace(lock.dir);
    refuseOtherUse(lock.dir, use);
    const version = await prepareDataDir(lock.dir, migrations === undefined ? {} : { migrations });
    refuseLostParts(lock.dir, elsewhere);
    const secrets = await dataDirSecrets(lock.dir);
    const space = await diskSpace(lock.dir, disk);
    return {
      path: lock.dir,
      version,
      secrets,
      disk: space,
      close() {
        space.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

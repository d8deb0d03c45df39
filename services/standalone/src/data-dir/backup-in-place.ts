import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirRefused } from './data-dir-refused.ts';

/** What makes a folder a backup. */
export const manifestFileName = 'manifest.json';

/** Refuses a backup's own folder, and one that a backup was laid over: the log in it would give positions a second time. */
export const refuseBackupInPlace = (dir: string): void => {
  const file = join(dir, manifestFileName);
  if (!existsSync(file)) return;
  throw new DataDirRefused(
    file,
    `В папке ${dir} лежит копия (${manifestFileName}), а не данные. Верните её командой npm run restore -- ${dir} в пустую DATA_DIR.`,
  );
};

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { headMarkFile } from '@zakup/event-store/sqlite/head-mark';
import { DataDirRefused } from './data-dir-refused.ts';
import { keyFiles } from './data-dir-secrets.ts';
import { demoMarkFileName } from './demo-mark.ts';
import { storeFiles } from './store-files.ts';

/** Throws `DataDirRefused` where a part of a data folder is no file: a pipe or a device would be read for ever. `more`: paths from the folder. */
export const refuseNoFiles = (dir: string, more: readonly string[] = []): void => {
  const { folder: _folder, ...keys } = keyFiles(dir);
  const stores = storeFiles(dir);
  const parts = [...Object.values(stores), headMarkFile(stores.events), ...Object.values(keys)];
  for (const file of [...parts, ...[demoMarkFileName, ...more].map((path) => join(dir, path))])
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new DataDirRefused(file, `${file}: это не файл. Верните его из копии.`);
};

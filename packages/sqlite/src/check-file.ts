import { accessSync, constants, existsSync } from 'node:fs';
import { checkLength } from './file-length.ts';
import { unusableFile } from './unusable-file.ts';
import { checkWalTail } from './wal-tail.ts';

/**
 * What SQLite accepts in silence, asked before anything opens the file for writing: that it and its `-wal` may be written, that it is not
 * cut off, and that no durable commit is lost from the `-wal`. An absent file passes. Throws `UnusableFile`, or the engine's error.
 */
export const checkFile = (file: string): void => {
  for (const path of [file, `${file}-wal`].filter((one) => existsSync(one))) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw unusableFile(path, error);
    }
  }
  checkLength(file);
  checkWalTail(file);
};

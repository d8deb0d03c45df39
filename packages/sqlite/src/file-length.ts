import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { UnusableFile } from './unusable-file.ts';

/**
 * A file without a WAL must be as long as its own header says; SQLite itself notices only when it meets a missing page. An absent or
 * empty file passes. Throws `UnusableFile`.
 */
export const checkLength = (file: string): void => {
  if (!existsSync(file) || (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0)) return;
  const { size } = statSync(file);
  if (size === 0) return;
  const header = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, header, 0, 100, 0);
  } finally {
    closeSync(handle);
  }
  if (header.toString('latin1', 0, 15) !== 'SQLite format 3') {
    throw new UnusableFile(file, 'damaged', 'file is not a database');
  }
  const page = header.readUInt16BE(16);
  const expected = (page === 1 ? 65_536 : page) * header.readUInt32BE(28);
  if (size < expected) throw new UnusableFile(file, 'cut_off', `is cut off: ${size} bytes of ${expected}`);
};

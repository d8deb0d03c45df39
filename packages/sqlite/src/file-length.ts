import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { UnusableFile } from './unusable-file.ts';

/** How many bytes a database file has by its own header, however many are there. Throws `UnusableFile` where it is none. */
export const lengthByHeader = (file: string): number => {
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
  return (page === 1 ? 65_536 : page) * header.readUInt32BE(28);
};

/**
 * A file without a WAL must be as long as its own header says; SQLite itself notices only when it meets a missing page. An absent or
 * empty file passes. Throws `UnusableFile`.
 */
export const checkLength = (file: string): void => {
  if (!existsSync(file) || (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0)) return;
  const { size } = statSync(file);
  if (size === 0) return;
  const expected = lengthByHeader(file);
  if (size < expected) throw new UnusableFile(file, 'cut_off', `is cut off: ${size} bytes of ${expected}`);
};

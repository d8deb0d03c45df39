import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { UnusableFile, unusableFile } from '@zakup/sqlite/unusable-file';
import type { Position } from '../event-store.ts';
import { EventStoreUnavailable } from '../event-store.ts';

/** The file beside the log that says how far the log had come at least. */
export const headMarkFile = (file: string): string => `${file}.head`;

/** A position that the log had reached for certain; 0 without a mark. Throws `EventStoreUnavailable` naming a damaged mark. */
export const readHeadMark = (file: string): Position => {
  const mark = headMarkFile(file);
  let text: string;
  try {
    text = readFileSync(mark, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw new EventStoreUnavailable(`Head mark ${mark} cannot be read`, { cause: unusableFile(mark, error) });
  }
  const [position = '', checksum = ''] = text.trim().split(' ');
  if (String(crc32(position)) !== checksum) {
    const cause = new UnusableFile(mark, 'damaged', 'is damaged');
    throw new EventStoreUnavailable(`Head mark ${cause.message}`, { cause });
  }
  return Number(position);
};

/** Replaces the mark whole; `position` must already be durable in the log. */
export const writeHeadMark = (file: string, position: Position): void => {
  const mark = headMarkFile(file);
  const handle = openSync(`${mark}.new`, 'w', 0o600);
  try {
    writeSync(handle, `${position} ${crc32(String(position))}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(`${mark}.new`, mark);
};

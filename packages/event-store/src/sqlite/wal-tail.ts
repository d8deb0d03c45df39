import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { EventStoreUnavailable } from '../event-store.ts';
import type { Database } from './engine.ts';

const headerBytes = 32;
const frameHeaderBytes = 24;

/** SQLite's own sum over the WAL header: two words, each pair of input words added in turn. */
const headerFits = (header: Buffer): boolean => {
  const word = (index: number) =>
    (header.readUInt32BE(0) & 1) === 1 ? header.readUInt32BE(index) : header.readUInt32LE(index);
  let first = 0;
  let second = 0;
  for (let index = 0; index < 24; index += 8) {
    first = (first + word(index) + second) >>> 0;
    second = (second + word(index + 4) + first) >>> 0;
  }
  return first === header.readUInt32BE(24) && second === header.readUInt32BE(28);
};

/**
 * Throws `EventStoreUnavailable` naming the `-wal` file when SQLite dropped commits from it that were durable: it silently stops
 * at the first frame whose checksum fails. After a crash at most one unfinished commit can lie behind that frame, since each
 * commit waited for the one before; two or more mean damage.
 */
export const checkWalTail = (db: Database, file: string): void => {
  const wal = `${file}-wal`;
  if (!existsSync(wal)) return;
  const row = db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number };
  const handle = openSync(wal, 'r');
  try {
    const { size } = fstatSync(handle);
    const header = Buffer.alloc(headerBytes);
    if (size <= headerBytes || readSync(handle, header, 0, headerBytes, 0) < headerBytes) return;
    if (!headerFits(header)) throw new EventStoreUnavailable(`Event log ${wal} has a damaged header`);
    const frameBytes = frameHeaderBytes + header.readUInt32BE(8);
    const frame = Buffer.alloc(frameHeaderBytes);
    let commits = 0;
    for (let at = headerBytes + Math.max(0, row.log) * frameBytes; at + frameBytes <= size; at += frameBytes) {
      readSync(handle, frame, 0, frameHeaderBytes, at);
      const ofThisWal = frame.subarray(8, 16).equals(header.subarray(16, 24));
      if (ofThisWal && frame.readUInt32BE(4) !== 0) commits += 1;
    }
    if (commits > 1) {
      throw new EventStoreUnavailable(
        `Event log ${wal} is damaged: ${commits} commits behind frame ${row.log} are cut off`,
      );
    }
  } finally {
    closeSync(handle);
  }
};

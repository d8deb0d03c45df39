import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { openDatabase } from './engine.ts';
import { UnusableFile } from './unusable-file.ts';

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

/** Commits in the WAL behind a frame. Throws `UnusableFile` for a damaged header. */
const commitsBehind = (wal: string, frames: number): number => {
  const handle = openSync(wal, 'r');
  try {
    const { size } = fstatSync(handle);
    const header = Buffer.alloc(headerBytes);
    if (size <= headerBytes || readSync(handle, header, 0, headerBytes, 0) < headerBytes) return 0;
    if (!headerFits(header)) throw new UnusableFile(wal, 'damaged', 'has a damaged header');
    const frameBytes = frameHeaderBytes + header.readUInt32BE(8);
    const frame = Buffer.alloc(frameHeaderBytes);
    let commits = 0;
    for (let at = headerBytes + frames * frameBytes; at + frameBytes <= size; at += frameBytes) {
      readSync(handle, frame, 0, frameHeaderBytes, at);
      const ofThisWal = frame.subarray(8, 16).equals(header.subarray(16, 24));
      if (ofThisWal && frame.readUInt32BE(4) !== 0) commits += 1;
    }
    return commits;
  } finally {
    closeSync(handle);
  }
};

/**
 * Throws `UnusableFile` naming the `-wal` of a database when SQLite would drop commits from it that were durable: it silently stops at
 * the first frame whose checksum fails. After a crash at most one unfinished commit can lie behind that frame, where each commit waited
 * for the one before; two or more mean damage. To be asked before anything opens the file for writing. Throws the engine's error when
 * the file cannot be read.
 */
export const checkWalTail = (file: string): void => {
  const wal = `${file}-wal`;
  if (!existsSync(file) || !existsSync(wal) || statSync(wal).size <= headerBytes) return;
  // Read-only, because the last writing connection that closes moves into the file what it can read, and deletes the rest.
  const db = openDatabase(file, { readOnly: true });
  try {
    const size = db.prepare('PRAGMA wal_checkpoint(NOOP)');
    const readable = (): number => Math.max(0, (size.get() as { readonly log: number }).log);
    for (;;) {
      const frames = readable();
      const commits = commitsBehind(wal, frames);
      if (commits <= 1) return;
      // Another process may have committed between the two looks.
      if (readable() === frames) {
        throw new UnusableFile(wal, 'damaged', `is damaged: ${commits} commits behind frame ${frames} are cut off`);
      }
    }
  } finally {
    db.close();
  }
};

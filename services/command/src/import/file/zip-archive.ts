import { crc32, createInflateRaw } from 'node:zlib';
import { UnsupportedFile } from './unsupported-file.ts';

/** Bytes that all parts of an archive may have together when they are unpacked. */
const mostUnpacked = 100 * 1024 * 1024;
const stored = 0;
const deflated = 8;
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const partSignature = 0x04034b50;
const endLength = 22;
const entryLength = 46;
const partLength = 30;
const longestComment = 0xffff;

interface Entry {
  readonly method: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly checksum: number;
  readonly offset: number;
}

export interface ZipArchive {
  readonly has: (name: string) => boolean;
  /** The bytes of a part, in pieces. Throws `UnsupportedFile` when it is broken, or when all that was read is too much. */
  readonly read: (name: string) => AsyncGenerator<Buffer, void, undefined>;
}

/** Where the list of parts is told of; it ends the file but for a comment. */
const endOf = (file: Buffer): number => {
  const first = Math.max(0, file.length - endLength - longestComment);
  for (let at = file.length - endLength; at >= first; at -= 1) if (file.readUInt32LE(at) === endSignature) return at;
  throw new UnsupportedFile('No list of parts');
};

const entriesOf = (file: Buffer): ReadonlyMap<string, Entry> => {
  const end = endOf(file);
  const count = file.readUInt16LE(end + 10);
  const entries = new Map<string, Entry>();
  let at = file.readUInt32LE(end + 16);
  let unpacked = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + entryLength > file.length || file.readUInt32LE(at) !== entrySignature)
      throw new UnsupportedFile('The list of parts is broken');
    const isEncrypted = (file.readUInt16LE(at + 8) & 1) === 1;
    if (isEncrypted) throw new UnsupportedFile('Encrypted');
    const nameLength = file.readUInt16LE(at + 28);
    const name = file.toString('utf8', at + entryLength, at + entryLength + nameLength);
    const entry: Entry = {
      method: file.readUInt16LE(at + 10),
      checksum: file.readUInt32LE(at + 16),
      packed: file.readUInt32LE(at + 20),
      unpacked: file.readUInt32LE(at + 24),
      offset: file.readUInt32LE(at + 42),
    };
    unpacked += entry.unpacked;
    if (unpacked > mostUnpacked) throw new UnsupportedFile('Unpacks to too much');
    if (!entries.has(name)) entries.set(name, entry);
    at += entryLength + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
};

const packedOf = (file: Buffer, { offset, packed }: Entry): Buffer => {
  if (offset + partLength > file.length || file.readUInt32LE(offset) !== partSignature)
    throw new UnsupportedFile('A part is not where the list says');
  const from = offset + partLength + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  if (from + packed > file.length) throw new UnsupportedFile('A part is cut off');
  return file.subarray(from, from + packed);
};

const inflated = async function* (packed: Buffer): AsyncGenerator<Buffer, void, undefined> {
  const inflate = createInflateRaw();
  inflate.end(packed);
  try {
    yield* inflate as AsyncIterable<Buffer>;
  } catch (error) {
    throw new UnsupportedFile('A part cannot be unpacked', { cause: error });
  }
};

/** A ZIP archive in memory: parts are unpacked when they are read, what they unpack to is counted, not believed. Throws `UnsupportedFile`. */
export const zipArchive = (file: Buffer): ZipArchive => {
  const entries = entriesOf(file);
  let read = 0;
  return {
    has: (name) => entries.has(name),

    async *read(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw new UnsupportedFile(`No part ${name}`);
      const packed = packedOf(file, entry);
      if (entry.method !== stored && entry.method !== deflated) throw new UnsupportedFile('Packed in another way');
      let checksum = 0;
      for await (const piece of entry.method === stored ? [packed] : inflated(packed)) {
        read += piece.length;
        if (read > mostUnpacked) throw new UnsupportedFile('Unpacks to too much');
        checksum = crc32(piece, checksum);
        yield piece;
      }
      if (checksum !== entry.checksum) throw new UnsupportedFile('A part has changed');
    },
  };
};

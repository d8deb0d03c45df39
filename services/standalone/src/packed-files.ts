import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

/** Content encodings, the one that packs better first. */
const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];
type Pack = (content: Buffer, encoding: Encoding) => Promise<Buffer>;

const [brotli, zipped] = [promisify(brotliCompress), promisify(gzip)];
const pack: Pack = (content, encoding) =>
  encoding === 'gzip' ? zipped(content) : brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

/** What is smaller packed; pictures and fonts are packed already. */
const packable = new Set(['.html', '.js', '.css', '.json', '.svg', '.map', '.txt', '.webmanifest', '.ico']);

/** Bytes below which packing gains nothing. */
const least = 1_024;

export const isPackable = (path: string): boolean => packable.has(extname(path));

interface Packed {
  readonly version: string;
  readonly body: Promise<Buffer>;
  bytes: number;
}

export interface PackedFiles {
  /** Answers with a file below the folder, packed as the client takes it; leaves to the next handler what it does not pack. */
  readonly below: (folder: string, cacheControl: string) => RequestHandler;
  /** Answers every path with this file. */
  readonly always: (file: string, cacheControl: string) => RequestHandler;
}

/** The file that a path names below the folder; null = no such name is served. */
const fileBelow = (folder: string, path: string): string | null => {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  // Hidden files, and those above the folder.
  const isPlain = !decoded.includes('\0') && decoded.split(/[\\/]/u).every((part) => !part.startsWith('.'));
  return isPlain ? join(folder, decoded) : null;
};

/**
 * Files that are packed once for each encoding, however many ask for them at once, and anew when they have changed on disk. Those that were
 * not asked for longest make room where all together would be more than `most` bytes.
 */
export const packedFiles = ({
  most = 32 * 1024 * 1024,
  packs = pack,
}: {
  readonly most?: number;
  readonly packs?: Pack;
} = {}): PackedFiles => {
  const kept = new Map<string, Packed>();
  let held = 0;

  const forget = (key: string, packed: Packed): void => {
    if (kept.get(key) !== packed) return;
    kept.delete(key);
    held -= packed.bytes;
  };
  const count = async (key: string, packed: Packed): Promise<void> => {
    try {
      const { length } = await packed.body;
      if (kept.get(key) !== packed) return;
      packed.bytes = length;
      held += length;
      for (const [other, one] of kept) {
        if (held <= most) break;
        forget(other, one);
      }
    } catch {
      // Whoever asked is told; the next one has it read again.
      forget(key, packed);
    }
  };
  const packedOf = (file: string, version: string, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${file}`;
    const known = kept.get(key);
    if (known !== undefined && known.version === version) {
      // Last in the order in which they make room.
      kept.delete(key);
      kept.set(key, known);
      return known.body;
    }
    if (known !== undefined) forget(key, known);
    const body = readFile(file).then((content) => packs(content, encoding));
    const packed: Packed = { version, body, bytes: 0 };
    kept.set(key, packed);
    void count(key, packed);
    return body;
  };

  const answer =
    (fileOf: (path: string) => string | null, cacheControl: string): RequestHandler =>
    async (request, response, next) => {
      const file = request.method === 'GET' && request.headers.range === undefined ? fileOf(request.path) : null;
      if (file === null || !isPackable(file)) return next();
      response.vary('Accept-Encoding');
      const encoding = encodings.find((one) => request.acceptsEncodings(one) === one);
      const found = await stat(file).catch(() => null);
      if (encoding === undefined || found === null || !found.isFile() || found.size < least) return next();
      // As express tells unpacked files apart.
      const version = `W/"${found.size.toString(16)}-${found.mtime.getTime().toString(16)}"`;
      response.set({
        ETag: version,
        'Last-Modified': found.mtime.toUTCString(),
        'Cache-Control': cacheControl,
        'Accept-Ranges': 'bytes',
      });
      response.type(extname(file));
      if (request.fresh) return void response.status(304).send();
      const body = await packedOf(file, version, encoding);
      response.set('Content-Encoding', encoding).send(body);
    };

  return {
    below: (folder, cacheControl) => answer((path) => fileBelow(folder, path), cacheControl),
    always: (file, cacheControl) => answer(() => file, cacheControl),
  };
};

import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { RefusedBody } from './problem-middleware.ts';

const deepest = 32;
/** A batch of 1,000 items of twelve members has 13,000. */
const mostMembers = 20_000;
/** Bytes thrown away after a body was refused, and milliseconds for it. */
const mostDiscarded = 16 * 1024 * 1024;
const linger = 1_000;

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = Buffer.from('"\\,[]{}');

const unpackings = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };
const isUnpacking = (name: string): name is keyof typeof unpackings => Object.hasOwn(unpackings, name);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Index of the quote that closes the string opened at `from`, or the end. */
const stringEnd = (json: Buffer, from: number): number => {
  let at = from + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
};

/** Depth and number of members are the sender's, and parsing costs by them: looked at before anything is made of the text. */
const refuseShape = (json: Buffer): void => {
  let members = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = stringEnd(json, at);
    else if (byte === comma) members += 1;
    else if (byte === openList || byte === openObject) {
      members += 1;
      depth += 1;
      if (depth > deepest) throw new RefusedBody('malformed');
    } else if (byte === closeList || byte === closeObject) depth -= 1;
    if (members > mostMembers) throw new RefusedBody('too_large');
  }
};

const parsed = (json: Buffer): unknown => {
  refuseShape(json);
  try {
    const value: unknown = JSON.parse(utf8.decode(json));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    throw new RefusedBody('malformed');
  }
  throw new RefusedBody('malformed');
};

/** Deletes members named `__proto__` in place. */
const deleteProto = (value: object): void => {
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const child of Object.values(value) as unknown[])
    if (typeof child === 'object' && child !== null) deleteProto(child);
};

/** Stops reading as soon as more than `limit` bytes have come. */
const received = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? '0') > limit) {
      reject(new RefusedBody('too_large'));
      return;
    }
    const parts: Buffer[] = [];
    let bytes = 0;
    const take = (part: Buffer): void => {
      parts.push(part);
      bytes += part.length;
      if (bytes <= limit) return;
      request.off('data', take);
      reject(new RefusedBody('too_large'));
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(parts)));
    const broken = (): void => reject(new RefusedBody('malformed'));
    request.once('error', broken).once('close', broken);
  });

/**
 * Closes the connection after the answer, though not all has come. For a moment what still comes is thrown away: a connection closed under
 * the sender's hands takes the answer with it.
 */
const lingeringClose = (request: IncomingMessage): void => {
  const { socket } = request;
  let bytes = 0;
  request.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > mostDiscarded) socket.destroy();
  });
  socket.destroySoon = () => socket.end();
  const timer = setTimeout(() => socket.destroy(), linger);
  socket.once('close', () => clearTimeout(timer));
};

const unpacked = async (body: Buffer, encoding: string, limit: number): Promise<Buffer> => {
  if (encoding === 'identity') return body;
  if (!isUnpacking(encoding)) throw new RefusedBody('wrong_content_type');
  try {
    return await unpackings[encoding](body, { maxOutputLength: limit });
  } catch (error) {
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new RefusedBody(tooLarge ? 'too_large' : 'malformed');
  }
};

/** The whole body, unpacked, of at most `limit` bytes. Throws `RefusedBody`; more bytes are answered at once, and the connection closes. */
const readBody = async (request: Request, response: Response, limit: number): Promise<Buffer> => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  const body = await received(request, limit).catch((error: unknown) => {
    response.set('Connection', 'close');
    lingeringClose(request);
    throw error;
  });
  return unpacked(body, encoding, limit);
};

const charset = /;\s*charset\s*=\s*"?([^\s";]*)/iu;

const isJson = (request: Parameters<RequestHandler>[0]): boolean => {
  const [, name = 'utf-8'] = charset.exec(request.headers['content-type'] ?? '') ?? [];
  return request.is('application/json') !== false && name.toLowerCase() === 'utf-8';
};

const carriesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? '0') > 0;

/**
 * Reads a JSON object or array in UTF-8 of at most `limit` bytes (default 1 MB, also after decompression) into `req.body`; without a body it
 * stays undefined. Throws what `problemHandler` turns into 400 (another content type, broken JSON or UTF-8, deeper than 32 levels) or 413
 * (more bytes, or more than 20,000 members of objects and arrays in all). More bytes than `limit` are answered at once, and the connection closes.
 */
export const jsonBody = ({ limit = 1024 * 1024 }: { readonly limit?: number } = {}): readonly RequestHandler[] => [
  async (request, response, next) => {
    if (!carriesBody(request)) return next();
    if (!isJson(request)) throw new RefusedBody('wrong_content_type');
    const json = await readBody(request, response, limit);
    if (json.length === 0) {
      request.body = {};
      return next();
    }
    const value = parsed(json);
    deleteProto(value as object);
    request.body = value;
    next();
  },
];

/** Reads a body of any content type, of at most `limit` bytes, as a `Buffer` into `req.body`. Refuses as `jsonBody` does. */
export const fileBody =
  (limit: number): RequestHandler =>
  async (request, response, next) => {
    request.body = carriesBody(request) ? await readBody(request, response, limit) : Buffer.alloc(0);
    next();
  };

import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** An answer that is the same for everybody for as long as the process lives: made, encoded and hashed once. */
export interface PreparedAnswer {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

export const prepared = (type: string, text: string): PreparedAnswer => {
  const bytes = Buffer.from(text);
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
};

/** Whoever has it already gets 304 without a body. */
export const sendPrepared = (response: Response, { type, bytes, etag }: PreparedAnswer): void => {
  response.set('ETag', etag).set('Cache-Control', 'no-cache').type(type).send(bytes);
};

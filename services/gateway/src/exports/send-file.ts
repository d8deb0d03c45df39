import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Moment } from '@zakup/projections/past/licence-fold';
import type { Response } from 'express';

/** A download instead of an envelope. */
export interface FileAnswer {
  /** `Content-Type`. */
  readonly type: string;
  /** `Content-Disposition`. */
  readonly disposition: string;
  /** Read no faster than it is taken, and destroyed when nobody takes it any more. */
  readonly content: Readable;
}

/** Milliseconds after which somebody who takes nothing is given up. */
const patience = 120_000;

/** Whether it was the client that ended it. */
const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET' || error.code === 'EPIPE');

/**
 * Sends the file as it is made, with the moment that it is of, if not of now. What fails on the way cuts the connection, so that nobody takes
 * a part for the whole; then it throws.
 */
export const sendFile = async (
  response: Response,
  { type, disposition, content }: FileAnswer,
  at: Moment | null = null,
): Promise<void> => {
  response.set({ 'Cache-Control': 'no-store', 'Content-Type': type, 'Content-Disposition': disposition });
  if (at !== null) response.set('Zakup-At', JSON.stringify(at));
  if (response.req.method === 'HEAD') {
    content.destroy();
    response.end();
    return;
  }
  response.setTimeout(patience, () => void response.destroy());
  try {
    await pipeline(content, response);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
};

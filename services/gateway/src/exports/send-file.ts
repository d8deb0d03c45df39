import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Moment } from '@zakup/projections/past/licence-fold';
import type { Response } from 'express';

/** What is handed out, and of what, as people call it; without a name of the whole licence. */
export interface Taken {
  readonly what: 'table' | 'lines' | 'archive' | 'history' | 'key';
  readonly name: string;
}

/** A download instead of an envelope. */
export interface FileAnswer {
  /** `Content-Type`. */
  readonly type: string;
  /** `Content-Disposition`. */
  readonly disposition: string;
  /** For the audit (AUTH-90). */
  readonly taken: Taken;
  /** Read no faster than it is taken, and destroyed when nobody takes it any more. */
  readonly content: Readable;
}

export interface FileSending {
  readonly mayGoOn: () => Promise<boolean>;
  /** Of the licence's costly work. */
  readonly turn: { chunks(content: AsyncIterable<string | Buffer>): AsyncIterable<string | Buffer> };
  /** The moment that it is of; null = now. */
  readonly at: Moment | null;
}

/** Milliseconds after which somebody who takes nothing is given up. */
const patience = 120_000;

/** Whether it was the client that ended it. */
const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** Milliseconds between two looks at whether a download may still be taken. */
const lookEvery = 200;

/** Aborted as soon as it may not be taken any more, and, with the error, when that cannot be told. */
const withdrawal = (mayGoOn: () => Promise<boolean>): { readonly signal: AbortSignal; readonly stop: () => void } => {
  const withdrawn = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const look = async (): Promise<void> => {
    if (!(await mayGoOn())) withdrawn.abort();
    if (!over && !withdrawn.signal.aborted) again();
  };
  const again = (): void => {
    timer = setTimeout(() => void look().catch((error: unknown) => withdrawn.abort(error)), lookEvery);
  };
  again();
  return {
    signal: withdrawn.signal,
    stop: () => {
      over = true;
      clearTimeout(timer);
    },
  };
};

/**
 * Sends the file as it is made, with the moment that it is of, if not of now, for as long as it may be taken. What fails on the way cuts the
 * connection, so that nobody takes a part for the whole; then it throws. What may not be taken any more is cut likewise, and is no error.
 */
export const sendFile = async (
  response: Response,
  { type, disposition, content }: FileAnswer,
  { mayGoOn, turn, at }: FileSending,
): Promise<void> => {
  response.set({ 'Cache-Control': 'no-store', 'Content-Type': type, 'Content-Disposition': disposition });
  if (at !== null) response.set('Zakup-At', JSON.stringify(at));
  if (response.req.method === 'HEAD') {
    content.destroy();
    response.end();
    return;
  }
  // An end like any other would look whole to whoever was told no length, and what is under way would still arrive.
  const cut = (): void => void response.socket?.resetAndDestroy();
  const { signal, stop } = withdrawal(mayGoOn);
  signal.addEventListener('abort', cut, { once: true });
  content.once('error', cut);
  response.setTimeout(patience, cut);
  try {
    await pipeline(content, (made: AsyncIterable<string | Buffer>) => turn.chunks(made), response, { signal });
  } catch (error) {
    if (signal.aborted && signal.reason instanceof DOMException) return;
    if (!isGone(error)) throw signal.aborted ? signal.reason : error;
  } finally {
    stop();
  }
};

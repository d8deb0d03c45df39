import { randomInt } from 'node:crypto';
import type { Stream } from './change-streams.ts';
import type { Doc } from './documents.ts';
import { bytesOf } from './reply.ts';
import { ServerError } from './server-error.ts';

interface CursorBase {
  readonly id: number;
  readonly namespace: string;
  /** Key of the session it was opened in. */
  readonly session: string | null;
  readonly batchSize: number | null;
}
export type Cursor = CursorBase &
  (
    | { readonly kind: 'list'; readonly docs: readonly Doc[]; at: number; gone: ServerError | null }
    | { readonly kind: 'stream'; readonly stream: Stream; interrupt: ((error: ServerError) => void) | null }
  );

export interface Cursors {
  open(cursor: Cursor): void;
  /** Throws CursorNotFound. */
  get(id: number): Cursor;
  nextId(): number;
  /** Whether there was one. */
  kill(id: number, error?: ServerError): boolean;
  killSession(session: string): void;
  /** What is read of a collection that is no longer there under its name. */
  killPlans(namespace: string, why: string): void;
  killStreams(error: ServerError): void;
  /** Ends the waiting of all streams, which stay open. */
  interruptStreams(error: ServerError): void;
  clear(): void;
  readonly size: number;
}

const batchBytes = 16_000_000;

/** The next documents of a list as bytes, and where it stands then. */
export const taken = (
  docs: readonly Doc[],
  from: number,
  most: number,
): { readonly batch: readonly Uint8Array[]; readonly at: number } => {
  const batch: Uint8Array[] = [];
  let bytes = 0;
  let at = from;
  for (; at < docs.length && batch.length < most; at += 1) {
    const next = bytesOf(docs[at] ?? {});
    if (bytes + next.length > batchBytes && batch.length > 0) break;
    bytes += next.length;
    batch.push(next);
  }
  return { batch, at };
};

const killed = (): ServerError =>
  new ServerError('CursorKilled', 'operation was interrupted because the cursor was killed');

export const cursors = (): Cursors => {
  const open = new Map<number, Cursor>();
  const interrupt = (cursor: Cursor, error: ServerError): void => {
    if (cursor.kind !== 'stream') return;
    cursor.interrupt?.(error);
    cursor.interrupt = null;
  };
  const self: Cursors = {
    open: (cursor) => {
      open.set(cursor.id, cursor);
    },
    get: (id) => {
      const cursor = open.get(id);
      if (cursor === undefined) throw new ServerError('CursorNotFound', `cursor id ${id} not found`);
      return cursor;
    },
    nextId: () => randomInt(1, 2 ** 47),
    kill: (id, error = killed()) => {
      const cursor = open.get(id);
      if (cursor !== undefined) interrupt(cursor, error);
      return open.delete(id);
    },
    killSession: (session) => {
      for (const cursor of open.values()) if (cursor.session === session) self.kill(cursor.id);
    },
    killPlans: (namespace, why) => {
      for (const cursor of open.values()) {
        if (cursor.kind !== 'list' || cursor.namespace !== namespace) continue;
        cursor.gone = new ServerError('QueryPlanKilled', why);
      }
    },
    killStreams: (error) => {
      for (const cursor of open.values()) if (cursor.kind === 'stream') self.kill(cursor.id, error);
    },
    interruptStreams: (error) => {
      for (const cursor of open.values()) interrupt(cursor, error);
    },
    clear: () => {
      for (const cursor of open.values()) self.kill(cursor.id);
    },
    get size() {
      return open.size;
    },
  };
  return self;
};

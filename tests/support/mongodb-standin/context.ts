import type { Cursors } from './cursors.ts';
import type { Doc } from './documents.ts';
import type { Reply } from './reply.ts';
import { ServerError } from './server-error.ts';
import type { Session, Sessions } from './sessions.ts';
import { Blocked, type Store } from './store.ts';
import type { Transaction, View } from './versions.ts';

export interface Server {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly cursors: Cursors;
}

/** One command on its way. */
export interface Call extends Server {
  readonly db: string;
  readonly body: Doc;
  readonly session: Session | null;
  readonly transaction: Transaction | null;
  /** Milliseconds since the epoch after which it must fail. */
  readonly deadline: number;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

export type Command = (call: Call) => Promise<Reply> | Reply;

export const viewOf = ({ store, transaction }: Call): View => ({ at: transaction?.at ?? store.now(), transaction });

export const textOf = (body: Doc, name: string): string => {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new ServerError('InvalidNamespace', `collection name has invalid type or is empty in '${name}'`);
};

export const docsOf = (body: Doc, name: string): readonly Doc[] => {
  const value = body[name];
  if (Array.isArray(value)) return value as readonly Doc[];
  throw new ServerError('FailedToParse', `BSON field '${name}' is missing or no array`);
};

export const docOf = (value: unknown): Doc => (typeof value === 'object' && value !== null ? (value as Doc) : {});

const past = (): ServerError => new ServerError('MaxTimeMSExpired', 'operation exceeded time limit');

/** Resolves when `until` does, rejects with MaxTimeMSExpired at the deadline. */
const waited = async (until: Promise<void>, deadline: number): Promise<void> => {
  if (deadline === Number.POSITIVE_INFINITY) return until;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(past()), Math.max(0, deadline - Date.now()));
  });
  try {
    await Promise.race([until, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Does the work, again after each open transaction that it had to wait for. */
export const unblocked = async <Result>(call: Call, work: () => Result): Promise<Result> => {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      if (call.transaction !== null) {
        throw new ServerError('WriteConflict', 'Unable to acquire a lock that another transaction holds');
      }
      await waited(error.by.ended, call.deadline);
    }
  }
};

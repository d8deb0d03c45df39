import type { BSON } from 'bson';
import type { Doc } from './documents.ts';
import type { Reply } from './reply.ts';
import { ServerError } from './server-error.ts';
import type { Store } from './store.ts';
import type { Transaction } from './versions.ts';

export interface SessionTransaction {
  readonly txnNumber: number;
  state: 'open' | 'committed' | 'aborted';
  readonly transaction: Transaction;
  readonly timer: NodeJS.Timeout;
}

export interface Session {
  readonly key: string;
  readonly lsid: Doc;
  current: SessionTransaction | null;
  /** The last retryable write and its answer, or the promise of it. */
  answered: { readonly txnNumber: number; readonly reply: Promise<Reply> | Reply } | null;
}

export interface Sessions {
  of(lsid: Doc): Session;
  /** The session's open transaction with the number; throws NoSuchTransaction and its kin. */
  transaction(session: Session, txnNumber: number): SessionTransaction;
  begin(session: Session, txnNumber: number): SessionTransaction;
  commit(session: Session, txnNumber: number): void;
  abort(session: Session): void;
  abortAll(): void;
  end(key: string): void;
  /** Keeps the answer of a retryable write, for as long as the data. */
  answered(key: string, txnNumber: number, reply: Doc): void;
  /** Keeps what a snapshot read saw for ten seconds after its last use. */
  holdSnapshot(at: number): void;
  /** Forgets everything but the answers of retryable writes. */
  clear(): void;
}

const snapshotLifetime = 10_000;

export const sessionKey = (lsid: Doc): string => (lsid['id'] as InstanceType<typeof BSON.Binary>).toString('hex');

export const noSuchTransaction = (txnNumber: number): ServerError =>
  new ServerError(
    'NoSuchTransaction',
    `Given transaction number ${txnNumber} does not match any in-progress transactions.`,
    {
      labels: ['TransientTransactionError'],
    },
  );

/** `lifetime`: milliseconds after which an open transaction is aborted. */
export const sessions = (store: Store, lifetime: number): Sessions => {
  const known = new Map<string, Session>();
  const snapshots = new Map<number, { readonly timer: NodeJS.Timeout; readonly unpin: () => void }>();

  const abort = (session: Session): void => {
    const { current } = session;
    if (current?.state !== 'open') return;
    clearTimeout(current.timer);
    current.state = 'aborted';
    store.abort(current.transaction);
  };
  const named = (key: string, lsid: Doc): Session => {
    const session = known.get(key) ?? { key, lsid, current: null, answered: null };
    known.set(key, session);
    return session;
  };

  const self: Sessions = {
    of: (lsid) => named(sessionKey(lsid), lsid),
    transaction: ({ current }, txnNumber) => {
      if (current === null || current.txnNumber !== txnNumber || current.state === 'aborted') {
        throw noSuchTransaction(txnNumber);
      }
      if (current.state === 'committed') {
        throw new ServerError(
          'TransactionCommitted',
          `Transaction with { txnNumber: ${txnNumber} } has been committed.`,
        );
      }
      return current;
    },
    begin: (session, txnNumber) => {
      const newest = Math.max(session.current?.txnNumber ?? -1, session.answered?.txnNumber ?? -1);
      if (txnNumber < newest) {
        throw new ServerError(
          'TransactionTooOld',
          `Cannot start transaction ${txnNumber}: a newer one ${newest} has already started.`,
        );
      }
      if (session.current?.txnNumber === txnNumber) {
        throw new ServerError(
          'ConflictingOperationInProgress',
          `Only servers in a sharded cluster can start a new transaction at the active transaction number`,
        );
      }
      abort(session);
      const timer = setTimeout(() => abort(session), lifetime);
      timer.unref();
      session.current = { txnNumber, state: 'open', transaction: store.begin(), timer };
      return session.current;
    },
    commit: (session, txnNumber) => {
      const { current } = session;
      if (current?.txnNumber === txnNumber && current.state === 'committed') return;
      if (current === null && session.answered?.txnNumber === txnNumber) return;
      const { transaction, timer } = self.transaction(session, txnNumber);
      clearTimeout(timer);
      store.commit(transaction, { lsid: session.lsid, txnNumber });
      store.remember(session.key, txnNumber, { ok: 1 });
      if (session.current !== null) session.current.state = 'committed';
      session.answered = { txnNumber, reply: { body: { ok: 1 } } };
    },
    abort,
    abortAll: () => {
      for (const session of known.values()) abort(session);
    },
    end: (key) => {
      const session = known.get(key);
      if (session !== undefined) abort(session);
      known.delete(key);
    },
    answered: (key, txnNumber, reply) => {
      named(key, {}).answered = { txnNumber, reply: { body: reply } };
    },
    holdSnapshot: (at) => {
      const held = snapshots.get(at);
      if (held !== undefined) {
        held.timer.refresh();
        return;
      }
      const unpin = store.pin(at);
      const timer = setTimeout(() => {
        snapshots.delete(at);
        unpin();
      }, snapshotLifetime);
      timer.unref();
      snapshots.set(at, { timer, unpin });
    },
    clear: () => {
      self.abortAll();
      for (const session of known.values()) session.current = null;
      for (const { timer, unpin } of snapshots.values()) {
        clearTimeout(timer);
        unpin();
      }
      snapshots.clear();
    },
  };
  return self;
};

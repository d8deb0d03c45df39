/** How documents are kept: versions by the commit that wrote them, so that a reader sees one moment whatever is written meanwhile. */
import type { Doc } from './documents.ts';
import type { Index } from './indexes.ts';

export interface Version {
  /** Number of the commit. */
  readonly at: number;
  /** Null when the commit deleted the document. */
  readonly doc: Doc | null;
  readonly before: Version | null;
}

/** The place of one `_id` in a collection. */
export interface Stored {
  /** Rises with every place made: the natural order. */
  readonly n: number;
  readonly id: unknown;
  readonly idKey: string;
  /** Null until a transaction that inserts it commits. */
  head: Version | null;
  /** The open transaction that has written it. */
  lock: Transaction | null;
}

export interface Collection {
  readonly db: string;
  /** Another one after a renaming. */
  name: string;
  /** Of a view: where it looks, which may be changed. */
  options: Doc;
  /** By order key of `_id`, in natural order. */
  readonly stored: Map<string, Stored>;
  /** The first is that of `_id`. */
  readonly indexes: Index[];
  /** Open transactions that have written into it. */
  readonly writers: Set<Transaction>;
}

export type ChangeKind = 'insert' | 'update' | 'replace' | 'delete';

/** One write of one document. */
export interface Change {
  readonly kind: ChangeKind;
  readonly collection: Collection;
  readonly stored: Stored;
  readonly before: Doc | null;
  readonly after: Doc | null;
}

export interface Transaction {
  /** The commit whose state it reads. */
  readonly at: number;
  readonly changes: Change[];
  readonly own: Map<Stored, { readonly collection: Collection; readonly doc: Doc | null }>;
  readonly pendingKeys: { readonly index: Index; readonly key: string }[];
  /** Resolves when it has committed or ended otherwise. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  readonly unpin: () => void;
}

/** What a reader sees: the state after a commit, and its own transaction's writes over it. */
export interface View {
  readonly at: number;
  readonly transaction: Transaction | null;
}

export const visible = (stored: Stored, view: View): Doc | null => {
  const own = view.transaction?.own.get(stored);
  if (own !== undefined) return own.doc;
  let version = stored.head;
  while (version !== null && version.at > view.at) version = version.before;
  return version?.doc ?? null;
};

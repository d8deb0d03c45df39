import { BSON } from 'bson';
import type { Doc } from './documents.ts';
import { type Index, index, type IndexSpec } from './indexes.ts';
import { orderKey } from './order-key.ts';
import { ServerError } from './server-error.ts';
import {
  type Change,
  type ChangeKind,
  type Collection,
  type Stored,
  type Transaction,
  type Version,
  type View,
  visible,
} from './versions.ts';

const { Timestamp } = BSON;

/** Something that a change stream may tell of. */
export interface HistoryEntry {
  readonly at: number;
  /** Its place within the commit. */
  readonly place: number;
  readonly kind: ChangeKind | 'drop' | 'rename' | 'dropDatabase';
  readonly db: string;
  readonly collection: string;
  /** Of a renaming. */
  readonly to?: string;
  readonly id: unknown;
  readonly before: Doc | null;
  readonly after: Doc | null;
  readonly wallTime: Date;
  /** Session and number of the transaction that it belongs to. */
  readonly transaction: TransactionName | null;
}

export interface TransactionName {
  readonly lsid: Doc;
  readonly txnNumber: number;
}

/** What is written down so that it can be played again. */
export type JournalEntry =
  | { readonly kind: 'base'; readonly seconds: number }
  | {
      readonly kind: 'commit';
      readonly wallTime: Date;
      readonly changes: readonly {
        readonly kind: ChangeKind;
        readonly db: string;
        readonly collection: string;
        readonly id: unknown;
        readonly after: Doc | null;
      }[];
      readonly transaction: TransactionName | null;
    }
  | { readonly kind: 'create'; readonly db: string; readonly collection: string; readonly options: Doc }
  | { readonly kind: 'drop'; readonly db: string; readonly collection: string }
  | { readonly kind: 'rename'; readonly db: string; readonly collection: string; readonly to: string }
  | { readonly kind: 'options'; readonly db: string; readonly collection: string; readonly options: Doc }
  | { readonly kind: 'dropDatabase'; readonly db: string }
  | { readonly kind: 'createIndex'; readonly db: string; readonly collection: string; readonly spec: IndexSpec }
  | { readonly kind: 'dropIndex'; readonly db: string; readonly collection: string; readonly name: string }
  | { readonly kind: 'forget' }
  | { readonly kind: 'answered'; readonly session: string; readonly txnNumber: number; readonly reply: Doc };

/** A write without a transaction met one that is open: to be tried again when that has ended. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  readonly by: Transaction;
  constructor(by: Transaction) {
    super('Waits for an open transaction');
    this.by = by;
  }
}

const idIndex: IndexSpec = { v: 2, key: { _id: 1 }, name: '_id_' };
const mostHistory = 100_000;
/** Versions out of sight, and ended views, after which what they leave is swept up. */
const mostSkipped = 2_000;
const mostUnpinned = 200;

const writeConflict = (): ServerError =>
  new ServerError(
    'WriteConflict',
    'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.',
  );

const keyValueOf = (doc: Doc, fields: readonly string[]): Doc => {
  const value: Doc = {};
  for (const field of fields) {
    let part: unknown = doc;
    for (const name of field.split('.')) part = (part as Doc | null | undefined)?.[name];
    value[field] = part ?? null;
  }
  return value;
};

const duplicateKey = (
  collection: Collection,
  { spec, fields }: Pick<Index, 'spec' | 'fields'>,
  doc: Doc,
): ServerError => {
  const keyValue = keyValueOf(doc, fields);
  return new ServerError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${collection.db}.${collection.name} index: ${spec.name} dup key: ${BSON.EJSON.stringify(keyValue)}`,
    { details: { keyPattern: spec.key, keyValue } },
  );
};

export interface Store {
  /** Number of the last commit. */
  now(): number;
  timestampOf(at: number): InstanceType<typeof Timestamp>;
  /** The commit that a timestamp stands for: 0 when before the store's time, infinity when after it. */
  commitAt(timestamp: InstanceType<typeof Timestamp>): number;
  collection(db: string, name: string): Collection | undefined;
  collections(db: string): readonly Collection[];
  create(db: string, name: string, options?: Doc): Collection;
  drop(collection: Collection): void;
  /** A collection of that name is dropped. */
  rename(collection: Collection, to: string): void;
  setOptions(collection: Collection, options: Doc): void;
  dropDatabase(db: string): void;
  /** Throws DuplicateKey when documents that are there break it. */
  createIndex(collection: Collection, spec: IndexSpec): void;
  dropIndex(collection: Collection, name: string): void;
  /** Keeps what the commit `at` shows until the answer is called. */
  pin(at: number): () => void;
  isKept(at: number): boolean;
  begin(): Transaction;
  /** Throws WriteConflict or DuplicateKey, or Blocked without a transaction. */
  write(
    collection: Collection,
    kind: ChangeKind,
    id: unknown,
    after: Doc | null,
    transaction: Transaction | null,
  ): void;
  commit(transaction: Transaction, name: TransactionName | null): void;
  abort(transaction: Transaction): void;
  /** Throws Blocked while an open transaction holds one of them. */
  ensureFree(found: readonly { readonly stored: Stored }[]): void;
  history(): readonly HistoryEntry[];
  /** The last commit whose entries are no longer kept. */
  forgotten(): number;
  forgetHistory(): void;
  /** Called after each commit; answers how to stop. */
  onCommit(listener: () => void): () => void;
  remember(session: string, txnNumber: number, reply: Doc): void;
  replay(entry: JournalEntry): void;
}

/** Documents with their versions, indexes and history. `journal` is told of everything that must outlive the process. */
export const store = (
  journal: (entry: JournalEntry) => void,
  onAnswered: (session: string, txnNumber: number, reply: Doc) => void,
): Store => {
  const databases = new Map<string, Map<string, Collection>>();
  const pins = new Map<number, number>();
  /** The keys of `pins`, ascending. */
  const pinned: number[] = [];
  /** Documents with more than one version, and those of their versions that are out of the chain but still in indexes. */
  const dirty = new Map<Stored, { readonly collection: Collection; skipped: Version[] }>();
  const listeners = new Set<() => void>();
  let history: HistoryEntry[] = [];
  let forgotten = 0;
  let base = Math.floor(Date.now() / 1000);
  let last = 1;
  let places = 0;
  let dirtyLimit = 1_000;
  let skippedCount = 0;
  let unpinned = 0;
  let isReplaying = false;

  const write = (entry: JournalEntry): void => {
    if (!isReplaying) journal(entry);
  };

  /** Where the first pin at or above the commit stands. */
  const pinPlace = (at: number): number => {
    let [low, high] = [0, pinned.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pinned[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const isPinned = (from: number, below: number): boolean => (pinned[pinPlace(from)] ?? below) < below;

  const unindex = (
    collection: Collection,
    stored: Stored,
    gone: readonly Version[],
    kept: readonly Version[],
  ): void => {
    for (const each of collection.indexes) {
      const keep = new Set(kept.flatMap(({ doc }) => (doc === null ? [] : each.keysOf(doc))));
      for (const { doc } of gone) {
        if (doc === null) continue;
        for (const key of each.keysOf(doc)) if (!keep.has(key)) each.entries.remove(key, stored);
      }
    }
  };

  /** Forgets versions that nobody can see any more. */
  const prune = (stored: Stored): void => {
    const { collection, skipped = [] } = dirty.get(stored) ?? {};
    if (collection === undefined) return;
    const versions: Version[] = [];
    for (let version = stored.head; version !== null; version = version.before) versions.push(version);
    const kept = versions.filter(
      ({ at }, place) => place === 0 || isPinned(at, versions[place - 1]?.at ?? Number.POSITIVE_INFINITY),
    );
    let chain: Version | null = null;
    for (const { at, doc } of kept.toReversed()) chain = { at, doc, before: chain };
    stored.head = chain;
    unindex(collection, stored, [...skipped, ...versions.filter((version) => !kept.includes(version))], kept);
    if (kept.length > 1) {
      dirty.set(stored, { collection, skipped: [] });
      return;
    }
    dirty.delete(stored);
    if (chain?.doc === null && stored.lock === null) collection.stored.delete(stored.idKey);
  };

  const sweep = (): void => {
    for (const stored of dirty.keys()) prune(stored);
    dirtyLimit = 1_000 + dirty.size * 2;
    skippedCount = 0;
    unpinned = 0;
  };

  const setVersion = (collection: Collection, stored: Stored, at: number, doc: Doc | null): void => {
    const { head } = stored;
    const isSeen = head !== null && isPinned(head.at, at);
    const keeps = head !== null && (head.before !== null || isSeen);
    stored.head = { at, doc, before: isSeen ? head : (head?.before ?? null) };
    for (const each of collection.indexes) {
      const old = head?.doc ?? null;
      const oldKeys = old === null ? [] : each.keysOf(old);
      const newKeys = doc === null ? [] : each.keysOf(doc);
      for (const key of newKeys) if (!oldKeys.includes(key)) each.entries.add(key, stored);
      if (!keeps) for (const key of oldKeys) if (!newKeys.includes(key)) each.entries.remove(key, stored);
    }
    if (!keeps) {
      if (doc === null) collection.stored.delete(stored.idKey);
      return;
    }
    const known = dirty.get(stored) ?? { collection, skipped: [] };
    dirty.set(stored, known);
    if (isSeen) return;
    known.skipped.push(head);
    skippedCount += 1;
    if (skippedCount > mostSkipped) sweep();
  };

  const record = (entries: readonly Omit<HistoryEntry, 'at' | 'place' | 'wallTime'>[], wallTime: Date): void => {
    for (const [place, entry] of entries.entries()) history.push({ ...entry, at: last, place, wallTime });
    if (history.length > mostHistory * 1.2) {
      const cut = history.length - mostHistory;
      forgotten = history[cut - 1]?.at ?? forgotten;
      history = history.slice(cut).filter(({ at }) => at > forgotten);
    }
    for (const listener of listeners) listener();
  };

  const apply = (changes: readonly Change[], name: TransactionName | null, wallTime: Date): void => {
    last += 1;
    const latest = new Map<Stored, Change>();
    for (const change of changes) latest.set(change.stored, change);
    for (const { collection, stored, after } of latest.values()) setVersion(collection, stored, last, after);
    write({
      kind: 'commit',
      wallTime,
      changes: changes.map(({ kind, collection, stored, after }) => ({
        kind,
        db: collection.db,
        collection: collection.name,
        id: stored.id,
        after,
      })),
      transaction: name,
    });
    record(
      changes.map(({ kind, collection, stored, before, after }) => ({
        kind,
        db: collection.db,
        collection: collection.name,
        id: stored.id,
        before,
        after,
        transaction: name,
      })),
      wallTime,
    );
  };

  const place = (collection: Collection, id: unknown): Stored => {
    const idKey = orderKey(id);
    const known = collection.stored.get(idKey);
    if (known !== undefined) return known;
    places += 1;
    const made: Stored = { n: places, id, idKey, head: null, lock: null };
    collection.stored.set(idKey, made);
    return made;
  };

  const current = (): View => ({ at: last, transaction: null });

  const checkUnique = (collection: Collection, stored: Stored, after: Doc, transaction: Transaction | null): void => {
    for (const each of collection.indexes) {
      if (each.spec.unique !== true) continue;
      for (const key of each.keysOf(after)) {
        const pending = each.pending.get(key);
        if (pending !== undefined && pending.stored !== stored && pending.transaction !== transaction) {
          if (transaction === null) throw new Blocked(pending.transaction);
          throw writeConflict();
        }
        const own = (pending === undefined ? undefined : transaction?.own.get(pending.stored)?.doc) ?? null;
        if (pending?.stored !== stored && own !== null && each.keysOf(own).includes(key)) {
          throw duplicateKey(collection, each, after);
        }
        for (const { owner } of each.entries.range(key, `${key}\0`)) {
          if (owner === stored || transaction?.own.has(owner) === true) continue;
          const doc = visible(owner, current());
          if (doc === null || !each.keysOf(doc).includes(key)) continue;
          if (transaction !== null && (owner.head?.at ?? 0) > transaction.at) throw writeConflict();
          throw duplicateKey(collection, each, after);
        }
      }
    }
  };

  const release = (transaction: Transaction): void => {
    for (const [stored, { collection }] of transaction.own) {
      stored.lock = null;
      collection.writers.delete(transaction);
      if (stored.head === null || (stored.head.doc === null && stored.head.before === null)) {
        if (collection.stored.get(stored.idKey) === stored) collection.stored.delete(stored.idKey);
      }
    }
    for (const { index: of, key } of transaction.pendingKeys) {
      if (of.pending.get(key)?.transaction === transaction) of.pending.delete(key);
    }
    transaction.unpin();
    transaction.end();
  };

  const pin = (at: number): (() => void) => {
    const held = pins.get(at) ?? 0;
    pins.set(at, held + 1);
    if (held === 0) pinned.splice(pinPlace(at), 0, at);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (pins.get(at) ?? 1) - 1;
      if (left > 0) {
        pins.set(at, left);
        return;
      }
      pins.delete(at);
      pinned.splice(pinPlace(at), 1);
      unpinned += 1;
      if (pinned.length === 0 || dirty.size >= dirtyLimit || unpinned >= mostUnpinned) sweep();
    };
  };

  const ensureUnwritten = (collection: Collection): void => {
    for (const writer of collection.writers) throw new Blocked(writer);
  };

  const self: Store = {
    now: () => last,
    timestampOf: (at) => new Timestamp({ t: base, i: at }),
    commitAt: ({ t, i }) => (t < base ? 0 : t > base ? Number.POSITIVE_INFINITY : i),
    collection: (db, name) => databases.get(db)?.get(name),
    collections: (db) => [...(databases.get(db)?.values() ?? [])],
    create: (db, name, options = {}) => {
      const known = databases.get(db)?.get(name);
      if (known !== undefined) return known;
      const made: Collection = {
        db,
        name,
        options,
        stored: new Map(),
        indexes: [index(idIndex)],
        writers: new Set(),
      };
      const collections = databases.get(db) ?? new Map<string, Collection>();
      databases.set(db, collections.set(name, made));
      write({ kind: 'create', db, collection: name, options });
      return made;
    },
    drop: (collection) => {
      ensureUnwritten(collection);
      databases.get(collection.db)?.delete(collection.name);
      last += 1;
      write({ kind: 'drop', db: collection.db, collection: collection.name });
      const { db, name } = collection;
      record(
        [{ kind: 'drop', db, collection: name, id: null, before: null, after: null, transaction: null }],
        new Date(),
      );
    },
    rename: (collection, to) => {
      const { db, name } = collection;
      const target = self.collection(db, to);
      for (const one of [collection, ...(target === undefined ? [] : [target])]) ensureUnwritten(one);
      if (target !== undefined) self.drop(target);
      databases.get(db)?.delete(name);
      collection.name = to;
      databases.get(db)?.set(to, collection);
      last += 1;
      write({ kind: 'rename', db, collection: name, to });
      record(
        [{ kind: 'rename', db, collection: name, to, id: null, before: null, after: null, transaction: null }],
        new Date(),
      );
    },
    setOptions: (collection, options) => {
      collection.options = options;
      write({ kind: 'options', db: collection.db, collection: collection.name, options });
    },
    dropDatabase: (db) => {
      const collections = self.collections(db);
      for (const collection of collections) ensureUnwritten(collection);
      databases.delete(db);
      last += 1;
      write({ kind: 'dropDatabase', db });
      const nothing = { db, id: null, before: null, after: null, transaction: null } as const;
      record(
        [
          ...collections.map(({ name }) => ({ ...nothing, kind: 'drop' as const, collection: name })),
          { ...nothing, kind: 'dropDatabase', collection: '' },
        ],
        new Date(),
      );
    },
    createIndex: (collection, spec) => {
      ensureUnwritten(collection);
      const made = index(spec);
      const owners = new Map<string, Stored>();
      for (const stored of collection.stored.values()) {
        const doc = visible(stored, current());
        for (const key of doc === null ? [] : made.keysOf(doc)) {
          if (doc !== null && spec.unique === true && owners.has(key)) throw duplicateKey(collection, made, doc);
          owners.set(key, stored);
        }
        for (let version = stored.head; version !== null; version = version.before) {
          for (const key of version.doc === null ? [] : made.keysOf(version.doc)) made.entries.add(key, stored);
        }
      }
      collection.indexes.push(made);
      write({ kind: 'createIndex', db: collection.db, collection: collection.name, spec });
    },
    dropIndex: (collection, name) => {
      ensureUnwritten(collection);
      const at = collection.indexes.findIndex(({ spec }) => spec.name === name);
      collection.indexes.splice(at, 1);
      write({ kind: 'dropIndex', db: collection.db, collection: collection.name, name });
    },
    pin,
    isKept: (at) => at === last || pins.has(at),
    begin: () => {
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      return { at: last, changes: [], own: new Map(), pendingKeys: [], ended, end, unpin: pin(last) };
    },
    write: (collection, kind, id, after, transaction) => {
      const stored = place(collection, id);
      try {
        if (stored.lock !== null && stored.lock !== transaction) {
          if (transaction === null) throw new Blocked(stored.lock);
          throw writeConflict();
        }
        const isNew = transaction?.own.has(stored) !== true;
        if (transaction !== null && isNew && (stored.head?.at ?? 0) > transaction.at) throw writeConflict();
        const before = visible(stored, transaction === null ? current() : { at: transaction.at, transaction });
        if (kind === 'insert' && before !== null) {
          throw duplicateKey(collection, { spec: idIndex, fields: ['_id'] }, { _id: id });
        }
        if (after !== null) checkUnique(collection, stored, after, transaction);
        const change: Change = { kind, collection, stored, before, after };
        if (transaction === null) {
          apply([change], null, new Date());
          return;
        }
        stored.lock = transaction;
        collection.writers.add(transaction);
        transaction.own.set(stored, { collection, doc: after });
        transaction.changes.push(change);
        for (const each of after === null ? [] : collection.indexes) {
          if (each.spec.unique !== true) continue;
          for (const key of after === null ? [] : each.keysOf(after)) {
            each.pending.set(key, { transaction, stored });
            transaction.pendingKeys.push({ index: each, key });
          }
        }
      } catch (error) {
        if (stored.head === null && stored.lock === null) collection.stored.delete(stored.idKey);
        throw error;
      }
    },
    commit: (transaction, name) => {
      // Before its versions are set, so that what it has itself replaced need not be kept.
      transaction.unpin();
      for (const stored of transaction.own.keys()) stored.lock = null;
      if (transaction.changes.length > 0) apply(transaction.changes, name, new Date());
      release(transaction);
    },
    abort: release,
    ensureFree: (all) => {
      for (const { stored } of all) if (stored.lock !== null) throw new Blocked(stored.lock);
    },
    history: () => history,
    forgotten: () => forgotten,
    forgetHistory: () => {
      forgotten = last;
      last += 1;
      history = [];
      write({ kind: 'forget' });
    },
    onCommit: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    remember: (session, txnNumber, reply) => write({ kind: 'answered', session, txnNumber, reply }),
    replay: (entry) => {
      isReplaying = true;
      switch (entry.kind) {
        case 'base':
          base = entry.seconds;
          break;
        case 'commit': {
          const seen = new Map<Stored, Doc | null>();
          const changes = entry.changes.map(({ kind, db, collection: name, id, after }): Change => {
            const collection = self.create(db, name);
            const stored = place(collection, id);
            const before = seen.has(stored) ? (seen.get(stored) ?? null) : visible(stored, current());
            seen.set(stored, after);
            return { kind, collection, stored, before, after };
          });
          apply(changes, entry.transaction, entry.wallTime);
          break;
        }
        case 'create':
          self.create(entry.db, entry.collection, entry.options);
          break;
        case 'drop': {
          const collection = self.collection(entry.db, entry.collection);
          if (collection !== undefined) self.drop(collection);
          break;
        }
        case 'rename': {
          const collection = self.collection(entry.db, entry.collection);
          if (collection !== undefined) self.rename(collection, entry.to);
          break;
        }
        case 'options':
          self.setOptions(self.create(entry.db, entry.collection), entry.options);
          break;
        case 'dropDatabase':
          self.dropDatabase(entry.db);
          break;
        case 'createIndex':
          self.createIndex(self.create(entry.db, entry.collection), entry.spec);
          break;
        case 'dropIndex':
          self.dropIndex(self.create(entry.db, entry.collection), entry.name);
          break;
        case 'forget':
          self.forgetHistory();
          break;
        case 'answered':
          onAnswered(entry.session, entry.txnNumber, entry.reply);
          break;
      }
      isReplaying = false;
    },
  };
  journal({ kind: 'base', seconds: base });
  return self;
};

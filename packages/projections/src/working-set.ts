import type { RowKind } from '@zakup/contracts/read-models';
import type { JsonObject, Position, Query, ReadDocument, DocumentReader } from '@zakup/read-store/read-store';
import { ByKindAndId } from './by-kind-and-id.ts';
import type { DocumentData, DocumentKey, DocumentKind } from './documents.ts';

export interface DocumentChange<Kind extends DocumentKind> extends DocumentKey<Kind> {
  /** Of the event that changes the document. */
  readonly position: Position;
  readonly scopes: readonly string[];
  readonly data: DocumentData[Kind];
}

/** The read store could not answer; the batch can be tried again. */
export class ReadFailed extends Error {
  override readonly name = 'ReadFailed';
  /** Whose documents were asked for. */
  readonly licenceId: string;
  constructor(licenceId: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.licenceId = licenceId;
  }
}

/** Documents as they are after the events folded so far: what is committed, cached within bounds, under what is not yet. */
export interface WorkingSet {
  /** Present data. Throws `ReadFailed`, and an Error when the document is another licence's. */
  get<Kind extends DocumentKind>(key: DocumentKey<Kind>): Promise<DocumentData[Kind] | null>;
  /** As `get` where the store need not be asked, else undefined: an event asks for a dozen documents that are nearly always at hand. */
  known<Kind extends DocumentKind>(key: DocumentKey<Kind>): DocumentData[Kind] | null | undefined;
  /** Undefined = it is done already. */
  put<Kind extends DocumentKind>(change: DocumentChange<Kind>): Promise<void> | undefined;
  /** The event that the document begins with is about to be folded: unless it was already, nothing is stored that would have to be looked for. */
  begin(key: DocumentKey<DocumentKind>): void;
  /** Writes a document that nothing folded before has written, and that nothing will read or change: it is neither looked for nor kept. */
  add<Kind extends DocumentKind>(change: DocumentChange<Kind>): void;
  /** Deletes the document in the scopes it is in; one that is not there stays as it is. */
  remove(key: DocumentKey<DocumentKind>, position: Position): Promise<void>;
  /** Present documents of a kind whose members equal `where` (declared fields). */
  find<Kind extends RowKind>(
    kind: Kind,
    licenceId: string,
    where?: Readonly<Record<string, string>>,
  ): Promise<readonly { readonly id: string; readonly data: DocumentData[Kind] }[]>;
  raiseFloor(licenceId: string, scope: string): void;
  /** How many documents wait for a commit. */
  size(): number;
  pending(): {
    readonly docs: readonly ReadDocument[];
    readonly floors: readonly { readonly licenceId: string; readonly scope: string }[];
  };
  /** What was pending is in the store now. */
  committed(): void;
  /** Forgets what is pending and everything cached. */
  drop(): void;
}

const nameOf = (kind: string, id: string): string => `${kind}/${id}`;

const noScopes: ReadDocument['left'] = [];

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, index) => text === b[index]));

/** Scopes left before, less those entered again, with those left now. */
const leftScopes = (
  before: ReadDocument | null,
  scopes: readonly string[],
  position: Position,
): ReadDocument['left'] => {
  if (before === null) return noScopes;
  if (before.left.length === 0 && sameTexts(before.scopes, scopes)) return noScopes;
  const entered = new Set(scopes);
  const earlier = before.left.filter(({ scope }) => !entered.has(scope));
  const gone = before.scopes.filter((scope) => !entered.has(scope));
  if (gone.length === 0) return earlier;
  return [...earlier.filter(({ scope }) => !gone.includes(scope)), ...gone.map((scope) => ({ scope, position }))];
};

const equals = (data: JsonObject | null, where: Readonly<Record<string, string>>): boolean =>
  data !== null && Object.entries(where).every(([field, wanted]) => data[field] === wanted);

/** Committed documents, null = there is none. At least the `capacity` that were used last are kept, at most twice as many. */
class DocumentCache {
  readonly #capacity: number;
  #young = new ByKindAndId<ReadDocument | null>();
  #old = new ByKindAndId<ReadDocument | null>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Undefined = it is not known here. */
  get(kind: string, id: string): ReadDocument | null | undefined {
    const doc = this.#young.get(kind, id);
    if (doc !== undefined) return doc;
    const older = this.#old.get(kind, id);
    if (older !== undefined) this.set(kind, id, older);
    return older;
  }

  set(kind: string, id: string, doc: ReadDocument | null): void {
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new ByKindAndId();
    }
    this.#young.set(kind, id, doc);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}

/** `capacity`: how many committed documents are kept at least; at most twice as many. */
export const workingSet = (readStore: DocumentReader, capacity = 20_000): WorkingSet => {
  const changed = new ByKindAndId<ReadDocument>();
  const added: ReadDocument[] = [];
  const floors = new Map<string, { readonly licenceId: string; readonly scope: string }>();
  const cache = new DocumentCache(capacity);

  const stored = async <Result>(licenceId: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (cause) {
      throw new ReadFailed(licenceId, cause);
    }
  };

  /** Undefined = it has to be looked for. */
  const knownDoc = (kind: string, id: string): ReadDocument | null | undefined =>
    changed.get(kind, id) ?? cache.get(kind, id);

  const lookedFor = async ({ kind, id, licenceId }: DocumentKey<DocumentKind>): Promise<ReadDocument | null> => {
    const doc = await stored(licenceId, () => readStore.get(kind, id));
    cache.set(kind, id, doc);
    return doc;
  };

  const ownOf = (doc: ReadDocument | null, licenceId: string): ReadDocument | null => {
    if (doc !== null && doc.licenceId !== licenceId)
      throw new Error(`Document ${nameOf(doc.kind, doc.id)} belongs to another licence`);
    return doc;
  };

  const dataOf = <Kind extends DocumentKind>(
    doc: ReadDocument | null,
    { licenceId }: DocumentKey<Kind>,
  ): DocumentData[Kind] | null => (ownOf(doc, licenceId)?.data ?? null) as unknown as DocumentData[Kind] | null;

  const change = (
    before: ReadDocument | null,
    { kind, id, licenceId, position, scopes, data }: DocumentChange<DocumentKind>,
  ): void => {
    const left = leftScopes(ownOf(before, licenceId), scopes, position);
    const after = data as unknown as JsonObject;
    changed.set(kind, id, { kind, id, licenceId, scopes, left, position, deleted: false, data: after });
  };

  return {
    async get<Kind extends DocumentKind>(key: DocumentKey<Kind>) {
      let doc = knownDoc(key.kind, key.id);
      if (doc === undefined) doc = await lookedFor(key);
      return dataOf(doc, key);
    },

    known<Kind extends DocumentKind>(key: DocumentKey<Kind>) {
      const doc = knownDoc(key.kind, key.id);
      return doc === undefined ? undefined : dataOf(doc, key);
    },

    put(wanted) {
      const before = knownDoc(wanted.kind, wanted.id);
      if (before === undefined) return lookedFor(wanted).then((doc) => change(doc, wanted));
      change(before, wanted);
      return undefined;
    },

    begin({ kind, id }) {
      if (knownDoc(kind, id) === undefined) cache.set(kind, id, null);
    },

    add({ kind, id, licenceId, position, scopes, data }) {
      const doc = data as unknown as JsonObject;
      added.push({ kind, id, licenceId, scopes, left: noScopes, position, deleted: false, data: doc });
    },

    async remove(key, position) {
      let before = knownDoc(key.kind, key.id);
      if (before === undefined) before = await lookedFor(key);
      before = ownOf(before, key.licenceId);
      if (before === null || before.deleted) return;
      changed.set(key.kind, key.id, { ...before, position, deleted: true, data: null });
    },

    async find<Kind extends RowKind>(kind: Kind, licenceId: string, where: Readonly<Record<string, string>> = {}) {
      const query: Query = { licenceId, where };
      const { docs } = await stored(licenceId, () => readStore.query(kind, query));
      const found = new Map(docs.map((doc) => [doc.id, doc]));
      for (const doc of changed.ofKind(kind)) {
        if (doc.licenceId !== licenceId) continue;
        if (equals(doc.data, where)) found.set(doc.id, doc);
        else found.delete(doc.id);
      }
      return [...found.values()].map(({ id, data }) => ({ id, data: data as unknown as DocumentData[Kind] }));
    },

    raiseFloor(licenceId, scope) {
      floors.set(JSON.stringify([licenceId, scope]), { licenceId, scope });
    },

    size: () => changed.size + added.length,

    pending: () => ({ docs: [...changed.values(), ...added], floors: [...floors.values()] }),

    committed() {
      for (const doc of changed.values()) cache.set(doc.kind, doc.id, doc);
      changed.clear();
      floors.clear();
      added.length = 0;
    },

    drop() {
      for (const kept of [changed, floors, cache]) kept.clear();
      added.length = 0;
    },
  };
};

/**
 * The ReadStore port: documents that projections write and the gateway reads, each batch with its checkpoint in one transaction.
 */

export type Position = number;
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

/** One document of a read model. `data` is null exactly when it is deleted. */
export interface ReadDocument<Data extends object = JsonObject> {
  readonly kind: string;
  readonly id: string;
  readonly licenceId: string;
  /** Scopes the document is in now: `workspace`, `campaign:<id>`, `contractor:<id>`, `person:<id>`; private documents have none. */
  readonly scopes: readonly string[];
  /** Scopes it was in before and when it left them, by position; entries older than 90 days may be dropped. */
  readonly left: readonly { readonly scope: string; readonly position: Position }[];
  /** Position of the last event that changed this document, never the batch's end. */
  readonly position: Position;
  readonly deleted: boolean;
  readonly data: Data | null;
}

export interface Checkpoint {
  /** `all` for a projector that follows the whole log, else a partition's two hex digits. */
  readonly partition: string;
  /** Everything up to here is folded. */
  readonly position: Position;
  /** Fencing token of the writer's lease; a commit with a smaller one than stored is refused. */
  readonly fence: number;
}

export interface Commit {
  readonly docs: readonly ReadDocument[];
  readonly checkpoint: Checkpoint;
  /** Scopes whose `since` at or below the checkpoint's position must be answered with a reset from now on. */
  readonly floors?: readonly { readonly licenceId: string; readonly scope: string }[];
  /**
   * Puts documents right without going on: the checkpoint stays at its position, which may be any that is not below the stored one. What is
   * stored of these documents may be damaged, and is not read.
   */
  readonly repair?: boolean;
}

export type CommitResult =
  | { readonly kind: 'committed' }
  /** The stored checkpoint is at or beyond this one; nothing was written. An equal position is refused too unless it carries no docs. */
  | { readonly kind: 'older_checkpoint'; readonly stored: Position }
  | { readonly kind: 'lost_lease'; readonly fence: number };

/** Equality, membership and ranges on top-level or dotted members of `data` that were declared for the kind at opening. */
export interface Query {
  readonly licenceId?: string;
  readonly where?: Readonly<Record<string, string | number | boolean | null>>;
  /** The member is one of these texts; of none, nothing fits. */
  readonly among?: Readonly<Record<string, readonly string[]>>;
  readonly range?: Readonly<Record<string, { readonly min?: string | number; readonly max?: string | number }>>;
  readonly sort?: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[];
  readonly offset?: number;
  readonly limit?: number;
  readonly includeDeleted?: boolean;
}

export interface Changes {
  /** Documents of the scope that changed after `since`: present ones as they are, ones that left or were deleted with `gone: true`. By position, then kind and id. */
  readonly docs: readonly { readonly doc: ReadDocument; readonly gone: boolean; readonly position: Position }[];
  /** The checkpoint this answer is complete to. */
  readonly position: Position;
  /** True when `since` is not above the scope's or the store's floor, or above the checkpoint: the answer is then the scope's whole present content. */
  readonly reset: boolean;
}

/** Documents as they stand, or stood at one moment. */
export interface DocumentReader {
  get(kind: string, id: string): Promise<ReadDocument | null>;
  /** In the order of the ids; absent ones are left out. Deleted documents are returned too. */
  getMany(kind: string, ids: readonly string[]): Promise<readonly ReadDocument[]>;
  /** Ties of `sort` are broken by `data.createdAt`, then id, both the way that the last of its fields goes; rising without any. */
  query(kind: string, query: Query): Promise<{ readonly docs: readonly ReadDocument[]; readonly total: number }>;
  /**
   * Gives `take` every document that fits, each once, some hundreds at a time, in no order that means anything and all of one snapshot: for
   * reading many without holding them or the event loop. The next ones wait until `take` is done. Rejects when the snapshot is lost.
   */
  readEach(
    kind: string,
    query: Pick<Query, 'licenceId' | 'where' | 'includeDeleted'>,
    take: (docs: readonly ReadDocument[]) => void | Promise<void>,
  ): Promise<void>;
}

/** A page of a licence's present documents of one kind, in the order of their ids. */
export interface Walk {
  readonly licenceId: string;
  /** A `walk` field and the text that it must be; absent = all of the licence. */
  readonly where?: { readonly field: string; readonly value: string };
  readonly direction: 'asc' | 'desc';
  /** The id at which the page before ended; absent = from the first or the last one on. */
  readonly after?: string;
  readonly limit: number;
}

/** What a version of the projections made of the log. */
export interface Generation {
  /** 0 for the first content of a store, then one more for each that was begun beside it. */
  readonly number: number;
  /** Of the projections that fill it; null = it was never noted. */
  readonly version: string | null;
}

/** One document as it is found. */
export interface ScannedDocument {
  readonly kind: string;
  readonly id: string;
  /** null = its checksum does not fit its content. */
  readonly doc: ReadDocument | null;
}

/** A content that is filled beside the one that readers see; until it takes that one's place nobody is poked. */
export interface NextGeneration extends ReadStore {
  readonly generation: Generation;
  /**
   * Takes the place of what readers see, with its checkpoints, in one step: all of it or nothing. From then on a `since` at or below every
   * checkpoint that was ever held is answered with a reset. Refused when a writer with a higher fence has committed to either.
   */
  promote(fence: number): Promise<Exclude<CommitResult, { kind: 'older_checkpoint' }>>;
}

/** Takes what is read of a scope. */
export interface ScopeTaker {
  /** Before anything is taken: the checkpoint that all of it is complete to, and how many documents come at most. */
  readonly begun: (content: { readonly position: Position; readonly total: number }) => void | Promise<void>;
  readonly take: (docs: readonly ReadDocument[]) => void | Promise<void>;
}

export interface ReadStore extends DocumentReader {
  /** Documents that one commit should hold at most where nobody waits for it; default 4,000. */
  readonly mostInCommit?: number;
  /** All documents and the checkpoint, or nothing. */
  commit(commit: Commit): Promise<CommitResult>;
  checkpoint(partition: string): Promise<Checkpoint | null>;
  /** One consistent snapshot; `since` absent = the present content of the scope. `partition` names whose checkpoint it is complete to. */
  changesSince(request: {
    readonly licenceId: string;
    readonly scope: string;
    readonly since?: Position;
    readonly partition: string;
  }): Promise<Changes>;
  /**
   * Gives away the present content of a scope, each document once, some hundreds at a time, in no order that means anything and all of one
   * snapshot: for reading much of it without holding it or the event loop. The next ones wait until `take` is done. Rejects with what the
   * taker throws, and when the snapshot is lost.
   */
  readScope(request: Omit<Parameters<ReadStore['changesSince']>[0], 'since'>, taker: ScopeTaker): Promise<void>;
  /** Calls back after each commit with the partition and position; returns how to stop. Missed calls are allowed, false ones are not. */
  onCommit(listener: (commitSignal: { readonly partition: string; readonly position: Position }) => void): () => void;
  /**
   * Removes every document, floor and checkpoint, before a rebuild. From then on a `since` at or below the highest checkpoint that was
   * ever held is answered with a reset, in every scope.
   */
  clear(): Promise<void>;
  /** Present documents of a licence, private ones too, in the order of kind and id; `after` exclusive. Pages need not be of one moment. */
  scan(
    licenceId: string,
    page: { readonly after?: { readonly kind: string; readonly id: string }; readonly limit: number },
  ): Promise<readonly ScannedDocument[]>;
  /** As many as there are, up to the limit; costs what the page costs, however many there are beside it. Nothing is counted. */
  scanIndex(kind: string, walk: Walk): Promise<readonly ReadDocument[]>;
  /** What readers see, and what is begun beside it. */
  generations(): Promise<{ readonly active: Generation; readonly next: Generation | null }>;
  /** Notes the version of what readers see, when it is still without one. */
  noteVersion(version: string): Promise<void>;
  /**
   * The content beside: goes on with one that was begun under this version, else begins anew with nothing in it. `indexesLater`: what makes
   * declared fields quick to find by may be made at once when it takes the place. That is less work, but takes the store for seconds at
   * a stretch, so it is for a process in which nobody else waits for it.
   */
  beginNext(version: string, options?: { readonly indexesLater?: boolean }): Promise<NextGeneration>;
  /** Gives up what was begun beside, if anything was. */
  discard(): Promise<void>;
  /**
   * Removes contents that are read no more, in steps between which others get their turn; true when nothing is left to remove. One whose
   * place was taken within the last minute is left alone where other processes may be reading it still. `atOnce`: without such steps where
   * the store has no quicker way, which is far less work but takes the store for a good part of a second; for a process in which nobody
   * else waits for it.
   */
  purge(options?: { readonly atOnce?: boolean }): Promise<boolean>;
  /** What was last noted under a name about the work on the store, for whoever looks after it; null = nothing. Of no content and no moment. */
  notice(name: string): Promise<JsonObject | null>;
  /** The same of many names in one read, by name; those under which nothing was noted are not in it. */
  noticesOf(names: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>;
  note(name: string, data: JsonObject): Promise<void>;
  close(): Promise<void>;
}

/** A member by which documents that share a value of another one are paged, however many they are: `within` is that other one. */
export interface SortField {
  readonly sort: string;
  readonly within: string;
}

/** A member of `data`. `lookup`: few documents share a value, so equality on it should not look at all the others.
 * `walk`: documents that share a value are read in the order of their ids; a kind with such a field is private, its documents are in no scope.
 */
export type DeclaredField = string | { readonly lookup: string } | { readonly walk: string } | SortField;

/** Members of `data` that queries may name, by kind. */
export type DeclaredFields = Readonly<Record<string, readonly DeclaredField[]>>;

/** The store is away, or cannot serve now. Whether a commit was carried out is then open: ask for the checkpoint before going on. */
export class ReadStoreUnavailable extends Error {
  override readonly name = 'ReadStoreUnavailable';
}

/** A stored document's checksum does not fit its content. */
export class CorruptDocument extends Error {
  override readonly name = 'CorruptDocument';
  readonly where: string;
  readonly kind: string;
  readonly id: string;
  /** As it is stored, which may be what is damaged. */
  readonly licenceId: string;
  constructor(where: string, kind: string, id: string, licenceId: string) {
    super(`Document ${kind}/${id} in ${where} does not match its checksum`);
    this.where = where;
    this.kind = kind;
    this.id = id;
    this.licenceId = licenceId;
  }
}

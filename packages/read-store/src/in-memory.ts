import { yieldToEventLoop } from '@zakup/async/event-loop';
/**
 * The ReadStore in memory: for tests and as the plainest statement of what the port means. Nothing outlives the process.
 */
import {
  byPositionKindAndId,
  checkCommit,
  checkDeclaration,
  checkQuery,
  checkWalk,
  compareTexts,
  fits,
  memberAt,
  inOrder,
  needsReset,
  noFloor,
  refusalOf,
  scopeEntries,
} from './documents.ts';
import { commitSignals } from './commit-signals.ts';
import type {
  Checkpoint,
  Commit,
  CommitResult,
  DeclaredFields,
  Generation,
  JsonObject,
  NextGeneration,
  Position,
  ReadDocument,
  ReadStore,
  ScannedDocument,
  Walk,
} from './read-store.ts';

const sliceDocuments = 500;

interface Change {
  readonly doc: ReadDocument;
  readonly gone: boolean;
  readonly position: Position;
}

/** Everything of one generation. */
interface Content {
  generation: Generation;
  readonly documents: Map<string, Map<string, ReadDocument>>;
  /** Ids of a kind in their order, as far as nothing was added since. */
  readonly order: Map<string, readonly string[]>;
  readonly scopes: Map<string, Map<string, Change>>;
  readonly floors: Map<string, Position>;
  readonly checkpoints: Map<string, Checkpoint>;
}

const scopeKey = (licenceId: string, scope: string): string => JSON.stringify([licenceId, scope]);
const docKey = (kind: string, id: string): string => JSON.stringify([kind, id]);

const emptyContent = (generation: Generation): Content => ({
  generation,
  documents: new Map(),
  order: new Map(),
  scopes: new Map(),
  floors: new Map(),
  checkpoints: new Map(),
});

const put = ({ documents, order, scopes }: Content, doc: ReadDocument): void => {
  const ofKind = documents.get(doc.kind) ?? new Map<string, ReadDocument>();
  documents.set(doc.kind, ofKind);
  const key = docKey(doc.kind, doc.id);
  const earlier = ofKind.get(doc.id);
  if (earlier !== undefined) {
    for (const { scope } of scopeEntries(earlier)) scopes.get(scopeKey(earlier.licenceId, scope))?.delete(key);
  } else {
    order.delete(doc.kind);
  }
  ofKind.set(doc.id, doc);
  for (const { scope, position, gone } of scopeEntries(doc)) {
    const name = scopeKey(doc.licenceId, scope);
    const changes = scopes.get(name) ?? new Map<string, Change>();
    scopes.set(name, changes);
    changes.set(key, { doc, gone, position });
  }
};

const highest = ({ checkpoints }: Content): Position =>
  [...checkpoints.values()].reduce((most, { position }) => Math.max(most, position), noFloor);

/** How many of the ids, which stand in their order, are not above this one. */
const upTo = (ids: readonly string[], id: string): number => {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareTexts(ids[middle] ?? '', id) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
};

const pageOf = (
  { documents, order }: Content,
  { kind, licenceId, after, limit }: { kind: string; licenceId: string; after: string | null; limit: number },
): readonly ReadDocument[] => {
  const ofKind = documents.get(kind) ?? new Map<string, ReadDocument>();
  const ids = order.get(kind) ?? [...ofKind.keys()].toSorted(compareTexts);
  order.set(kind, ids);
  const page: ReadDocument[] = [];
  for (let at = after === null ? 0 : upTo(ids, after); at < ids.length && page.length < limit; at += 1) {
    const doc = ofKind.get(ids[at] ?? '');
    if (doc !== undefined && doc.licenceId === licenceId && !doc.deleted) page.push(doc);
  }
  return page;
};

const walked = (
  { documents }: Content,
  kind: string,
  { licenceId, where, direction, after, limit }: Walk,
): readonly ReadDocument[] => {
  const sign = direction === 'asc' ? 1 : -1;
  return [...(documents.get(kind)?.values() ?? [])]
    .filter((doc) => doc.licenceId === licenceId && !doc.deleted)
    .filter((doc) => where === undefined || memberAt(doc.data, where.field) === where.value)
    .filter(({ id }) => after === undefined || sign * compareTexts(id, after) > 0)
    .toSorted((a, b) => sign * compareTexts(a.id, b.id))
    .slice(0, limit);
};

const empty = ({ documents, order, scopes, floors, checkpoints }: Content): void => {
  for (const store of [documents, order, scopes, floors, checkpoints]) store.clear();
};

/** What the store consists of. */
interface StoreState {
  readonly declared: DeclaredFields;
  active: Content;
  next: Content | null;
  /** How many generations were begun beside the active one. */
  begun: number;
  /** No scope is answered with changes from at or below it. */
  storeFloor: Position;
  readonly notices: Map<string, JsonObject>;
  readonly listeners: ReturnType<typeof commitSignals>;
}

const commitTo = (state: StoreState, content: Content, commit: Commit): CommitResult => {
  checkCommit(state.declared, commit);
  const { docs, checkpoint } = commit;

  const refused = refusalOf(commit, content.checkpoints.get(checkpoint.partition) ?? null);
  if (refused !== null) return refused;
  for (const doc of docs) put(content, JSON.parse(JSON.stringify(doc)) as ReadDocument);
  for (const { licenceId, scope } of commit.floors ?? []) {
    const name = scopeKey(licenceId, scope);
    content.floors.set(name, Math.max(content.floors.get(name) ?? 0, checkpoint.position));
  }
  content.checkpoints.set(checkpoint.partition, { ...checkpoint });
  if (content === state.active)
    state.listeners.send({ partition: checkpoint.partition, position: checkpoint.position });
  return { kind: 'committed' };
};

/** Reads of one content, whichever that is when it is asked. */
const readsOf = (
  state: StoreState,
  current: () => Content,
): Pick<
  ReadStore,
  'get' | 'getMany' | 'query' | 'readEach' | 'checkpoint' | 'changesSince' | 'readScope' | 'scan' | 'scanIndex'
> => ({
  get: async (kind, id) => current().documents.get(kind)?.get(id) ?? null,

  getMany: async (kind, ids) => {
    const ofKind = current().documents.get(kind);
    return ids.map((id) => ofKind?.get(id)).filter((doc) => doc !== undefined);
  },

  query: async (kind, query) => {
    checkQuery(state.declared, kind, query);
    const found = [...(current().documents.get(kind)?.values() ?? [])].filter((doc) => fits(doc, query));
    found.sort(inOrder(query.sort ?? []));
    const offset = query.offset ?? 0;
    return { docs: found.slice(offset, offset + (query.limit ?? found.length)), total: found.length };
  },

  readEach: async (kind, query, take) => {
    checkQuery(state.declared, kind, query);
    const all = [...(current().documents.get(kind)?.values() ?? [])];
    for (let from = 0; from < all.length; from += sliceDocuments) {
      const docs = all.slice(from, from + sliceDocuments).filter((doc) => fits(doc, query));
      if (docs.length > 0) await take(docs);
      await yieldToEventLoop();
    }
  },

  checkpoint: async (partition) => current().checkpoints.get(partition) ?? null,

  changesSince: async ({ licenceId, scope, since, partition }) => {
    const { scopes, floors, checkpoints } = current();
    const name = scopeKey(licenceId, scope);
    const position = checkpoints.get(partition)?.position ?? 0;
    const reset =
      since !== undefined && needsReset(since, position, Math.max(floors.get(name) ?? noFloor, state.storeFloor));
    const changes = [...(scopes.get(name)?.values() ?? [])];
    const docs = changes.filter((change) => (since === undefined || reset ? !change.gone : change.position > since));
    return { docs: docs.sort(byPositionKindAndId), position, reset };
  },

  readScope: async ({ licenceId, scope, partition }, { begun, take }) => {
    const { scopes, checkpoints } = current();
    const all = [...(scopes.get(scopeKey(licenceId, scope))?.values() ?? [])].filter(({ gone }) => !gone);
    await begun({ position: checkpoints.get(partition)?.position ?? 0, total: all.length });
    for (let from = 0; from < all.length; from += sliceDocuments) {
      await take(all.slice(from, from + sliceDocuments).map(({ doc }) => doc));
      await yieldToEventLoop();
    }
  },

  scan: async (licenceId, { after, limit }) => {
    const found: ScannedDocument[] = [];
    const content = current();
    for (const kind of [...content.documents.keys()].toSorted(compareTexts)) {
      if (found.length >= limit) break;
      const order = after === undefined ? 1 : compareTexts(kind, after.kind);
      if (order < 0) continue;
      const from = after !== undefined && order === 0 ? after.id : null;
      const page = pageOf(content, { kind, licenceId, after: from, limit: limit - found.length });
      found.push(...page.map((doc) => ({ kind, id: doc.id, doc })));
    }
    return found;
  },

  scanIndex: async (kind, walk) => {
    checkWalk(state.declared, kind, walk);
    return walked(current(), kind, walk);
  },
});

/** The store as it shows one content. */
const showing = (state: StoreState, current: () => Content): ReadStore => ({
  ...readsOf(state, current),

  commit: async (commit) => commitTo(state, current(), commit),

  generations: async () => ({ active: state.active.generation, next: state.next?.generation ?? null }),

  noteVersion: async (version) => {
    if (state.active.generation.version === null) state.active.generation = { ...state.active.generation, version };
  },

  beginNext: async (version) => {
    if (state.next?.generation.version !== version) {
      state.begun += 1;
      state.next = emptyContent({ number: state.begun, version });
    }
    const content = state.next;
    return beside(state, content);
  },

  discard: async () => {
    state.next = null;
  },

  purge: async () => true,

  notice: async (name) => state.notices.get(name) ?? null,

  noticesOf: async (names) => {
    const asked = new Set(names);
    return new Map([...state.notices].filter(([name]) => asked.has(name)));
  },

  note: async (name, data) => {
    state.notices.set(name, structuredClone(data));
  },

  onCommit: state.listeners.add,

  clear: async () => {
    state.storeFloor = Math.max(state.storeFloor, highest(state.active));
    empty(state.active);
  },

  close: async () => state.listeners.clear(),
});

const beside = (state: StoreState, content: Content): NextGeneration => ({
  ...showing(state, () => content),
  generation: content.generation,
  onCommit: () => () => undefined,
  clear: async () => empty(content),
  close: async () => undefined,
  promote: async (fence) => {
    if (state.next !== content) throw new Error(`Generation ${content.generation.number} is no longer built`);
    const fences = [state.active, content].flatMap(({ checkpoints }) =>
      [...checkpoints.values()].map((one) => one.fence),
    );
    const most = Math.max(fence, ...fences);
    if (most > fence) return { kind: 'lost_lease', fence: most };
    state.storeFloor = Math.max(state.storeFloor, highest(state.active), highest(content));
    state.active = content;
    state.next = null;
    for (const { partition, position } of state.active.checkpoints.values())
      state.listeners.send({ partition, position });
    return { kind: 'committed' };
  },
});

/** A store of its own. Throws when a declared field is not a dotted path of plain names. */
export const inMemoryReadStore = ({ declared }: { readonly declared: DeclaredFields }): ReadStore => {
  checkDeclaration(declared);
  const state: StoreState = {
    declared,
    active: emptyContent({ number: 0, version: null }),
    next: null,
    begun: 0,
    storeFloor: noFloor,
    notices: new Map(),
    listeners: commitSignals(),
  };
  return showing(state, () => state.active);
};

/**
 * The ReadStore in memory: for tests and as the plainest statement of what the port means. Nothing outlives the process.
 */
import { setImmediate as turn } from 'node:timers/promises';
import {
  byPositionKindAndId,
  checkCommit,
  checkDeclaration,
  checkQuery,
  fits,
  inOrder,
  needsReset,
  noFloor,
  scopeEntries,
} from './documents.ts';
import { pokes } from './pokes.ts';
import type { Checkpoint, DeclaredFields, Position, ReadDocument, ReadStore } from './read-store.ts';

const sliceDocuments = 500;

interface Change {
  readonly doc: ReadDocument;
  readonly gone: boolean;
  readonly position: Position;
}

const scopeKey = (licenceId: string, scope: string): string => JSON.stringify([licenceId, scope]);
const docKey = (kind: string, id: string): string => JSON.stringify([kind, id]);

/** A store of its own. Throws when a declared field is not a dotted path of plain names. */
export const inMemoryReadStore = ({ declared }: { readonly declared: DeclaredFields }): ReadStore => {
  checkDeclaration(declared);
  const documents = new Map<string, Map<string, ReadDocument>>();
  const scopes = new Map<string, Map<string, Change>>();
  const floors = new Map<string, Position>();
  const checkpoints = new Map<string, Checkpoint>();
  let storeFloor = noFloor;
  const listeners = pokes();

  const put = (doc: ReadDocument): void => {
    const ofKind = documents.get(doc.kind) ?? new Map<string, ReadDocument>();
    documents.set(doc.kind, ofKind);
    const key = docKey(doc.kind, doc.id);
    const earlier = ofKind.get(doc.id);
    if (earlier !== undefined) {
      for (const { scope } of scopeEntries(earlier)) scopes.get(scopeKey(earlier.licenceId, scope))?.delete(key);
    }
    ofKind.set(doc.id, doc);
    for (const { scope, position, gone } of scopeEntries(doc)) {
      const name = scopeKey(doc.licenceId, scope);
      const changes = scopes.get(name) ?? new Map<string, Change>();
      scopes.set(name, changes);
      changes.set(key, { doc, gone, position });
    }
  };

  return {
    get: async (kind, id) => documents.get(kind)?.get(id) ?? null,

    getMany: async (kind, ids) => {
      const ofKind = documents.get(kind);
      return ids.map((id) => ofKind?.get(id)).filter((doc) => doc !== undefined);
    },

    query: async (kind, query) => {
      checkQuery(declared, kind, query);
      const found = [...(documents.get(kind)?.values() ?? [])].filter((doc) => fits(doc, query));
      found.sort(inOrder(query.sort ?? []));
      const offset = query.offset ?? 0;
      return { docs: found.slice(offset, offset + (query.limit ?? found.length)), total: found.length };
    },

    readEach: async (kind, query, take) => {
      checkQuery(declared, kind, query);
      const all = [...(documents.get(kind)?.values() ?? [])];
      for (let from = 0; from < all.length; from += sliceDocuments) {
        const docs = all.slice(from, from + sliceDocuments).filter((doc) => fits(doc, query));
        if (docs.length > 0) await take(docs);
        await turn();
      }
    },

    commit: async (commit) => {
      checkCommit(commit);
      const { docs, checkpoint } = commit;
      const stored = checkpoints.get(checkpoint.partition);
      if (stored !== undefined) {
        if (checkpoint.fence < stored.fence) return { kind: 'lost_lease', fence: stored.fence };
        const ahead = checkpoint.position - stored.position;
        if (ahead < 0 || (ahead === 0 && docs.length > 0)) return { kind: 'older_checkpoint', stored: stored.position };
      }
      for (const doc of docs) put(JSON.parse(JSON.stringify(doc)) as ReadDocument);
      for (const { licenceId, scope } of commit.floors ?? []) {
        const name = scopeKey(licenceId, scope);
        floors.set(name, Math.max(floors.get(name) ?? 0, checkpoint.position));
      }
      checkpoints.set(checkpoint.partition, { ...checkpoint });
      listeners.send({ partition: checkpoint.partition, position: checkpoint.position });
      return { kind: 'committed' };
    },

    checkpoint: async (partition) => checkpoints.get(partition) ?? null,

    changesSince: async ({ licenceId, scope, since, partition }) => {
      const name = scopeKey(licenceId, scope);
      const position = checkpoints.get(partition)?.position ?? 0;
      const reset =
        since !== undefined && needsReset(since, position, Math.max(floors.get(name) ?? noFloor, storeFloor));
      const changes = [...(scopes.get(name)?.values() ?? [])];
      const docs = changes.filter((change) => (since === undefined || reset ? !change.gone : change.position > since));
      return { docs: docs.sort(byPositionKindAndId), position, reset };
    },

    onPoke: listeners.add,

    clear: async () => {
      for (const { position } of checkpoints.values()) storeFloor = Math.max(storeFloor, position);
      for (const store of [documents, scopes, floors, checkpoints]) store.clear();
    },

    close: async () => listeners.clear(),
  };
};

/**
 * The ReadStore in MongoDB, for processes that share one. Everything in it can be folded again from the log.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientSession, Collection, Filter, FindCursor, FindOptions } from 'mongodb';
import {
  byPositionKindAndId,
  checkCommit,
  checkDeclaration,
  checkQuery,
  lookupsFor,
  needsReset,
  noFloor,
  scopePlaces,
} from '../documents.ts';
import { pokes } from '../pokes.ts';
import {
  type Changes,
  type Checkpoint,
  type Commit,
  type DeclaredFields,
  type Position,
  type ReadDocument,
  type ReadStore,
  ReadStoreUnavailable,
} from '../read-store.ts';
import { checkpointWatch, type WatchLog } from './checkpoint-watch.ts';
import { collectionName, ownCollections, privatePrefix } from './collections.ts';
import { committing } from './committing.ts';
import { connectMongo, type MongoConnection } from './connection.ts';
import { codeOf, duplicateKey, isCut, isLostRead, namespaceExists, readStoreError } from './errors.ts';
import { ensureIndexes, indexesFor } from './indexes.ts';
import { filterOf, sortOf } from './query-filter.ts';
import {
  clearingId,
  documentOf,
  type StoredCheckpoint,
  type StoredDocument,
  type StoredFloor,
  type StoredMeta,
  schemaId,
  scopeFloorId,
  storeFloorId,
} from './stored.ts';

export interface MongoReadStoreOptions {
  /** Servers, credentials and database, as `mongodb://user:password@host/zakup?replicaSet=rs0`. */
  readonly url: string;
  readonly declared: DeclaredFields;
  readonly log?: WatchLog;
  /** Milliseconds after which a commit that meets conflicts or an absent server is given up; default 10,000. */
  readonly commitPatience?: number;
  /** Milliseconds since 1970 (UTC), for people who look into the database. */
  readonly now?: () => number;
  readonly newId?: () => string;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

/** A read store in MongoDB, which also knows how far the log had come. */
export interface MongoReadStore extends ReadStore {
  /** The highest checkpoint that this store ever held, also before a clearing: the log must reach at least as far. */
  reached(): Promise<Position>;
}

const schemaVersion = 1;
/** Documents of one reply: so many are decoded without a turn of the event loop between. */
const slice = 500;
/** Documents that one step of a clearing removes. */
const clearedAtOnce = 1_000;
/** How often a read of several commands begins again when its snapshot is gone, and milliseconds between. */
const lostReads = 20;
const lostReadPause = 50;

type Gap = Parameters<ReadStore['changesSince']>[0];

const ensureSchema = async (where: string, meta: Collection<StoredMeta>): Promise<void> => {
  let stored = await meta.findOne({ _id: schemaId });
  if (stored === null) {
    try {
      await meta.insertOne({ _id: schemaId, version: schemaVersion });
      return;
    } catch (error) {
      if (codeOf(error) !== duplicateKey) throw error;
      stored = await meta.findOne({ _id: schemaId });
    }
  }
  if ((stored?.version ?? 0) > schemaVersion) {
    throw new Error(
      `${where} was written by a newer version of Zakup: its schema is ${stored?.version}, this version knows ${schemaVersion}`,
    );
  }
};

const elapsed = (): number => performance.now();

/** The store on a connection that it ends itself. */
const openStore = async (
  { client, database, where }: MongoConnection,
  options: MongoReadStoreOptions,
): Promise<MongoReadStore> => {
  const { declared, log, commitPatience = 10_000, now = Date.now, newId = randomUUID, random = Math.random } = options;
  const checkpoints = database.collection<StoredCheckpoint>(ownCollections.checkpoints);
  const floors = database.collection<StoredFloor>(ownCollections.floors);
  const meta = database.collection<StoredMeta>(ownCollections.meta);
  const sharedKinds = Object.keys(declared);

  const known = new Map<string, Collection<StoredDocument>>();
  const documents = (kind: string): Collection<StoredDocument> => {
    const found = known.get(kind);
    if (found !== undefined) return found;
    const collection = database.collection<StoredDocument>(collectionName(kind, Object.hasOwn(declared, kind)));
    known.set(kind, collection);
    return collection;
  };

  const inTransaction = <Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result> =>
    client.withSession({ causalConsistency: false }, (session) =>
      session.withTransaction(() => work(session), {
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority' },
      }),
    );

  /**
   * Removes what is there, as long as the mark of the clearing is. Several may clear at once, and the first to be done lets the folding
   * begin: each step writes the mark too, so that none removes what was folded since.
   */
  const removeAll = async ({ collectionName: name }: { readonly collectionName: string }): Promise<void> => {
    const collection = database.collection<{ readonly _id: string }>(name);
    for (;;) {
      const some = await collection.find({}, { projection: { _id: 1 }, limit: clearedAtOnce }).toArray();
      if (some.length === 0) return;
      const ids = some.map(({ _id }) => _id);
      const isCleared = await inTransaction(async (session) => {
        const { matchedCount } = await meta.updateOne({ _id: clearingId }, { $inc: { steps: 1 } }, { session });
        if (matchedCount === 0) return true;
        await collection.deleteMany({ _id: { $in: ids } }, { session });
        return false;
      });
      if (isCleared) return;
    }
  };

  const removeDocuments = async (): Promise<void> => {
    for (const kind of sharedKinds) await removeAll(documents(kind));
    const all = await database.listCollections({}, { nameOnly: true }).toArray();
    for (const { name } of all) if (name.startsWith(privatePrefix)) await removeAll({ collectionName: name });
    await meta.deleteOne({ _id: clearingId });
  };

  const ensureCollection = async (name: string): Promise<void> => {
    await database.createCollection(name).catch((error: unknown) => {
      if (codeOf(error) !== namespaceExists) throw error;
    });
  };

  /** Private kinds get their collection before their first transaction. */
  const made = new Set<string>(sharedKinds);
  const ensureAll = async (): Promise<void> => {
    await ensureSchema(where, meta);
    // Not left to the first transactions: several that make the same collection get into each other's way.
    for (const name of [ownCollections.checkpoints, ownCollections.floors]) await ensureCollection(name);
    if ((await meta.findOne({ _id: clearingId })) !== null) await removeDocuments();
    await Promise.all(
      sharedKinds.map((kind) => ensureIndexes(where, documents(kind), indexesFor(lookupsFor(declared, kind)))),
    );
    for (const kind of made) if (!Object.hasOwn(declared, kind)) made.delete(kind);
  };
  await ensureAll();

  const listeners = pokes();
  const watch = checkpointWatch({ checkpoints, send: listeners.send, log });
  const commits = committing({
    client,
    where,
    documents,
    floors,
    checkpoints,
    patience: commitPatience,
    elapsed,
    now,
    newId,
    random,
  });
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const answer = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closing !== undefined) throw new Error(`Read store ${where} is closed`);
    const working = work();
    running.add(working);
    try {
      return await working;
    } catch (error) {
      throw readStoreError(where, error);
    } finally {
      running.delete(working);
    }
  };

  /** Options of a read within a session's snapshot; each needs its own, for the driver writes into it. */
  const within = (session: ClientSession): FindOptions => ({
    session,
    readConcern: { level: 'snapshot' },
    batchSize: slice,
  });

  /** All reads of the work see the database as it was at the first of them. */
  const inSnapshot = async <Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result> => {
    let cuts = 0;
    for (let failures = 0; ; failures += 1) {
      const session = client.startSession({ snapshot: true });
      try {
        return await work(session);
      } catch (error) {
        // Each cut may have taken all patience that there is.
        if (isCut(error)) cuts += 1;
        if (!isLostRead(error) || failures >= lostReads || cuts > 1) throw error;
      } finally {
        await session.endSession();
      }
      await delay(lostReadPause);
    }
  };

  const read = async <Result>(
    kind: string,
    cursor: FindCursor<StoredDocument>,
    make: (doc: ReadDocument) => Result,
  ): Promise<Result[]> => {
    const found: Result[] = [];
    for await (const stored of cursor) found.push(make(documentOf(where, kind, stored)));
    return found;
  };

  const reached = async (reading: { readonly session?: ClientSession } = {}): Promise<Position> => {
    const store = await floors.findOne({ _id: storeFloorId }, reading);
    const all = await checkpoints.find({}, reading).toArray();
    return all.reduce((highest, { position }) => Math.max(highest, position), Math.max(store?.position ?? 0, 0));
  };

  const presentIn = (licenceId: string, scope: string): Filter<StoredDocument> => ({
    licenceId,
    scopes: scope,
    deleted: false,
  });
  const changedIn = (licenceId: string, scope: string, since: Position): Filter<StoredDocument> => ({
    $or: [
      { licenceId, scopes: scope, position: { $gt: since } },
      { licenceId, left: { $elemMatch: { scope, position: { $gt: since } } } },
    ],
  });

  const changeOf = (scope: string, since: Position) => (doc: ReadDocument) => {
    const leftAt = scopePlaces(doc).get(scope) ?? null;
    const position = leftAt ?? doc.position;
    return position > since ? { doc, gone: leftAt !== null || doc.deleted, position } : null;
  };

  const changes = async (session: ClientSession, { licenceId, scope, since, partition }: Gap): Promise<Changes> => {
    const position = (await checkpoints.findOne({ _id: partition }, within(session)))?.position ?? 0;
    const ids = [storeFloorId, scopeFloorId(licenceId, scope)];
    const raised = await floors.find({ _id: { $in: ids } }, within(session)).toArray();
    const floor = raised.reduce((highest, one) => Math.max(highest, one.position), noFloor);
    const reset = since !== undefined && needsReset(since, position, floor);
    const after = since === undefined || reset ? null : since;
    const filter = after === null ? presentIn(licenceId, scope) : changedIn(licenceId, scope, after);
    const make = changeOf(scope, after ?? noFloor);
    const found = await Promise.all(
      sharedKinds.map((kind) => read(kind, documents(kind).find(filter, within(session)), make)),
    );
    const docs = found.flat().filter((change) => change !== null);
    return { docs: docs.sort(byPositionKindAndId), position, reset };
  };

  const prepareKinds = async ({ docs }: Commit): Promise<void> => {
    for (const { kind, id, scopes, left } of docs) {
      if (Object.hasOwn(declared, kind)) continue;
      if (scopes.length + left.length > 0) {
        throw new Error(`Document ${kind}/${id} is in scopes, but kind ${kind} was not declared`);
      }
      if (made.has(kind)) continue;
      await ensureCollection(documents(kind).collectionName);
      made.add(kind);
    }
  };

  return {
    get: (kind, id) =>
      answer(async () => {
        const stored = await documents(kind).findOne({ _id: id });
        return stored === null ? null : documentOf(where, kind, stored);
      }),

    getMany: (kind, ids) =>
      answer(async () => {
        if (ids.length === 0) return [];
        const cursor = documents(kind).find({ _id: { $in: [...new Set(ids)] } }, { batchSize: slice });
        const found = new Map((await read(kind, cursor, (doc) => doc)).map((doc) => [doc.id, doc]));
        return ids.map((id) => found.get(id)).filter((doc) => doc !== undefined);
      }),

    query: async (kind, query) => {
      checkQuery(declared, kind, query);
      const { offset = 0, limit } = query;
      const filter = filterOf(query);
      return answer(() =>
        inSnapshot(async (session) => {
          const docs =
            limit === 0
              ? []
              : await read(
                  kind,
                  documents(kind).find(filter, {
                    ...within(session),
                    sort: sortOf(query),
                    skip: offset,
                    limit: limit ?? 0,
                  }),
                  (doc) => doc,
                );
          const last = docs.length < (limit ?? Number.POSITIVE_INFINITY) && (docs.length > 0 || offset === 0);
          const { batchSize: _, ...reading } = within(session);
          const total = last ? offset + docs.length : await documents(kind).countDocuments(filter, reading);
          return { docs, total };
        }),
      );
    },

    readEach: async (kind, query, take) => {
      checkQuery(declared, kind, query);
      let isBegun = false;
      return answer(() =>
        inSnapshot(async (session) => {
          // What was taken can not be taken back, so a snapshot that is lost then is not begun again.
          if (isBegun) throw new ReadStoreUnavailable(`${where}: the snapshot in which each ${kind} was read is gone`);
          let docs: ReadDocument[] = [];
          for await (const stored of documents(kind).find(filterOf(query), within(session))) {
            docs.push(documentOf(where, kind, stored));
            if (docs.length < slice) continue;
            isBegun = true;
            await take(docs);
            docs = [];
          }
          if (docs.length > 0) await take(docs);
        }),
      );
    },

    commit: async (commit) => {
      checkCommit(commit);
      return answer(async () => {
        await prepareKinds(commit);
        const outcome = await commits.commit(commit);
        if (outcome.kind === 'gone') {
          const { stored, left } = outcome;
          // Whatever took the checkpoint may have taken collections and indexes with it.
          await ensureAll();
          throw new ReadStoreUnavailable(
            `${where}: checkpoint ${commit.checkpoint.partition} was left at ${left} and is at ${stored}`,
          );
        }
        if (outcome.kind !== 'committed') return outcome;
        watch.committed(outcome.checkpoint);
        return { kind: 'committed' };
      });
    },

    checkpoint: (partition) =>
      answer(async (): Promise<Checkpoint | null> => {
        const stored = await checkpoints.findOne({ _id: partition });
        return stored === null ? null : { partition, position: stored.position, fence: stored.fence };
      }),

    reached: () => answer(() => reached()),

    changesSince: (gap) => answer(() => inSnapshot((session) => changes(session, gap))),

    onPoke: (listener) => {
      if (closing === undefined) watch.start();
      return listeners.add(listener);
    },

    clear: () =>
      answer(async () => {
        // The mark first and in one step with the checkpoints: whoever finds it removes the documents before anything is folded.
        await inTransaction(async (session) => {
          const highest = await reached({ session });
          await floors.deleteMany({}, { session });
          await floors.insertOne({ _id: storeFloorId, position: highest }, { session });
          await checkpoints.deleteMany({}, { session });
          await meta.replaceOne({ _id: clearingId }, {}, { session, upsert: true });
        });
        commits.forget();
        await removeDocuments();
      }),

    close: () => {
      closing ??= (async () => {
        listeners.clear();
        await Promise.allSettled([watch.stop(), ...running]);
        await client.close();
      })();
      return closing;
    },
  };
};

/**
 * Connects, makes collections and indexes where they are absent, and finishes a clearing that was cut off. Throws `ReadStoreUnavailable`
 * when the server is away, and an Error naming server and cause when the URL, the credentials, the kind of server, an index or the
 * version of what is stored is wrong.
 */
export const mongoReadStore = async (options: MongoReadStoreOptions): Promise<MongoReadStore> => {
  checkDeclaration(options.declared);
  const connection = await connectMongo(options.url);
  try {
    return await openStore(connection, options);
  } catch (error) {
    await connection.client.close().catch(() => undefined);
    throw readStoreError(connection.where, error);
  }
};

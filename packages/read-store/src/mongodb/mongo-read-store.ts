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
  checkWalk,
  compareTexts,
  lookupsFor,
  walksFor,
  needsReset,
  noFloor,
  scopePlaces,
} from '../documents.ts';
import { pokes } from '../pokes.ts';
import {
  type Changes,
  type Checkpoint,
  type Commit,
  CorruptDocument,
  type DeclaredFields,
  type NextGeneration,
  type Position,
  type ReadDocument,
  type ReadStore,
  ReadStoreUnavailable,
  type ScannedDocument,
} from '../read-store.ts';
import { checkpointWatch, type WatchLog } from './checkpoint-watch.ts';
import { collectionName, generationEnd, isPrivate, ownCollections, privatePrefix } from './collections.ts';
import { type Committing, committing } from './committing.ts';
import type { MongoConnection } from '@zakup/mongodb/connection';
import { connectReadStore } from './connection.ts';
import { codeOf, duplicateKey, isCut, isLostRead, namespaceExists } from '@zakup/mongodb/errors';
import { readStoreError } from './errors.ts';
import { ensureIndexes, indexesFor, privateIndexesFor } from './indexes.ts';
import { filterOf, sortOf, walkFilterOf } from './query-filter.ts';
import {
  clearingId,
  documentOf,
  firstGeneration,
  generationsId,
  type StoredCheckpoint,
  type StoredDocument,
  type StoredFloor,
  type StoredGenerations,
  type StoredMeta,
  type StoredNotice,
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

/** The first schema knew one content; a store is of the second from when another one has taken its place. */
const [firstSchema, schemaVersion] = [1, 2] as const;
/** Milliseconds that a content is kept for reads that began before another one took its place. */
const readsEnd = 60_000;
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
      await meta.insertOne({ _id: schemaId, version: firstSchema });
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
  const notices = database.collection<StoredNotice>(ownCollections.notices);
  const isShared = (kind: string): boolean => Object.hasOwn(declared, kind) && walksFor(declared, kind).length === 0;
  const sharedKinds = Object.keys(declared).filter(isShared);

  const known = new Map<string, Collection<StoredDocument>>();
  const documents = (kind: string, generation: number): Collection<StoredDocument> => {
    const name = collectionName(kind, isShared(kind), generation);
    const found = known.get(name);
    if (found !== undefined) return found;
    const collection = database.collection<StoredDocument>(name);
    known.set(name, collection);
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

  const storedGenerations = async (reading: FindOptions = {}): Promise<StoredGenerations> =>
    (await meta.findOne({ _id: generationsId }, reading))?.generations ?? firstGeneration;
  const writeGenerations = async (session: ClientSession, generations: StoredGenerations): Promise<void> => {
    await meta.replaceOne({ _id: generationsId }, { generations }, { session, upsert: true });
  };

  const collectionNames = async (type: 'collection' | 'view' = 'collection'): Promise<readonly string[]> =>
    (await database.listCollections({ type }, { nameOnly: true }).toArray()).map(({ name }) => name);
  const privateNames = async (generation: number): Promise<readonly string[]> =>
    (await collectionNames()).filter((name) => isPrivate(name, generation));

  const removeDocuments = async (): Promise<void> => {
    const { number } = (await storedGenerations()).active;
    for (const kind of sharedKinds) await removeAll(documents(kind, number));
    for (const name of await privateNames(number)) await removeAll({ collectionName: name });
    await meta.deleteOne({ _id: clearingId });
  };

  const ensureCollection = async (name: string): Promise<void> => {
    await database.createCollection(name).catch((error: unknown) => {
      if (codeOf(error) !== namespaceExists) throw error;
    });
  };

  /** Names of private collections that are there, with their index: each before its first transaction. */
  const made = new Set<string>();
  const ensurePrivate = async (name: string): Promise<void> => {
    if (made.has(name)) return;
    const kind = name.slice(privatePrefix.length).split('.', 1)[0] ?? '';
    await ensureIndexes(where, database.collection<StoredDocument>(name), privateIndexesFor(walksFor(declared, kind)));
    made.add(name);
  };
  const ensureContent = async (generation: number): Promise<void> => {
    await Promise.all(
      sharedKinds.map((kind) =>
        ensureIndexes(where, documents(kind, generation), indexesFor(lookupsFor(declared, kind))),
      ),
    );
    for (const name of await privateNames(generation)) await ensurePrivate(name);
  };

  /** Under the plain names people find what is read now: the first content itself, later a view of the active one. */
  const ensureViews = async (): Promise<void> => {
    const { number } = (await storedGenerations()).active;
    if (number === 0) return;
    const listed = await database.listCollections().toArray();
    for (const kind of sharedKinds) {
      const [name, source] = [collectionName(kind, true), collectionName(kind, true, number)];
      const there = listed.find((one) => one.name === name);
      if (there?.type === 'collection') continue;
      if (there !== undefined) {
        const { viewOn } = (there as { readonly options?: { readonly viewOn?: string } }).options ?? {};
        if (viewOn === source) continue;
        await database.dropCollection(name);
      }
      await database.createCollection(name, { viewOn: source, pipeline: [] }).catch((error: unknown) => {
        if (codeOf(error) !== namespaceExists) throw error;
      });
    }
  };

  /** Number of the content that was the active one when this process last looked. */
  let seen = 0;
  const look = async (reading: FindOptions = {}): Promise<number> => {
    seen = (await storedGenerations(reading)).active.number;
    return seen;
  };

  const ensureAll = async (): Promise<void> => {
    await ensureSchema(where, meta);
    // Not left to the first transactions: several that make the same collection get into each other's way.
    for (const name of [ownCollections.checkpoints, ownCollections.floors]) await ensureCollection(name);
    if ((await meta.findOne({ _id: clearingId })) !== null) await removeDocuments();
    made.clear();
    await ensureContent(await look());
    await ensureViews();
  };
  await ensureAll();

  const listeners = pokes();
  const watch = checkpointWatch({ checkpoints, send: listeners.send, log });
  const writing = { client, where, documents, patience: commitPatience, elapsed, now, newId, random };
  const activeCommits = committing({
    ...writing,
    generation: (session) => look({ session }),
    floors,
    checkpoints,
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

  /** A content as a part of the store shows it. */
  interface Shown {
    /** Its number now. */
    readonly number: (options?: FindOptions) => Promise<number>;
    /** Its number as far as this process knows. */
    readonly known: () => number;
    readonly checkpoints: Collection<StoredCheckpoint>;
    readonly commits: Committing;
    readonly committed: (checkpoint: Parameters<typeof watch.committed>[0]) => void;
  }

  const changes = async (shown: Shown, session: ClientSession, gap: Gap): Promise<Changes> => {
    const { licenceId, scope, since, partition } = gap;
    const checkpoint = await shown.checkpoints.findOne({ _id: partition }, within(session));
    const position = checkpoint?.position ?? 0;
    const number = checkpoint === null ? await shown.number(within(session)) : (checkpoint.generation ?? 0);
    const ids = [storeFloorId, scopeFloorId(licenceId, scope)];
    const raised = await floors.find({ _id: { $in: ids } }, within(session)).toArray();
    const floor = raised.reduce((highest, one) => Math.max(highest, one.position), noFloor);
    const reset = since !== undefined && needsReset(since, position, floor);
    const after = since === undefined || reset ? null : since;
    const filter = after === null ? presentIn(licenceId, scope) : changedIn(licenceId, scope, after);
    const make = changeOf(scope, after ?? noFloor);
    const found = await Promise.all(
      sharedKinds.map((kind) => read(kind, documents(kind, number).find(filter, within(session)), make)),
    );
    const docs = found.flat().filter((change) => change !== null);
    return { docs: docs.sort(byPositionKindAndId), position, reset };
  };

  const prepareKinds = async ({ docs }: Commit, generation: number): Promise<void> => {
    for (const { kind, id, scopes, left } of docs) {
      if (isShared(kind)) continue;
      if (scopes.length + left.length > 0) {
        throw new Error(`Document ${kind}/${id} is in scopes, but kind ${kind} was not declared`);
      }
      await ensurePrivate(collectionName(kind, false, generation));
    }
  };

  const toScanned = (kind: string, stored: StoredDocument): ScannedDocument => {
    const { _id: id } = stored;
    try {
      return { kind, id, doc: documentOf(where, kind, stored) };
    } catch (error) {
      if (error instanceof CorruptDocument) return { kind, id, doc: null };
      throw error;
    }
  };

  /** A read of one moment outside a session: when another content has taken the place meanwhile, it is made again. */
  const ofOneContent = async <Result>(shown: Shown, work: (number: number) => Promise<Result>): Promise<Result> => {
    for (;;) {
      const number = shown.known();
      const [result, current] = await Promise.all([work(number), shown.number()]);
      if (current === number) return result;
    }
  };

  const showing = (shown: Shown) => ({
    get: (kind: string, id: string) =>
      answer(() =>
        ofOneContent(shown, async (number) => {
          const stored = await documents(kind, number).findOne({ _id: id });
          return stored === null ? null : documentOf(where, kind, stored);
        }),
      ),

    getMany: (kind: string, ids: readonly string[]) =>
      answer(async () => {
        if (ids.length === 0) return [];
        return ofOneContent(shown, async (number) => {
          const cursor = documents(kind, number).find({ _id: { $in: [...new Set(ids)] } }, { batchSize: slice });
          const found = new Map((await read(kind, cursor, (doc) => doc)).map((doc) => [doc.id, doc]));
          return ids.map((id) => found.get(id)).filter((doc) => doc !== undefined);
        });
      }),

    query: async (kind: string, query: Parameters<ReadStore['query']>[1]) => {
      checkQuery(declared, kind, query);
      const { offset = 0, limit } = query;
      const filter = filterOf(query);
      return answer(() =>
        inSnapshot(async (session) => {
          const collection = documents(kind, await shown.number(within(session)));
          const page = { ...within(session), sort: sortOf(query), skip: offset, limit: limit ?? 0 };
          const docs = limit === 0 ? [] : await read(kind, collection.find(filter, page), (doc) => doc);
          const last = docs.length < (limit ?? Number.POSITIVE_INFINITY) && (docs.length > 0 || offset === 0);
          const { batchSize: _, ...reading } = within(session);
          const total = last ? offset + docs.length : await collection.countDocuments(filter, reading);
          return { docs, total };
        }),
      );
    },

    readEach: async (...[kind, query, take]: Parameters<ReadStore['readEach']>) => {
      checkQuery(declared, kind, query);
      let isBegun = false;
      return answer(() =>
        inSnapshot(async (session) => {
          // What was taken can not be taken back, so a snapshot that is lost then is not begun again.
          if (isBegun) throw new ReadStoreUnavailable(`${where}: the snapshot in which each ${kind} was read is gone`);
          let docs: ReadDocument[] = [];
          const collection = documents(kind, await shown.number(within(session)));
          for await (const stored of collection.find(filterOf(query), within(session))) {
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

    scan: (...[licenceId, { after, limit }]: Parameters<ReadStore['scan']>) =>
      answer(() =>
        ofOneContent(shown, async (number) => {
          const end = generationEnd(number).length;
          const hidden = (await privateNames(number)).map((name) =>
            name.slice(privatePrefix.length, name.length - end),
          );
          const found: ScannedDocument[] = [];
          for (const kind of [...sharedKinds, ...hidden].toSorted(compareTexts)) {
            if (found.length >= limit) break;
            const order = after === undefined ? 1 : compareTexts(kind, after.kind);
            if (order < 0) continue;
            const rest = after !== undefined && order === 0 ? { _id: { $gt: after.id } } : {};
            const page = documents(kind, number).find(
              { licenceId, ...rest, deleted: false },
              { sort: { _id: 1 }, limit: limit - found.length },
            );
            found.push(...(await page.toArray()).map((stored) => toScanned(kind, stored)));
          }
          return found;
        }),
      ),

    walk: async (...[kind, walk]: Parameters<ReadStore['walk']>) => {
      checkWalk(declared, kind, walk);
      const { limit, direction } = walk;
      return answer(async () => {
        if (limit === 0) return [];
        return ofOneContent(shown, (number) => {
          const page = { sort: { _id: direction === 'asc' ? 1 : -1 }, limit, batchSize: slice } as const;
          return read(kind, documents(kind, number).find(walkFilterOf(walk), page), (doc) => doc);
        });
      });
    },

    commit: async (commit: Commit) => {
      checkCommit(declared, commit);
      return answer(async () => {
        await prepareKinds(commit, shown.known());
        const outcome = await shown.commits.commit(commit);
        if (outcome.kind === 'gone') {
          const { stored, left } = outcome;
          // Whatever took the checkpoint may have taken collections and indexes with it.
          await ensureAll();
          throw new ReadStoreUnavailable(
            `${where}: checkpoint ${commit.checkpoint.partition} was left at ${left} and is at ${stored}`,
          );
        }
        if (outcome.kind !== 'committed') return outcome;
        shown.committed(outcome.checkpoint);
        return { kind: 'committed' } as const;
      });
    },

    checkpoint: (partition: string) =>
      answer(async (): Promise<Checkpoint | null> => {
        const stored = await shown.checkpoints.findOne({ _id: partition });
        return stored === null ? null : { partition, position: stored.position, fence: stored.fence };
      }),

    changesSince: (gap: Gap) => answer(() => inSnapshot((session) => changes(shown, session, gap))),
  });

  /** Whoever builds beside the active content writes this collection, which nobody watches. */
  const checkpointsOf = (generation: number): Collection<StoredCheckpoint> =>
    database.collection<StoredCheckpoint>(`${ownCollections.checkpoints}${generationEnd(generation)}`);

  const takePlace = (generation: number, fence: number): ReturnType<NextGeneration['takePlace']> =>
    answer(async () => {
      const built = checkpointsOf(generation);
      const taken = await inTransaction(async (session) => {
        const { active, next, former, last } = await storedGenerations({ session });
        if (next?.number !== generation) throw new Error(`${where}: generation ${generation} is no longer built`);
        const [before, after] = [
          await checkpoints.find({}, { session }).toArray(),
          await built.find({}, { session }).toArray(),
        ];
        const most = Math.max(fence, ...[...before, ...after].map((one) => one.fence));
        if (most > fence) return { kind: 'lost_lease', fence: most } as const;
        const highest = after.reduce((up, one) => Math.max(up, one.position), await reached({ session }));
        await floors.deleteMany({}, { session });
        await floors.insertOne({ _id: storeFloorId, position: highest }, { session });
        const since = now();
        const placed = after.map((one) => ({ ...one, commit: newId(), updatedAt: new Date(since), generation }));
        await checkpoints.deleteMany({ _id: { $nin: placed.map(({ _id }) => _id) } }, { session });
        for (const { _id, ...rest } of placed) await checkpoints.replaceOne({ _id }, rest, { session, upsert: true });
        await built.deleteMany({}, { session });
        await writeGenerations(session, {
          active: next,
          next: null,
          former: [...former, { number: active.number, since }],
          last,
        });
        await meta.updateOne({ _id: schemaId }, { $max: { version: schemaVersion } }, { session, upsert: true });
        return { kind: 'committed', placed } as const;
      });
      if (taken.kind === 'lost_lease') return taken;
      seen = generation;
      activeCommits.forget();
      for (const one of taken.placed) watch.committed(one);
      await ensureViews();
      return { kind: 'committed' };
    });

  const dropGeneration = async (number: number): Promise<void> => {
    const names = new Set(sharedKinds.map((kind) => collectionName(kind, true, number)));
    if (number > 0) names.add(checkpointsOf(number).collectionName);
    for (const name of await collectionNames())
      if (names.has(name) || isPrivate(name, number)) await database.dropCollection(name);
    await inTransaction(async (session) => {
      const stored = await storedGenerations({ session });
      await writeGenerations(session, { ...stored, former: stored.former.filter((one) => one.number !== number) });
    });
  };

  const active: Shown = {
    number: look,
    known: () => seen,
    checkpoints,
    commits: activeCommits,
    committed: (checkpoint) => watch.committed(checkpoint),
  };

  const generations: Pick<ReadStore, 'generations' | 'noteVersion' | 'beginNext' | 'dropNext' | 'removeFormer'> = {
    generations: () =>
      answer(async () => {
        const stored = await storedGenerations();
        return { active: stored.active, next: stored.next };
      }),

    noteVersion: (version) =>
      answer(() =>
        inTransaction(async (session) => {
          const stored = await storedGenerations({ session });
          if (stored.active.version !== null) return;
          await writeGenerations(session, { ...stored, active: { ...stored.active, version } });
        }),
      ),

    beginNext: (version) =>
      answer(async () => {
        const generation = await inTransaction(async (session) => {
          const stored = await storedGenerations({ session });
          const { next, former, last } = stored;
          if (next?.version === version) return next;
          const begun = { number: last + 1, version };
          // Nobody has ever read what is given up.
          const givenUp = next === null ? [] : [{ number: next.number, since: 0 }];
          await writeGenerations(session, { ...stored, next: begun, former: [...former, ...givenUp], last: last + 1 });
          return begun;
        });
        const { number } = generation;
        const built = checkpointsOf(number);
        await ensureCollection(built.collectionName);
        await ensureContent(number);
        const commits = committing({ ...writing, generation: async () => number, floors: null, checkpoints: built });
        return {
          ...store,
          ...showing({
            number: async () => number,
            known: () => number,
            checkpoints: built,
            commits,
            committed: () => undefined,
          }),
          generation,
          onPoke: () => () => undefined,
          clear: () =>
            answer(async () => {
              await built.deleteMany({});
              for (const kind of sharedKinds) await documents(kind, number).deleteMany({});
              for (const name of await privateNames(number)) await database.collection(name).deleteMany({});
              commits.forget();
            }),
          close: async () => undefined,
          takePlace: (fence: number) => takePlace(number, fence),
        };
      }),

    dropNext: () =>
      answer(() =>
        inTransaction(async (session) => {
          const stored = await storedGenerations({ session });
          if (stored.next === null) return;
          const givenUp = { number: stored.next.number, since: 0 };
          await writeGenerations(session, { ...stored, next: null, former: [...stored.former, givenUp] });
        }),
      ),

    removeFormer: () =>
      answer(async () => {
        const { former } = await storedGenerations();
        const due = former.filter(({ since }) => since <= now() - readsEnd);
        for (const { number } of due) await dropGeneration(number);
        if (due.length > 0) await ensureViews();
        return due.length === former.length;
      }),
  };

  const store: MongoReadStore = {
    ...showing(active),
    ...generations,

    notice: (name) => answer(async () => (await notices.findOne({ _id: name }))?.data ?? null),

    note: (name, data) =>
      answer(async () => {
        await notices.replaceOne({ _id: name }, { data }, { upsert: true });
      }),

    reached: () => answer(() => reached()),

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
        activeCommits.forget();
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
  return store;
};

/**
 * Connects, makes collections and indexes where they are absent, and finishes a clearing that was cut off. Throws `ReadStoreUnavailable`
 * when the server is away, and an Error naming server and cause when the URL, the credentials, the kind of server, an index or the
 * version of what is stored is wrong.
 */
export const mongoReadStore = async (options: MongoReadStoreOptions): Promise<MongoReadStore> => {
  checkDeclaration(options.declared);
  const connection = await connectReadStore(options.url);
  try {
    return await openStore(connection, options);
  } catch (error) {
    await connection.client.close().catch(() => undefined);
    throw readStoreError(connection.where, error);
  }
};

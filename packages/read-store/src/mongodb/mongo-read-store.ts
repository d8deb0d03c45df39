/**
 * The ReadStore in MongoDB, for processes that share one. Everything in it can be folded again from the log.
 */
import { randomUUID } from 'node:crypto';
import type { MongoConnection } from '@zakup/mongodb/connection';
import { checkDeclaration } from '../documents.ts';
import { commitSignals } from '../commit-signals.ts';
import type { DeclaredFields, Position, ReadStore } from '../read-store.ts';
import { whileOpen } from './open-store.ts';
import { checkpointWatch, type WatchLog } from './checkpoint-watch.ts';
import { clearing } from './clearing.ts';
import { ownCollections } from './collections.ts';
import { committing } from './committing.ts';
import { connectReadStore } from './connection.ts';
import { ensureStored } from './ensure-stored.ts';
import { generationCollections } from './generation-collections.ts';
import { readStoreError } from './errors.ts';
import { resyncBounds } from './resync-bounds.ts';
import { generations } from './generations.ts';
import { noticesIn } from './notices.ts';
import { plainNames } from './plain-names.ts';
import { generationReader } from './generation-reader.ts';
import type { ActiveGeneration } from './active-generation.ts';
import type { StoredCheckpoint, StoredFloor, StoredMeta, StoredNotice } from './stored.ts';
import { generationsRecord } from './stored-generations.ts';

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

const elapsed = (): number => performance.now();

/** The store on a connection that it ends itself. */
const openStore = async (
  { client, database, where }: MongoConnection,
  options: MongoReadStoreOptions,
): Promise<MongoReadStore> => {
  const { declared, log, commitPatience = 10_000, now = Date.now, newId = randomUUID, random = Math.random } = options;
  const checkpoints = database.collection<StoredCheckpoint>(ownCollections.checkpoints);
  const raised = database.collection<StoredFloor>(ownCollections.floors);
  const meta = database.collection<StoredMeta>(ownCollections.meta);
  const record = generationsRecord(meta);
  const floors = resyncBounds(raised, checkpoints);
  const contents = generationCollections({ database, where, declared });
  const names = plainNames({
    database,
    record,
    kinds: contents.sharedKinds,
    patience: commitPatience,
    elapsed,
    random,
  });
  const cleared = clearing({ client, database, meta, checkpoints, floors, record, contents });

  const ensureAll = (): Promise<void> => ensureStored({ where, meta, record, contents, names, cleared });
  await ensureAll();

  const listeners = commitSignals();
  const watch = checkpointWatch({ checkpoints, send: listeners.send, log });
  const { answer, isClosed, close } = whileOpen(where);
  const writing = {
    client,
    where,
    documents: contents.documents,
    patience: commitPatience,
    elapsed,
    now,
    newId,
    random,
  };
  const active: ActiveGeneration = {
    number: record.look,
    known: record.known,
    checkpoints,
    commits: committing({
      ...writing,
      generation: async (session) => (await record.hold(session)).active.number,
      floors: raised,
      checkpoints,
    }),
    committed: (checkpoint) => watch.committed(checkpoint),
  };
  const show = (shown: ActiveGeneration) =>
    generationReader({ client, where, declared, contents, floors, answer, ensureAll }, shown);

  return {
    ...show(active),

    ...generations({
      writing,
      meta,
      floors,
      record,
      contents,
      names,
      log,
      answer,
      active,
      show,
      notices: noticesIn(database.collection<StoredNotice>(ownCollections.notices), answer),
    }),

    reached: () => answer(() => floors.reached()),

    onCommit: (listener) => {
      if (!isClosed()) watch.start();
      return listeners.add(listener);
    },

    clear: () =>
      answer(async () => {
        await cleared.begin();
        active.commits.forget();
        await cleared.finish();
      }),

    close: () =>
      close(async (running) => {
        listeners.clear();
        await Promise.allSettled([watch.stop(), ...running]);
        await client.close();
      }),
  };
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

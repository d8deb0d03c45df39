import { BSON } from 'bson';
import { type Call, type Command, docOf, docsOf, textOf, unblocked } from './context.ts';
import type { Doc } from './documents.ts';
import type { IndexSpec } from './indexes.ts';
import { matcher } from './matcher.ts';
import { listing } from './read-commands.ts';
import { ServerError } from './server-error.ts';
import type { Collection } from './versions.ts';

const existing = ({ store, db }: Call, name: string): Collection => {
  const collection = store.collection(db, name);
  if (collection === undefined) throw new ServerError('NamespaceNotFound', `ns does not exist: ${db}.${name}`);
  return collection;
};

const textForm = (value: unknown): string => BSON.EJSON.stringify(value ?? null);

/** Options that make an index another one. */
const optionsOf = ({ unique, sparse, partialFilterExpression }: IndexSpec): string =>
  textForm([unique === true, sparse === true, partialFilterExpression]);

/** Whether an index like that is there; throws when one that it cannot live beside is. */
const isThere = (collection: Collection, spec: IndexSpec): boolean => {
  for (const { spec: other } of collection.indexes) {
    const isSameKey = textForm(other.key) === textForm(spec.key);
    const isSameName = other.name === spec.name;
    if (isSameName && !isSameKey) {
      throw new ServerError(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index. Name: ${spec.name}`,
      );
    }
    if (!isSameKey) continue;
    if (isSameName && optionsOf(other) === optionsOf(spec)) return true;
    if (isSameName) {
      throw new ServerError(
        'IndexKeySpecsConflict',
        `An equivalent index already exists with the same name but different options. Name: ${spec.name}`,
      );
    }
    if (optionsOf(other) === optionsOf(spec)) {
      throw new ServerError('IndexOptionsConflict', `Index already exists with a different name: ${other.name}`);
    }
  }
  return false;
};

const createIndexes: Command = (call) => {
  const { store, db, body } = call;
  const specs = (docsOf(body, 'indexes') as readonly IndexSpec[]).map((spec): IndexSpec => ({ v: 2, ...spec }));
  for (const { key, name } of specs) {
    const isKnown = Object.values(key).every((way) => way === 1 || way === -1);
    if (!isKnown || typeof name !== 'string') {
      throw new ServerError(
        'CannotCreateIndex',
        `Only ascending and descending indexes are known here: ${textForm(key)}`,
      );
    }
  }
  return unblocked(call, () => {
    const collection = store.create(db, textOf(body, 'createIndexes'));
    const before = collection.indexes.length;
    for (const spec of specs) if (!isThere(collection, spec)) store.createIndex(collection, spec);
    return { body: { numIndexesBefore: before, numIndexesAfter: collection.indexes.length, ok: 1 } };
  });
};

const listIndexes: Command = (call) => {
  const name = textOf(call.body, 'listIndexes');
  const collection = existing(call, name);
  return listing(
    call,
    `${call.db}.${name}`,
    collection.indexes.map(({ spec }) => ({ ...spec })),
  );
};

const dropIndexes: Command = (call) => {
  const collection = existing(call, textOf(call.body, 'dropIndexes'));
  const wanted = call.body['index'];
  return unblocked(call, () => {
    const before = collection.indexes.length;
    const names =
      wanted === '*'
        ? collection.indexes.slice(1).map(({ spec }) => spec.name)
        : [wanted].flat().map((name: unknown) => String(name));
    for (const name of names) {
      if (name === '_id_') throw new ServerError('InvalidOptions', 'cannot drop _id index');
      if (!collection.indexes.some(({ spec }) => spec.name === name)) {
        throw new ServerError('IndexNotFound', `index not found with name [${name}]`);
      }
    }
    for (const name of names) call.store.dropIndex(collection, name);
    return { body: { nIndexesWas: before, ok: 1 } };
  });
};

const create: Command = ({ store, db, body }) => {
  const name = textOf(body, 'create');
  if (store.collection(db, name) !== undefined) {
    throw new ServerError('NamespaceExists', `Collection ${db}.${name} already exists.`);
  }
  for (const option of ['capped', 'timeseries', 'validator', 'collation']) {
    if (body[option] !== undefined) throw new ServerError('InvalidOptions', `${option} is not known here`);
  }
  const { viewOn, pipeline } = body;
  if (Array.isArray(pipeline) && pipeline.length > 0) {
    throw new ServerError('InvalidOptions', 'a view with a pipeline is not known here');
  }
  store.create(db, name, typeof viewOn === 'string' ? { viewOn, pipeline: [] } : {});
  return { body: { ok: 1 } };
};

const drop: Command = (call) => {
  const name = textOf(call.body, 'drop');
  const collection = call.store.collection(call.db, name);
  if (collection === undefined) return { body: { ok: 1 } };
  return unblocked(call, () => {
    call.store.drop(collection);
    return { body: { nIndexesWas: collection.indexes.length, ns: `${call.db}.${name}`, ok: 1 } };
  });
};

const dropDatabase: Command = (call) =>
  unblocked(call, () => {
    call.store.dropDatabase(call.db);
    return { body: { dropped: call.db, ok: 1 } };
  });

const listCollections: Command = (call) => {
  const test = matcher(docOf(call.body['filter']));
  const isShort = call.body['nameOnly'] === true;
  const docs = call.store
    .collections(call.db)
    .map(({ name, options }): Doc => {
      const isView = options['viewOn'] !== undefined;
      return { name, type: isView ? 'view' : 'collection', options, info: { readOnly: isView } };
    })
    .filter((doc) => test(doc))
    .map((doc) => (isShort ? { name: doc['name'], type: doc['type'] } : doc));
  return listing(call, `${call.db}.$cmd.listCollections`, docs);
};

export const schemaCommands = {
  createIndexes,
  listIndexes,
  dropIndexes,
  create,
  drop,
  dropDatabase,
  listCollections,
} as const;

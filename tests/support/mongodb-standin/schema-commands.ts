import { BSON } from 'bson';
import { type Call, type Command, docOf, docsOf, textOf, unblocked } from './context.ts';
import type { Doc } from './documents.ts';
import type { IndexSpec } from './indexes.ts';
import { matcher } from './matcher.ts';
import { listing } from './read-commands.ts';
import { ServerError } from './server-error.ts';
import type { Collection } from './versions.ts';

const existing = (call: Call, name: string): Collection => {
  const { store, db } = call;
  const collection = store.collection(db, name);
  if (collection === undefined) throw new ServerError('NamespaceNotFound', `ns does not exist: ${db}.${name}`);
  return collection;
};

const isView = (collection: Collection | undefined): boolean => collection?.options['viewOn'] !== undefined;

const refuseView = ({ store, db }: Call, name: string): void => {
  if (isView(store.collection(db, name))) {
    throw new ServerError('CommandNotSupportedOnView', `Namespace ${db}.${name} is a view, not a collection`);
  }
};

/** Database and collection of a namespace; only the latter may have dots. */
const partsOf = (namespace: string): readonly [string, string] => {
  const dot = namespace.indexOf('.');
  if (dot < 1 || dot === namespace.length - 1) {
    throw new ServerError('InvalidNamespace', `Invalid namespace specified '${namespace}'`);
  }
  return [namespace.slice(0, dot), namespace.slice(dot + 1)];
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
  const name = textOf(body, 'createIndexes');
  return unblocked(call, () => {
    refuseView(call, name);
    const collection = store.create(db, name);
    const before = collection.indexes.length;
    for (const spec of specs) if (!isThere(collection, spec)) store.createIndex(collection, spec);
    return { body: { numIndexesBefore: before, numIndexesAfter: collection.indexes.length, ok: 1 } };
  });
};

const listIndexes: Command = (call) => {
  const name = textOf(call.body, 'listIndexes');
  refuseView(call, name);
  const collection = existing(call, name);
  return listing(
    call,
    `${call.db}.${name}`,
    collection.indexes.map(({ spec }) => ({ ...spec })),
  );
};

const dropIndexes: Command = (call) => {
  const name = textOf(call.body, 'dropIndexes');
  refuseView(call, name);
  const collection = existing(call, name);
  const wanted = call.body['index'];
  return unblocked(call, () => {
    const before = collection.indexes.length;
    const names =
      wanted === '*'
        ? collection.indexes.slice(1).map(({ spec }) => spec.name)
        : [wanted].flat().map((one: unknown) => String(one));
    for (const one of names) {
      if (one === '_id_') throw new ServerError('InvalidOptions', 'cannot drop _id index');
      if (!collection.indexes.some(({ spec }) => spec.name === one)) {
        throw new ServerError('IndexNotFound', `index not found with name [${one}]`);
      }
    }
    for (const one of names) call.store.dropIndex(collection, one);
    return { body: { nIndexesWas: before, ok: 1 } };
  });
};

/** What a view looks at. */
const viewOf = ({ db, body }: Call, name: string): Doc => {
  const { viewOn, pipeline = [] } = body;
  if (typeof viewOn !== 'string' || viewOn === '') throw new ServerError('BadValue', "'viewOn' cannot be empty");
  if (!Array.isArray(pipeline) || pipeline.length > 0) {
    throw new ServerError('InvalidOptions', 'a view with a pipeline is not known here');
  }
  if (viewOn === name) {
    throw new ServerError('GraphContainsCycle', `View cycle detected: ${db}.${name} => ${db}.${name} => ${db}.${name}`);
  }
  return { viewOn, pipeline: [] };
};

const create: Command = (call) => {
  const { store, db, body } = call;
  const name = textOf(body, 'create');
  for (const option of ['capped', 'timeseries', 'validator', 'collation']) {
    if (body[option] !== undefined) throw new ServerError('InvalidOptions', `${option} is not known here`);
  }
  if (body['viewOn'] === undefined && body['pipeline'] !== undefined) {
    throw new ServerError('InvalidOptions', "'pipeline' requires 'viewOn' to also be specified");
  }
  const options = body['viewOn'] === undefined ? {} : viewOf(call, name);
  const known = store.collection(db, name);
  if (known === undefined) store.create(db, name, options);
  else if (textForm(known.options) !== textForm(options)) {
    const shown = textForm(known.options);
    throw new ServerError(
      'NamespaceExists',
      `namespace ${db}.${name} already exists, but with different options: ${shown}`,
    );
  }
  return { body: { ok: 1 } };
};

const collMod: Command = (call) => {
  const { store, db, body } = call;
  const name = textOf(body, 'collMod');
  const collection = store.collection(db, name);
  if (collection === undefined) throw new ServerError('NamespaceNotFound', 'ns does not exist');
  const asked = ['pipeline', 'viewOn'].filter((option) => body[option] !== undefined);
  if (!isView(collection) && asked[0] !== undefined) {
    throw new ServerError('InvalidOptions', `option only supported on a view: ${asked[0]}`);
  }
  // As with credentials, without which nobody should run a server.
  if (asked.length !== 2) {
    throw new ServerError('InvalidOptions', "Must specify both 'viewOn' and 'pipeline' when modifying a view");
  }
  store.setOptions(collection, viewOf(call, name));
  return { body: { ok: 1 } };
};

const renameCollection: Command = (call) => {
  const { store, body } = call;
  if (call.db !== 'admin') {
    throw new ServerError('Unauthorized', 'renameCollection may only be run against the admin database.');
  }
  const [from, to] = [textOf(body, 'renameCollection'), textOf(body, 'to')];
  const [[db, source], [toDb, target]] = [partsOf(from), partsOf(to)];
  if (db !== toDb) throw new ServerError('InvalidOptions', 'a renaming into another database is not known here');
  return unblocked(call, () => {
    const collection = store.collection(db, source);
    if (isView(collection)) throw new ServerError('CommandNotSupportedOnView', `cannot rename view: ${from}`);
    if (collection === undefined) {
      throw new ServerError('NamespaceNotFound', `Source collection ${from} does not exist`);
    }
    if (source === target) throw new ServerError('IllegalOperation', "Can't rename a collection to itself");
    const there = store.collection(db, target);
    if (isView(there)) throw new ServerError('NamespaceExists', `a view already exists with that name: ${to}`);
    if (there !== undefined && body['dropTarget'] !== true) {
      throw new ServerError('NamespaceExists', 'target namespace exists');
    }
    store.rename(collection, target);
    for (const name of [from, to]) call.cursors.killPlans(name, `collection renamed from '${from}' to '${to}'`);
    return { body: { ok: 1 } };
  });
};

const drop: Command = (call) => {
  const name = textOf(call.body, 'drop');
  const collection = call.store.collection(call.db, name);
  if (collection === undefined) return { body: { ok: 1 } };
  return unblocked(call, () => {
    const namespace = `${call.db}.${name}`;
    call.store.drop(collection);
    call.cursors.killPlans(namespace, `collection dropped: ${namespace}`);
    return {
      body: { ...(isView(collection) ? {} : { nIndexesWas: collection.indexes.length }), ns: namespace, ok: 1 },
    };
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
      const readOnly = options['viewOn'] !== undefined;
      return { name, type: readOnly ? 'view' : 'collection', options, info: { readOnly } };
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
  collMod,
  renameCollection,
  drop,
  dropDatabase,
  listCollections,
} as const;

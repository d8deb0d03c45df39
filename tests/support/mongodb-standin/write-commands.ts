import { type Call, type Command, docOf, docsOf, textOf, unblocked, viewOf } from './context.ts';
import type { Doc } from './documents.ts';
import { projected } from './pipeline.ts';
import { type Found, found, type Sort } from './query.ts';
import { ServerError } from './server-error.ts';
import { fixedBy, isReplacement, type Update, updated, withId } from './update-operators.ts';
import type { Collection } from './versions.ts';

interface Statement {
  readonly filter: Doc;
  readonly sort?: Sort;
  readonly update: Update;
  readonly isMany: boolean;
  readonly isUpsert: boolean;
  readonly variables: Doc;
}

interface Updated {
  readonly matched: number;
  readonly modified: number;
  readonly before: Doc | null;
  readonly after: Doc | null;
  readonly upserted: { readonly id: unknown } | null;
}

const matching = (
  call: Call,
  collection: Collection,
  filter: Doc,
  isMany: boolean,
  sort: Sort = {},
  variables: Doc = {},
): readonly Found[] => {
  const matches = found(collection, viewOf(call), { filter, sort, limit: isMany ? 0 : 1, variables });
  // All of them before any is written: a statement that must wait is done again from its beginning.
  if (call.transaction === null) call.store.ensureFree(matches);
  return matches;
};

const updateOf = (value: unknown): Update => docOf(value);

/** The collection that a write names: made when the write may put something into it. */
const target = ({ store, db }: Call, name: string, mayInsert: boolean): Collection | null => {
  const collection = mayInsert ? store.create(db, name) : (store.collection(db, name) ?? null);
  if (collection?.options['viewOn'] !== undefined) {
    throw new ServerError('CommandNotSupportedOnView', `Namespace ${db}.${name} is a view, not a collection`);
  }
  return collection;
};

const carriedOut = (call: Call, collection: Collection, statement: Statement): Updated => {
  const { store, transaction } = call;
  const { filter, update, isMany, isUpsert, sort, variables } = statement;
  const isWhole = isReplacement(update);
  if (isWhole && isMany) {
    throw new ServerError('FailedToParse', 'multi update is not supported for replacement-style update');
  }
  const matches = matching(call, collection, filter, isMany, sort, variables);
  let modified = 0;
  let [before, after]: [Doc | null, Doc | null] = [null, null];
  for (const { stored, doc } of matches) {
    before = doc;
    after = updated(doc, update, false, variables);
    if (after === doc) continue;
    store.write(collection, isWhole ? 'replace' : 'update', stored.id, after, transaction);
    modified += 1;
  }
  if (matches.length > 0 || !isUpsert) return { matched: matches.length, modified, before, after, upserted: null };
  const fixed = fixedBy(filter);
  const base = isWhole ? ('_id' in fixed ? { _id: fixed['_id'] } : {}) : fixed;
  const made = withId(updated(base, update, true, variables));
  store.write(collection, 'insert', made['_id'], made, transaction);
  return { matched: 0, modified: 0, before: null, after: made, upserted: { id: made['_id'] } };
};

/** Refusals of one statement, which others of the same command may survive. */
const statementErrors = new Set(['DuplicateKey', 'FailedToParse', 'BadValue', 'PathNotViable', 'ImmutableField']);

const inOrder = async <Item>(
  call: Call,
  items: readonly Item[],
  work: (item: Item, at: number) => void,
): Promise<readonly Doc[]> => {
  const errors: Doc[] = [];
  for (const [at, item] of items.entries()) {
    try {
      await unblocked(call, () => work(item, at));
    } catch (error) {
      if (!(error instanceof ServerError) || !statementErrors.has(error.codeName)) throw error;
      errors.push({ index: at, code: error.code, errmsg: error.message, ...error.details });
      if (call.body['ordered'] !== false || call.transaction !== null) break;
    }
  }
  return errors;
};

const replyOf = (body: Doc, errors: readonly Doc[]): { readonly body: Doc } => ({
  body: { ...body, ...(errors.length === 0 ? {} : { writeErrors: errors }), ok: 1 },
});

const insertDocuments: Command = async (call) => {
  const collection = target(call, textOf(call.body, 'insert'), true);
  if (collection === null) return { body: { n: 0, ok: 1 } };
  let n = 0;
  const errors = await inOrder(call, docsOf(call.body, 'documents'), (doc) => {
    const made = withId(doc);
    call.store.write(collection, 'insert', made['_id'], made, call.transaction);
    n += 1;
  });
  return replyOf({ n }, errors);
};

const updateDocuments: Command = async (call) => {
  const statements = docsOf(call.body, 'updates');
  const mayInsert = statements.some((statement) => statement['upsert'] === true);
  const collection = target(call, textOf(call.body, 'update'), mayInsert);
  if (collection === null) return { body: { n: 0, nModified: 0, ok: 1 } };
  let [n, nModified] = [0, 0];
  const upserted: Doc[] = [];
  const errors = await inOrder(call, statements, (statement, at) => {
    if (statement['arrayFilters'] !== undefined || statement['collation'] !== undefined) {
      throw new ServerError('FailedToParse', 'arrayFilters and collation are not known here');
    }
    const done = carriedOut(call, collection, {
      filter: docOf(statement['q']),
      update: updateOf(statement['u']),
      isMany: statement['multi'] === true,
      isUpsert: statement['upsert'] === true,
      variables: docOf(call.body['let']),
      sort: docOf(statement['sort']),
    });
    n += done.matched + (done.upserted === null ? 0 : 1);
    nModified += done.modified;
    if (done.upserted !== null) upserted.push({ index: at, _id: done.upserted.id });
  });
  return replyOf({ n, nModified, ...(upserted.length === 0 ? {} : { upserted }) }, errors);
};

const removeDocuments: Command = async (call) => {
  const collection = target(call, textOf(call.body, 'delete'), false);
  if (collection === null) return { body: { n: 0, ok: 1 } };
  let n = 0;
  const errors = await inOrder(call, docsOf(call.body, 'deletes'), (statement) => {
    const matches = matching(call, collection, docOf(statement['q']), Number(statement['limit']) !== 1);
    for (const { stored } of matches) call.store.write(collection, 'delete', stored.id, null, call.transaction);
    n += matches.length;
  });
  return replyOf({ n }, errors);
};

const findAndModify: Command = async (call) => {
  const { body } = call;
  const isUpsert = body['upsert'] === true;
  const collection = target(call, textOf(body, 'findAndModify'), isUpsert);
  if (collection === null) {
    return { body: { lastErrorObject: { n: 0, updatedExisting: false }, value: null, ok: 1 } };
  }
  const [filter, sort, variables] = [docOf(body['query']), docOf(body['sort']), docOf(body['let'])];
  const shown = (doc: Doc | null): Doc | null => (doc === null ? null : (projected([doc], body['fields'])[0] ?? null));
  return unblocked(call, () => {
    if (body['remove'] === true) {
      const [match] = matching(call, collection, filter, false, sort, variables);
      if (match === undefined) return { body: { lastErrorObject: { n: 0 }, value: null, ok: 1 } };
      call.store.write(collection, 'delete', match.stored.id, null, call.transaction);
      return { body: { lastErrorObject: { n: 1 }, value: shown(match.doc), ok: 1 } };
    }
    const update = updateOf(body['update']);
    const done = carriedOut(call, collection, { filter, sort, update, isMany: false, isUpsert, variables });
    const lastErrorObject = {
      n: done.matched + (done.upserted === null ? 0 : 1),
      updatedExisting: done.matched > 0,
      ...(done.upserted === null ? {} : { upserted: done.upserted.id }),
    };
    return { body: { lastErrorObject, value: shown(body['new'] === true ? done.after : done.before), ok: 1 } };
  });
};

export const writeCommands = {
  insert: insertDocuments,
  update: updateDocuments,
  delete: removeDocuments,
  findAndModify,
} as const;

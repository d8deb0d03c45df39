import { Aggregator } from 'mingo';
import { cloned, type Doc, isPlain } from './documents.ts';
import type { Variables } from './matcher.ts';
import { found, type Sort } from './query.ts';
import { ServerError } from './server-error.ts';
import type { Collection, View } from './versions.ts';

export interface Source {
  readonly view: View;
  collection(name: string): Collection | undefined;
}

/** Stages that mingo carries out by changing what it was given. */
const changesInput = new Set([
  '$set',
  '$addFields',
  '$unset',
  '$replaceRoot',
  '$replaceWith',
  '$project',
  '$lookup',
  '$unwind',
]);

const stageOf = (stage: Doc): readonly [name: string, value: unknown] => {
  const [entry, ...more] = Object.entries(stage);
  if (entry === undefined || more.length > 0) {
    throw new ServerError('FailedToParse', 'A pipeline stage specification object must contain exactly one field.');
  }
  return entry;
};

const all = (source: Source, name: string): Doc[] => {
  const collection = source.collection(name);
  return collection === undefined ? [] : found(collection, source.view, { filter: {} }).map(({ doc }) => doc);
};

const byMingo = (
  stages: readonly Doc[],
  docs: readonly Doc[],
  source: Source,
  variables: Variables,
): readonly Doc[] => {
  if (stages.length === 0) return docs;
  const input = stages.some((stage) => changesInput.has(stageOf(stage)[0]))
    ? docs.map((doc) => cloned(doc))
    : [...docs];
  try {
    return new Aggregator([...stages], {
      variables,
      collectionResolver: (name) => all(source, name).map((doc) => cloned(doc)),
    }).run<Doc>(input);
  } catch (error) {
    throw new ServerError('BadValue', error instanceof Error ? error.message : String(error));
  }
};

const isCount = (value: unknown): boolean => {
  if (!isPlain(value) || Object.keys(value).length !== 2) return false;
  const { _id: id, n } = value;
  return (id === 1 || id === null) && isPlain(n) && n['$sum'] === 1;
};

/** Leading `$match`, `$sort`, `$skip`, `$limit` go through indexes, the rest through mingo. `name` null = no collection is read. */
export const aggregated = (
  name: string | null,
  pipeline: readonly Doc[],
  source: Source,
  variables: Variables = {},
): readonly Doc[] => {
  const stages = [...pipeline];
  const filters: Doc[] = [];
  let sort: Sort | undefined;
  let skip: number | undefined;
  let limit: number | undefined;
  for (let next = stages[0]; next !== undefined; next = stages[0]) {
    const [stage, value] = stageOf(next);
    if (stage === '$match' && sort === undefined && skip === undefined && limit === undefined)
      filters.push(value as Doc);
    else if (stage === '$sort' && sort === undefined && skip === undefined && limit === undefined) sort = value as Sort;
    else if (stage === '$skip' && skip === undefined && limit === undefined) skip = Number(value);
    else if (stage === '$limit' && limit === undefined) limit = Number(value);
    else break;
    stages.shift();
  }
  const collection = name === null ? undefined : source.collection(name);
  const [first, ...others] = filters;
  let docs: readonly Doc[] =
    collection === undefined
      ? []
      : found(collection, source.view, {
          filter: first === undefined ? {} : others.length === 0 ? first : { $and: filters },
          ...(sort === undefined ? {} : { sort }),
          ...(skip === undefined ? {} : { skip }),
          ...(limit === undefined ? {} : { limit }),
          variables,
        }).map(({ doc }) => doc);
  let held: Doc[] = [];
  for (const stage of stages) {
    const [kind, value] = stageOf(stage);
    if (kind === '$unionWith') {
      docs = byMingo(held, docs, source, variables);
      held = [];
      const { coll, pipeline: inner = [] } =
        typeof value === 'string' ? { coll: value } : (value as { coll: string; pipeline?: readonly Doc[] });
      docs = [...docs, ...aggregated(coll, inner, source, variables)];
    } else if (held.length === 0 && kind === '$count' && typeof value === 'string') {
      docs = docs.length === 0 ? [] : [{ [value]: docs.length }];
    } else if (held.length === 0 && kind === '$group' && isCount(value)) {
      docs = docs.length === 0 ? [] : [{ _id: (value as Doc)['_id'], n: docs.length }];
    } else {
      held.push(stage);
    }
  }
  return byMingo(held, docs, source, variables);
};

/** Documents with only the members that are asked for. */
export const projected = (docs: readonly Doc[], projection: unknown): readonly Doc[] => {
  if (!isPlain(projection) || Object.keys(projection).length === 0) return docs;
  const entries = Object.entries(projection);
  const isPlainly = (way: unknown): boolean =>
    entries.every(
      ([path, value]) =>
        !path.includes('.') &&
        (Number(value) === (way === 1 ? 1 : 0) || path === '_id') &&
        ['number', 'boolean'].includes(typeof value),
    );
  if (isPlainly(1) && entries.some(([path, value]) => path !== '_id' || Number(value) === 1)) {
    const isIdWanted = projection['_id'] === undefined || Number(projection['_id']) === 1;
    return docs.map((doc) => {
      const kept: Doc = {};
      for (const [name, value] of Object.entries(doc)) {
        if (name === '_id' ? isIdWanted : name in projection) kept[name] = value;
      }
      return kept;
    });
  }
  if (isPlainly(0)) {
    return docs.map((doc) =>
      Object.fromEntries(
        Object.entries(doc).filter(([name]) => !(name in projection) || Number(projection[name]) === 1),
      ),
    );
  }
  return new Aggregator([{ $project: projection }], {}).run<Doc>(docs.map((doc) => cloned(doc)));
};

import { type Doc, isPlain, valuesAt } from './documents.ts';
import type { Index } from './indexes.ts';
import { matcher, type Variables } from './matcher.ts';
import { compareKeys, orderKey } from './order-key.ts';
import { type Collection, type Stored, type View, visible } from './versions.ts';

export type Sort = Readonly<Record<string, unknown>>;

export interface Find {
  readonly filter: Doc;
  readonly sort?: Sort;
  readonly skip?: number;
  /** 0 or absent = all. */
  readonly limit?: number;
  readonly variables?: Variables;
}

export interface Found {
  readonly stored: Stored;
  readonly doc: Doc;
}

const isScalar = (value: unknown): boolean =>
  !Array.isArray(value) && !(value instanceof RegExp) && value !== undefined;

interface Bounds {
  equal: readonly unknown[] | null;
  min: string | null;
  max: string | null;
}

/** What a filter says of single fields for certain. */
const boundsOf = (filter: Doc, into = new Map<string, Bounds>()): Map<string, Bounds> => {
  for (const [name, condition] of Object.entries(filter)) {
    if (name === '$and' && Array.isArray(condition))
      for (const part of condition as readonly Doc[]) boundsOf(part, into);
    if (name.startsWith('$')) continue;
    const bounds = into.get(name) ?? { equal: null, min: null, max: null };
    into.set(name, bounds);
    const operators =
      isPlain(condition) && Object.keys(condition).some((key) => key.startsWith('$')) ? condition : { $eq: condition };
    for (const [operator, wanted] of Object.entries(operators)) {
      if (operator === '$elemMatch' && isPlain(wanted)) {
        const inside = Object.entries(wanted).filter(([field]) => !field.startsWith('$'));
        boundsOf(Object.fromEntries(inside.map(([field, part]) => [`${name}.${field}`, part])), into);
      }
      if (operator === '$eq' && isScalar(wanted)) bounds.equal ??= [wanted];
      if (operator === '$in' && Array.isArray(wanted) && wanted.every((item) => isScalar(item)))
        bounds.equal ??= wanted;
      if ((operator === '$gt' || operator === '$gte') && isScalar(wanted)) bounds.min ??= orderKey(wanted);
      if ((operator === '$lt' || operator === '$lte') && isScalar(wanted)) bounds.max ??= orderKey(wanted);
    }
  }
  return into;
};

const above = (key: string): string => `${key}\u00ff`;
const typeOf = (key: string): string => key.slice(0, 1);
const nextType = (key: string): string => String.fromCharCode(key.charCodeAt(0) + 1);
const mostPrefixes = 20_000;

interface Plan {
  readonly index: Index;
  readonly ranges: readonly (readonly [from: string, to: string])[];
  readonly direction: 'forward' | 'backward';
  readonly isSorted: boolean;
  readonly score: number;
}

/** Whether what follows the fixed fields of the index is the order that is asked for. */
const directionFor = (
  rest: readonly string[],
  fixed: ReadonlySet<string>,
  sort: Sort,
): 'forward' | 'backward' | null => {
  const wanted = Object.entries(sort).filter(([field]) => !fixed.has(field));
  if (wanted.some(([field], at) => rest[at] !== field)) return null;
  if (wanted.every(([, way]) => Number(way) > 0)) return 'forward';
  return wanted.every(([, way]) => Number(way) < 0) ? 'backward' : null;
};

const planOf = (index: Index, bounds: ReadonlyMap<string, Bounds>, filter: Doc, sort: Sort): Plan | null => {
  if (index.spec.sparse === true) {
    const named = index.fields.some((field) => bounds.get(field)?.equal?.every((value) => value !== null) === true);
    if (!named) return null;
  }
  for (const [field, value] of Object.entries(index.spec.partialFilterExpression ?? {})) {
    if (!(field in filter) || orderKey(filter[field]) !== orderKey(value)) return null;
  }
  let prefixes: readonly string[] = [''];
  let fixedCount = 0;
  const fixed = new Set<string>();
  for (const field of index.fields) {
    const equal = bounds.get(field)?.equal ?? null;
    if (equal === null || equal.length * prefixes.length > mostPrefixes) break;
    const keys = [...new Set(equal.map((value) => orderKey(value)))];
    prefixes = prefixes.flatMap((prefix) => keys.map((key) => prefix + key));
    if (keys.length === 1) fixed.add(field);
    fixedCount += 1;
  }
  const rest = index.fields.slice(fixedCount);
  const next = bounds.get(rest[0] ?? '');
  const hasRange = next !== undefined && (next.min !== null || next.max !== null);
  const ranges = prefixes.map((prefix): readonly [string, string] => {
    if (!hasRange) return [prefix, above(prefix)];
    // Bounds may be met by different items of an array, so only one of them narrows such an index.
    const useMax = next.max !== null && (next.min === null || !index.isMultikey);
    const from = next.min ?? typeOf(next.max ?? '');
    return [prefix + from, useMax ? above(prefix + (next.max ?? '')) : prefix + nextType(from)];
  });
  const direction = index.isMultikey || prefixes.length > 1 ? null : directionFor(rest, fixed, sort);
  const isSorted = direction !== null && Object.keys(sort).length > 0;
  const score = fixedCount * 4 + (hasRange ? 2 : 0) + (isSorted ? 1 : 0);
  return score === 0 ? null : { index, ranges, direction: direction ?? 'forward', isSorted, score };
};

function* planned(plan: Plan, view: View): Generator<Found> {
  const seen = plan.index.isMultikey ? new Set<Stored>() : null;
  for (const [from, to] of plan.ranges) {
    for (const { key, owner } of plan.index.entries.range(from, to, plan.direction)) {
      if (view.transaction?.own.has(owner) === true || seen?.has(owner) === true) continue;
      const doc = visible(owner, view);
      if (doc === null) continue;
      // With older versions kept, the entry may be that of another version than the visible one.
      if (owner.head?.before !== null && !plan.index.keysOf(doc).includes(key)) continue;
      seen?.add(owner);
      yield { stored: owner, doc };
    }
  }
  yield* ownOf(plan.index, view);
}

function* ownOf(index: Index, view: View): Generator<Found> {
  if (view.transaction === null) return;
  for (const [stored, { collection, doc }] of view.transaction.own) {
    if (doc !== null && collection.indexes.includes(index)) yield { stored, doc };
  }
}

function* byIds(collection: Collection, ids: readonly unknown[], view: View): Generator<Found> {
  for (const idKey of new Set(ids.map((id) => orderKey(id)))) {
    const stored = collection.stored.get(idKey);
    const doc = stored === undefined ? null : visible(stored, view);
    if (stored !== undefined && doc !== null) yield { stored, doc };
  }
}

function* everything(collection: Collection, view: View): Generator<Found> {
  for (const stored of collection.stored.values()) {
    const doc = visible(stored, view);
    if (doc !== null) yield { stored, doc };
  }
}

const sortKey = (doc: Doc, path: readonly string[], isDescending: boolean): string => {
  const values = valuesAt(doc, path).flatMap((value: unknown) =>
    Array.isArray(value) ? (value as unknown[]) : [value],
  );
  let best: string | null = null;
  for (const value of values) {
    const key = orderKey(value);
    if (best === null || (isDescending ? key > best : key < best)) best = key;
  }
  return best ?? orderKey(undefined);
};

/** In the order asked for; ties stay as they came. */
export const sorted = <Item>(items: readonly Item[], docOf: (item: Item) => Doc, sort: Sort): readonly Item[] => {
  const ways = Object.entries(sort).map(([field, way]) => ({ path: field.split('.'), isDescending: Number(way) < 0 }));
  return items
    .map((item) => ({ item, keys: ways.map(({ path, isDescending }) => sortKey(docOf(item), path, isDescending)) }))
    .sort((a, b) => {
      for (const [at, { isDescending }] of ways.entries()) {
        const sign = compareKeys(a.keys[at] ?? '', b.keys[at] ?? '');
        if (sign !== 0) return isDescending ? -sign : sign;
      }
      return 0;
    })
    .map(({ item }) => item);
};

/** The best way into the collection for one branch of a filter. */
const bestPlan = (collection: Collection, filter: Doc, sort: Sort): Plan | null => {
  const bounds = boundsOf(filter);
  let best: Plan | null = null;
  for (const index of collection.indexes) {
    const plan = planOf(index, bounds, filter, sort);
    if (plan !== null && (best === null || plan.score > best.score)) best = plan;
  }
  return best;
};

/** A way for each branch of the filter's `$or`; null when one of them has none. */
const branchPlans = (collection: Collection, filter: Doc): readonly Plan[] | null => {
  const { $or: branches, ...rest } = filter;
  if (!Array.isArray(branches)) return null;
  const plans = (branches as readonly Doc[]).map((branch) => bestPlan(collection, { $and: [branch, rest] }, {}));
  return plans.includes(null) ? null : plans.filter((plan) => plan !== null);
};

function* union(plans: readonly Plan[], view: View): Generator<Found> {
  const seen = new Set<Stored>();
  for (const plan of plans) {
    for (const match of planned(plan, view)) {
      if (seen.has(match.stored)) continue;
      seen.add(match.stored);
      yield match;
    }
  }
}

/** Documents that a view of the collection shows and the filter matches, looked for through the best index there is. */
export const found = (
  collection: Collection,
  view: View,
  { filter, sort = {}, skip = 0, limit = 0, variables }: Find,
): readonly Found[] => {
  const test = matcher(filter, variables);
  const ids = boundsOf(filter).get('_id')?.equal ?? null;
  const wantsOrder = Object.keys(sort).length > 0;
  let candidates: Iterable<Found>;
  let isSorted = !wantsOrder;
  if (ids !== null) {
    candidates = byIds(collection, ids, view);
  } else {
    const best = bestPlan(collection, filter, sort);
    const branches = best === null ? branchPlans(collection, filter) : null;
    if (best !== null) candidates = planned(best, view);
    else candidates = branches === null ? everything(collection, view) : union(branches, view);
    const writesHere = view.transaction !== null && collection.writers.has(view.transaction);
    if (best !== null && !writesHere) isSorted ||= best.isSorted;
  }
  const end = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
  const matches: Found[] = [];
  for (const candidate of candidates) {
    if (!test(candidate.doc)) continue;
    matches.push(candidate);
    if (isSorted && matches.length >= end) break;
  }
  const ordered = isSorted ? matches : sorted(matches, ({ doc }) => doc, sort);
  return skip === 0 && ordered.length <= end ? ordered : ordered.slice(skip, end);
};

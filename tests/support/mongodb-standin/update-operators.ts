import { BSON } from 'bson';
import { Aggregator } from 'mingo';
import { cloned, type Doc, isPlain } from './documents.ts';
import { matcher, type Variables } from './matcher.ts';
import { compareKeys, orderKey } from './order-key.ts';
import { ServerError } from './server-error.ts';

const { Double, Int32, Long, ObjectId, Timestamp } = BSON;

/** Operators, a replacement, or the stages of a pipeline. */
export type Update = Doc | readonly Doc[];

const isPipeline = (update: Update): update is readonly Doc[] => Array.isArray(update);

type Operator = (old: unknown, operand: unknown, path: string) => unknown;

const missing = Symbol('missing');

/** Whether both have the same content, with the same order of members. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item: unknown, at) => isSame(item, (b as readonly unknown[])[at]));
  }
  if (isPlain(a) && isPlain(b)) {
    const [names, others] = [Object.keys(a), Object.keys(b)];
    return names.length === others.length && names.every((name, at) => others[at] === name && isSame(a[name], b[name]));
  }
  if (typeof a === 'object' || typeof b === 'object') return orderKey(a) === orderKey(b) && typeof a === typeof b;
  return false;
};

/** A copy with the value at the path replaced, `missing` removing it; everything beside the path is shared with the original. */
const changedAt = (value: unknown, path: readonly string[], change: (old: unknown) => unknown): unknown => {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (Array.isArray(value)) {
    const at = Number(name);
    if (!Number.isInteger(at)) throw new ServerError('PathNotViable', `Cannot create field '${name}' in an array`);
    const copy: unknown[] = [...(value as readonly unknown[])];
    while (copy.length < at) copy.push(null);
    const next = changedAt(copy[at], rest, change);
    copy[at] = next === missing ? null : next;
    return copy;
  }
  if (value !== undefined && !isPlain(value)) {
    throw new ServerError(
      'PathNotViable',
      `Cannot create field '${name}' in element ${BSON.EJSON.stringify({ value })}`,
    );
  }
  const old = value?.[name];
  const next = changedAt(old, rest, change);
  if (next === missing) {
    if (value === undefined) return missing;
    if (!(name in value)) return value;
    const copy = { ...value };
    delete copy[name];
    return copy;
  }
  return value !== undefined && name in value && old === next ? value : { ...value, [name]: next };
};

const arrayAt = (old: unknown, operator: string, path: string): readonly unknown[] => {
  if (old === undefined) return [];
  if (Array.isArray(old)) return old as readonly unknown[];
  throw new ServerError('BadValue', `The field '${path}' must be an array to apply ${operator} to it`);
};

const eachOf = (operand: unknown): { readonly items: readonly unknown[]; readonly rest: Doc } => {
  if (!isPlain(operand) || !Array.isArray(operand['$each'])) return { items: [operand], rest: {} };
  const { $each, ...rest } = operand;
  return { items: $each as readonly unknown[], rest };
};

const added = (old: unknown, operand: unknown, path: string): unknown => {
  if (old === undefined) return operand;
  if (typeof old === 'number' && typeof operand === 'number') return old + operand;
  const whole = (value: unknown): InstanceType<typeof Long> | null => {
    if (value instanceof Long) return value;
    if (value instanceof Int32) return Long.fromNumber(value.value);
    return typeof value === 'number' && Number.isInteger(value) ? Long.fromNumber(value) : null;
  };
  const [a, b] = [whole(old), whole(operand)];
  if (a === null || b === null) throw new ServerError('BadValue', `Cannot apply $inc to the value of '${path}'`);
  return a.add(b);
};

const pulled = (old: unknown, operand: unknown): unknown => {
  if (!Array.isArray(old)) return old === undefined ? missing : old;
  const isCondition = isPlain(operand);
  const isOperators = isCondition && Object.keys(operand).some((name) => name.startsWith('$'));
  const test = isOperators ? matcher({ value: operand }) : matcher(isCondition ? operand : { value: { $eq: operand } });
  const kept = (old as readonly unknown[]).filter((item) => {
    if (isCondition && !isOperators) return !(isPlain(item) && test(item));
    return isCondition ? !test({ value: item }) : orderKey(item) !== orderKey(operand);
  });
  return kept.length === old.length ? old : kept;
};

const operators: Readonly<Record<string, Operator>> = {
  $set: (_, operand) => operand,
  $setOnInsert: (_, operand) => operand,
  $unset: () => missing,
  $inc: added,
  $max: (old, operand) => (old === undefined || compareKeys(orderKey(operand), orderKey(old)) > 0 ? operand : old),
  $min: (old, operand) => (old === undefined || compareKeys(orderKey(operand), orderKey(old)) < 0 ? operand : old),
  $currentDate: (_, operand) =>
    isPlain(operand) && operand['$type'] === 'timestamp'
      ? new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 })
      : new Date(),
  $push: (old, operand, path) => {
    const { items, rest } = eachOf(operand);
    const { $slice: slice, ...unknown } = rest;
    if (Object.keys(unknown).length > 0) {
      throw new ServerError('BadValue', `Unrecognized clause in $push: ${Object.keys(unknown).join()}`);
    }
    const all = [...arrayAt(old, '$push', path), ...items];
    if (typeof slice !== 'number') return all;
    return slice < 0 ? all.slice(slice) : all.slice(0, slice);
  },
  $addToSet: (old, operand, path) => {
    const before = arrayAt(old, '$addToSet', path);
    const keys = new Set(before.map((item) => orderKey(item)));
    const fresh = eachOf(operand).items.filter((item) => {
      const key = orderKey(item);
      if (keys.has(key)) return false;
      keys.add(key);
      return true;
    });
    return fresh.length === 0 && old !== undefined ? old : [...before, ...fresh];
  },
  $pull: (old, operand) => pulled(old, operand),
};

export const isReplacement = (update: Update): update is Doc =>
  !isPipeline(update) && !Object.keys(update).some((name) => name.startsWith('$'));

/** A timestamp of zero stands for the time of the write. */
const bare = (value: unknown): unknown => (value instanceof Int32 || value instanceof Double ? value.value : value);

/**
 * The document after the update; `isInsert` = an upsert that found nothing, `before` then holds what its filter says. The same object
 * when nothing changes. Throws ServerError for an operator that is not known.
 */
export const updated = (before: Doc, update: Update, isInsert: boolean, variables: Variables = {}): Doc => {
  let after: Doc;
  if (isPipeline(update)) {
    const [made] = new Aggregator([...update], { variables }).run<Doc>([cloned(before)]);
    after = made ?? before;
  } else if (isReplacement(update)) {
    after = '_id' in before ? { _id: before['_id'], ...update } : { ...update };
  } else {
    after = before;
    for (const [name, fields] of Object.entries(update)) {
      const operator = operators[name];
      if (operator === undefined || !isPlain(fields)) {
        throw new ServerError(
          'FailedToParse',
          `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update`,
        );
      }
      if (name === '$setOnInsert' && !isInsert) continue;
      for (const [path, operand] of Object.entries(fields)) {
        if (path.includes('$')) throw new ServerError('BadValue', `Positional paths are not known here: '${path}'`);
        after = changedAt(after, path.split('.'), (old) => operator(old, bare(operand), path)) as Doc;
      }
    }
  }
  if (before['_id'] !== undefined && orderKey(before['_id']) !== orderKey(after['_id'])) {
    throw new ServerError(
      'ImmutableField',
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  return isSame(before, after) ? before : after;
};

/** What an upsert starts from: the fields that its filter fixes. */
export const fixedBy = (filter: Doc): Doc => {
  let doc: Doc = {};
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and' && Array.isArray(condition)) {
      for (const part of condition as readonly Doc[]) doc = { ...doc, ...fixedBy(part) };
    }
    if (path.startsWith('$') || condition instanceof RegExp) continue;
    const isOperator = isPlain(condition) && Object.keys(condition).some((name) => name.startsWith('$'));
    if (isOperator && !('$eq' in condition)) continue;
    const value = isOperator ? condition['$eq'] : condition;
    doc = changedAt(doc, path.split('.'), () => value) as Doc;
  }
  return doc;
};

/** With an `_id`, which stands first. */
export const withId = (doc: Doc): Doc => {
  const { _id: id = new ObjectId(), ...rest } = doc;
  return { _id: id, ...rest };
};

/** How an update is told in a change stream. */
export const updateDescription = (before: Doc, after: Doc): Doc => {
  const updatedFields: Doc = {};
  const removedFields: string[] = [];
  const compare = (old: Doc, next: Doc, prefix: string): void => {
    for (const [name, value] of Object.entries(next)) {
      const former = old[name];
      if (isSame(former, value)) continue;
      if (isPlain(former) && isPlain(value)) compare(former, value, `${prefix}${name}.`);
      else updatedFields[prefix + name] = value;
    }
    for (const name of Object.keys(old)) if (!(name in next)) removedFields.push(prefix + name);
  };
  compare(before, after, '');
  return { updatedFields, removedFields, truncatedArrays: [] };
};

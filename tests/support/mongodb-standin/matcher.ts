import { Query } from 'mingo';
import { type Doc, isPlain, valuesAt } from './documents.ts';
import { compareKeys, orderKey } from './order-key.ts';

export type Predicate = (doc: Doc) => boolean;

/** Options of an expression: variables of `let`. */
export interface Variables {
  readonly [name: string]: unknown;
}

const isOperators = (value: unknown): value is Doc =>
  isPlain(value) && Object.keys(value).some((name) => name.startsWith('$'));

const isScalar = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value) || value instanceof Date;

/** What a condition is compared with: values at the path, and the items of those that are arrays. */
const compared = (values: readonly unknown[]): readonly unknown[] =>
  values.some((value) => Array.isArray(value))
    ? values.flatMap((value) => (Array.isArray(value) ? [...(value as readonly unknown[]), value] : [value]))
    : values;

const reader = (path: string): ((doc: Doc) => readonly unknown[]) => {
  if (!path.includes('.')) {
    return (doc) => {
      const value = doc[path];
      return Array.isArray(value) ? compared([value]) : [value];
    };
  }
  const parts = path.split('.');
  return (doc) => compared(valuesAt(doc, parts));
};

type Check = (values: readonly unknown[]) => boolean;

const isOne = (wanted: readonly unknown[]): Check => {
  const keys = new Set(wanted.map((value) => orderKey(value)));
  return (values) => values.some((value) => keys.has(orderKey(value))) || (values.length === 0 && keys.has('\u0005'));
};

const isEqual = (wanted: unknown): Check => {
  if (typeof wanted === 'string' || typeof wanted === 'boolean') return (values) => values.includes(wanted);
  return isOne([wanted]);
};

const isBeyond = (wanted: unknown, holds: (sign: number) => boolean): Check => {
  const key = orderKey(wanted);
  const type = key.slice(0, 1);
  return (values) =>
    values.some((value) => {
      const own = orderKey(value);
      return own.startsWith(type) && holds(compareKeys(own, key));
    });
};

const checkOf = (operator: string, wanted: unknown): Check | null => {
  if (operator === '$in' || operator === '$nin') {
    if (!Array.isArray(wanted) || !wanted.every((value) => isScalar(value))) return null;
    const one = isOne(wanted);
    return operator === '$in' ? one : (values) => !one(values);
  }
  if (operator === '$exists') {
    return (values) => values.some((value) => value !== undefined) === Boolean(wanted);
  }
  if (!isScalar(wanted)) return null;
  switch (operator) {
    case '$eq':
      return isEqual(wanted);
    case '$ne': {
      const equal = isEqual(wanted);
      return (values) => !equal(values);
    }
    case '$gt':
      return isBeyond(wanted, (sign) => sign > 0);
    case '$gte':
      return isBeyond(wanted, (sign) => sign >= 0);
    case '$lt':
      return isBeyond(wanted, (sign) => sign < 0);
    case '$lte':
      return isBeyond(wanted, (sign) => sign <= 0);
    default:
      return null;
  }
};

const compiledField = (path: string, condition: unknown): Predicate | null => {
  const read = reader(path);
  if (!isOperators(condition)) {
    if (!isScalar(condition)) return null;
    const equal = isEqual(condition);
    return (doc) => equal(read(doc));
  }
  const checks: Check[] = [];
  for (const [operator, wanted] of Object.entries(condition)) {
    const check = checkOf(operator, wanted);
    if (check === null) return null;
    checks.push(check);
  }
  return (doc) => {
    const values = read(doc);
    return checks.every((check) => check(values));
  };
};

/**
 * A test of documents against a filter: plain conditions are compiled here, all others are left to mingo. An unknown operator throws.
 */
export const matcher = (filter: Doc, variables: Variables = {}): Predicate => {
  const predicates: Predicate[] = [];
  const rest: Doc = {};
  for (const [name, condition] of Object.entries(filter)) {
    if ((name === '$and' || name === '$or' || name === '$nor') && Array.isArray(condition)) {
      const parts = (condition as readonly Doc[]).map((part) => matcher(part, variables));
      if (name === '$and') predicates.push((doc) => parts.every((part) => part(doc)));
      if (name === '$or') predicates.push((doc) => parts.some((part) => part(doc)));
      if (name === '$nor') predicates.push((doc) => !parts.some((part) => part(doc)));
      continue;
    }
    const compiled = name.startsWith('$') ? null : compiledField(name, condition);
    if (compiled === null) rest[name] = condition;
    else predicates.push(compiled);
  }
  if (Object.keys(rest).length > 0) {
    const query = new Query<Doc>(rest, { variables });
    predicates.push((doc) => query.test(doc));
  }
  const [only] = predicates;
  if (only === undefined) return () => true;
  return predicates.length === 1 ? only : (doc) => predicates.every((predicate) => predicate(doc));
};

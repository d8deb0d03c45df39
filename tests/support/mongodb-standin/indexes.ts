import { type Doc, valuesAt } from './documents.ts';
import { matcher } from './matcher.ts';
import { orderKey } from './order-key.ts';
import { type OrderedEntries, orderedEntries } from './ordered-entries.ts';
import type { Stored, Transaction } from './versions.ts';

/** An index as `createIndexes` describes it and `listIndexes` lists it. */
export interface IndexSpec {
  readonly name: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly partialFilterExpression?: Doc;
  readonly [option: string]: unknown;
}

export interface Index {
  readonly spec: IndexSpec;
  readonly fields: readonly string[];
  /** Under every key that any kept version of a document has. */
  readonly entries: OrderedEntries<Stored>;
  /** Keys that open transactions have written into a unique index. */
  readonly pending: Map<string, { readonly transaction: Transaction; readonly stored: Stored }>;
  /** Some document had several keys. */
  isMultikey: boolean;
  keysOf(doc: Doc): readonly string[];
}

/** Keys of a missing field, of an array's items, or of the value. */
const fieldKeys = (values: readonly unknown[]): readonly string[] => {
  const [only] = values;
  if (values.length === 1 && !Array.isArray(only)) return [orderKey(only)];
  const keys = new Set<string>();
  for (const value of values) {
    if (!Array.isArray(value)) keys.add(orderKey(value));
    else if (value.length === 0) keys.add(orderKey(undefined));
    else for (const item of value as readonly unknown[]) keys.add(orderKey(item));
  }
  if (keys.size === 0) keys.add(orderKey(undefined));
  return [...keys];
};

export const index = (spec: IndexSpec): Index => {
  const fields = Object.keys(spec.key);
  const paths = fields.map((field) => field.split('.'));
  const isIncluded = spec.partialFilterExpression === undefined ? () => true : matcher(spec.partialFilterExpression);
  const names = paths.map(([first]) => first ?? '');
  /** Members that several fields look into: an array there is taken item by item. */
  const shared = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
  const keysOfOne = (doc: Doc): readonly string[] => {
    let keys: readonly string[] = [''];
    let isAllMissing = true;
    for (const [at, path] of paths.entries()) {
      const name = path.length === 1 ? fields[at] : undefined;
      const values = name === undefined ? valuesAt(doc, path) : [doc[name]];
      isAllMissing &&= values.every((value) => value === undefined);
      const own = fieldKeys(values);
      const [only = ''] = own;
      keys = own.length === 1 ? keys.map((key) => key + only) : keys.flatMap((key) => own.map((part) => key + part));
    }
    return spec.sparse === true && isAllMissing ? [] : keys;
  };
  const made: Index = {
    spec,
    fields,
    entries: orderedEntries<Stored>(),
    pending: new Map(),
    isMultikey: false,
    keysOf: (doc) => {
      if (!isIncluded(doc)) return [];
      let docs: readonly Doc[] = [doc];
      for (const name of shared) {
        const value = doc[name];
        if (!Array.isArray(value) || value.length === 0) continue;
        docs = docs.flatMap((one) => value.map((item: unknown) => ({ ...one, [name]: item })));
      }
      const [only = doc] = docs;
      const keys = docs.length === 1 ? keysOfOne(only) : [...new Set(docs.flatMap(keysOfOne))];
      if (keys.length > 1) made.isMultikey = true;
      return keys;
    },
  };
  return made;
};

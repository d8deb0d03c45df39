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
  /** Not every document is in it. */
  readonly isPart: boolean;
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
  const made: Index = {
    spec,
    fields,
    entries: orderedEntries<Stored>(),
    pending: new Map(),
    isMultikey: false,
    isPart: spec.sparse === true || spec.partialFilterExpression !== undefined,
    keysOf: (doc) => {
      if (!isIncluded(doc)) return [];
      let keys: readonly string[] = [''];
      let isAllMissing = true;
      for (const [at, path] of paths.entries()) {
        const name = path.length === 1 ? fields[at] : undefined;
        const values = name === undefined ? valuesAt(doc, path) : [doc[name]];
        isAllMissing &&= values.every((value) => value === undefined);
        const own = fieldKeys(values);
        keys =
          own.length === 1
            ? keys.map((key) => key + (own[0] ?? ''))
            : keys.flatMap((key) => own.map((part) => key + part));
      }
      if (keys.length > 1) made.isMultikey = true;
      return spec.sparse === true && isAllMissing ? [] : keys;
    },
  };
  return made;
};

/**
 * What every adapter must agree on: where a document appears in scopes, how member values compare, which queries and commits are wrong.
 */
import type {
  Checkpoint,
  Commit,
  CommitResult,
  DeclaredField,
  DeclaredFields,
  JsonObject,
  JsonValue,
  Position,
  Query,
  ReadDocument,
  SortField,
  Walk,
} from './read-store.ts';

export interface ScopeEntry {
  readonly scope: string;
  readonly position: Position;
  /** Not in the scope any more, or deleted. */
  readonly gone: boolean;
}

/** Every scope the document is or was in: null = it is in it now, which outweighs having left it, else when it left it last. */
export const scopePlaces = ({
  scopes,
  left,
}: Pick<ReadDocument, 'scopes' | 'left'>): ReadonlyMap<string, Position | null> => {
  const places = new Map<string, Position | null>();
  for (const { scope, position } of left) places.set(scope, Math.max(places.get(scope) ?? 0, position));
  for (const scope of scopes) places.set(scope, null);
  return places;
};

/** One entry for each of the document's places. */
export const scopeEntries = (doc: ReadDocument): readonly ScopeEntry[] =>
  [...scopePlaces(doc)].map(([scope, leftAt]) => ({
    scope,
    position: leftAt ?? doc.position,
    gone: leftAt !== null || doc.deleted,
  }));

/** Whether `since` can not be answered by what changed after it. */
export const needsReset = (since: Position, checkpoint: Position, floor: Position): boolean =>
  since > checkpoint || since <= floor;

/** Below every `since`. */
export const noFloor: Position = -1;

/** What refuses a commit, going by the stored checkpoint of its partition; null = nothing does. */
export const refusalOf = (
  { docs, checkpoint, repair }: Commit,
  stored: Pick<Checkpoint, 'position' | 'fence'> | null,
): Exclude<CommitResult, { kind: 'committed' }> | null => {
  if (stored === null) return null;
  if (checkpoint.fence < stored.fence) return { kind: 'lost_lease', fence: stored.fence };
  const ahead = checkpoint.position - stored.position;
  const again = ahead === 0 && docs.length > 0 && repair !== true;
  return ahead < 0 || again ? { kind: 'older_checkpoint', stored: stored.position } : null;
};

export const byPositionKindAndId = (
  a: { readonly position: Position; readonly doc: ReadDocument },
  b: { readonly position: Position; readonly doc: ReadDocument },
): number => a.position - b.position || compareTexts(a.doc.kind, b.doc.kind) || compareTexts(a.doc.id, b.doc.id);

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** By code point, as stores compare UTF-8; JavaScript's `<` puts U+E000 to U+FFFF behind what lies above them. */
export const compareTexts = (a: string, b: string): number => {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) {
      return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
    }
  }
  return a.length - b.length;
};

/** A member as queries see it: truth values are 1 and 0, what is absent is null. */
export type MemberValue = null | number | string;

export const memberValue = (value: JsonValue | undefined): MemberValue => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : value;
};

/** Follows a dotted path into `data`. */
export const memberAt = (data: JsonObject | null, field: string): MemberValue => {
  if (data === null) return null;
  if (!field.includes('.')) return memberValue(Object.hasOwn(data, field) ? data[field] : undefined);
  let value: JsonValue | undefined = data;
  for (const member of field.split('.')) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    value = Object.hasOwn(value, member) ? (value as JsonObject)[member] : undefined;
  }
  return memberValue(value);
};

const rankOf = (value: MemberValue): number => (value === null ? 0 : typeof value === 'number' ? 1 : 2);

/** Null first, then numbers, then texts. */
export const compareValues = (a: MemberValue, b: MemberValue): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return rankOf(a) - rankOf(b);
};

const fieldPattern = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

const nameOf = (field: DeclaredField): string => {
  if (typeof field === 'string') return field;
  if ('lookup' in field) return field.lookup;
  return 'walk' in field ? field.walk : field.sort;
};

const declarationOf = (declared: DeclaredFields, kind: string): readonly DeclaredField[] =>
  Object.hasOwn(declared, kind) ? (declared[kind] ?? []) : [];

/** The names declared for a kind. */
export const declaredFor = (declared: DeclaredFields, kind: string): readonly string[] =>
  declarationOf(declared, kind).map(nameOf);

/** Those of them that equality finds documents by. */
export const lookupsFor = (declared: DeclaredFields, kind: string): readonly string[] =>
  declarationOf(declared, kind).flatMap((field) =>
    typeof field === 'object' && 'lookup' in field ? [field.lookup] : [],
  );

/** Those of them by whose values documents are walked; a kind that has any is private. */
export const walksFor = (declared: DeclaredFields, kind: string): readonly string[] =>
  declarationOf(declared, kind).flatMap((field) => (typeof field === 'object' && 'walk' in field ? [field.walk] : []));

/** Those of them by which documents are paged, each within another one. */
export const sortsFor = (declared: DeclaredFields, kind: string): readonly SortField[] =>
  declarationOf(declared, kind).flatMap((field) => (typeof field === 'object' && 'sort' in field ? [field] : []));

/** The same names, none of which is quicker to find by than another. */
export const plainly = (declared: DeclaredFields): DeclaredFields =>
  Object.fromEntries(Object.keys(declared).map((kind) => [kind, declaredFor(declared, kind)]));

/** Throws when a declared field is no plain dotted path, or is paged by within one that finds nothing. */
export const checkDeclaration = (declared: DeclaredFields): void => {
  for (const kind of Object.keys(declared)) {
    for (const field of declaredFor(declared, kind)) {
      if (!fieldPattern.test(field))
        throw new Error(`Declared field ${kind}.${field} is not a dotted path of plain names`);
    }
    for (const { sort, within } of sortsFor(declared, kind)) {
      if (!lookupsFor(declared, kind).includes(within))
        throw new Error(`Declared field ${kind}.${sort} is sorted within ${within}, which is no lookup`);
    }
  }
};

/** Throws when a query names a field that was not declared for the kind, or pages by anything but whole numbers. */
export const checkQuery = (declared: DeclaredFields, kind: string, query: Query): void => {
  const known = declaredFor(declared, kind);
  const named = [
    ...Object.keys(query.where ?? {}),
    ...Object.keys(query.among ?? {}),
    ...Object.keys(query.range ?? {}),
    ...(query.sort ?? []).map(({ field }) => field),
  ];
  for (const field of named) {
    if (!known.includes(field)) throw new Error(`Field ${field} is not declared for documents of kind ${kind}`);
  }
  for (const part of [query.offset ?? 0, query.limit ?? 0]) {
    if (!Number.isSafeInteger(part) || part < 0) throw new RangeError(`A page is given in whole numbers, not ${part}`);
  }
};

/** Throws when a walk goes by a field that was not declared for that, or takes no whole number of documents. */
export const checkWalk = (declared: DeclaredFields, kind: string, { where, limit }: Walk): void => {
  if (where !== undefined && !walksFor(declared, kind).includes(where.field))
    throw new Error(`Field ${where.field} is not declared for walking documents of kind ${kind}`);
  if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError(`A page is given in whole numbers, not ${limit}`);
};

/** Whether a query finds the document. */
export const fits = (doc: ReadDocument, query: Query): boolean => {
  if (query.licenceId !== undefined && doc.licenceId !== query.licenceId) return false;
  if (doc.deleted && query.includeDeleted !== true) return false;
  for (const [field, wanted] of Object.entries(query.where ?? {})) {
    if (memberAt(doc.data, field) !== memberValue(wanted)) return false;
  }
  for (const [field, wanted] of Object.entries(query.among ?? {})) {
    const value = memberAt(doc.data, field);
    if (typeof value !== 'string' || !wanted.includes(value)) return false;
  }
  for (const [field, { min, max }] of Object.entries(query.range ?? {})) {
    const value = memberAt(doc.data, field);
    if (value === null) return false;
    if (min !== undefined && compareValues(value, min) < 0) return false;
    if (max !== undefined && compareValues(value, max) > 0) return false;
  }
  return true;
};

/** Which way ties go: that of the last field, so that an order falls as it rises, seen from its other end. */
export const tieDirection = (sort: NonNullable<Query['sort']>): 'asc' | 'desc' => sort.at(-1)?.direction ?? 'asc';

/** The order of a query's answer: ties of `sort` are broken by creation, then id. */
export const inOrder =
  (sort: NonNullable<Query['sort']>) =>
  (a: ReadDocument, b: ReadDocument): number => {
    for (const { field, direction } of sort) {
      const order = compareValues(memberAt(a.data, field), memberAt(b.data, field));
      if (order !== 0) return direction === 'asc' ? order : -order;
    }
    const tie = compareValues(memberAt(a.data, 'createdAt'), memberAt(b.data, 'createdAt')) || compareTexts(a.id, b.id);
    return tieDirection(sort) === 'asc' ? tie : -tie;
  };

const isPosition = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Throws when a commit contradicts itself: such documents would break catch-up for every client. */
export const checkCommit = (declared: DeclaredFields, { docs, checkpoint }: Commit): void => {
  if (!isPosition(checkpoint.position)) throw new RangeError(`Checkpoint ${checkpoint.position} is no position`);
  for (const doc of docs) {
    const name = `Document ${doc.kind}/${doc.id}`;
    const positions = [doc.position, ...doc.left.map(({ position }) => position)];
    if (!positions.every((position) => isPosition(position) && position <= checkpoint.position)) {
      throw new RangeError(`${name} holds a position outside 0 to its checkpoint ${checkpoint.position}`);
    }
    if (doc.scopes.length + doc.left.length > 0 && walksFor(declared, doc.kind).length > 0)
      throw new Error(`${name} is in scopes, but its kind is private`);
    if (doc.deleted !== (doc.data === null)) throw new Error(`${name} must have data exactly when it is not deleted`);
  }
};

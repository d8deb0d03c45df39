/** Outside fields of an entity by name, in outside form. */
export type Fields = Readonly<Record<string, unknown>>;

/** What an event after the revision that a person saw has touched. */
export interface TouchedSince {
  /** Names as `Entity.touched` gives them. */
  readonly touched: readonly string[];
  readonly actorId: string;
  /** UTC instant, ISO 8601. */
  readonly at: string;
}

export interface FieldConflict {
  /** A field, or `participants/<userId>`, `permissions/<key>`. */
  readonly field: string;
  /** Values in outside form; `null` = absent. */
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Who touched it last, and when. */
  readonly actorId: string;
  readonly at: string;
}

export type Merged =
  | {
      readonly kind: 'merged';
      /** What remains to be applied, by single name (`participants/<userId>`, `permissions/<key>`); `null` there = taken out. */
      readonly apply: Fields;
    }
  | { readonly kind: 'conflict'; readonly conflicts: readonly FieldConflict[] };

/**
 * Merges a change into what others did since (CALL-6 to CALL-8). `base` = the fields at `baseRevision`, `null`
 * without one: then nothing conflicts and lists replace. A field touched since conflicts even if it is back, unless
 * mine = theirs; with `base` a member equal to its value there counts as not sent.
 */
export const mergeChange = (change: {
  readonly base: Fields | null;
  readonly current: Fields;
  readonly eventsSince: readonly TouchedSince[];
  /** The members sent, in outside form; `undefined` = not sent. */
  readonly wanted: Fields;
  /** A member is meant also where it equals its value at the base: somebody puts it back. */
  readonly isDeliberate?: boolean | undefined;
}): Merged => {
  const { base, current } = change;
  return mergeSingles({ ...change, wanted: wantedSingles(change.wanted, base ?? current) });
};

/**
 * Merges the undoing of a command into what others did since: each field it touched is to be what it was before. A field touched since
 * conflicts, unless it is there already; one that the command left as it was needs nothing.
 */
export const mergeUndo = (undo: {
  /** The fields before the command, and after it. */
  readonly before: Fields;
  readonly after: Fields;
  readonly current: Fields;
  /** Single names, as `Entity.touched` gives them. */
  readonly touched: readonly string[];
  readonly eventsSince: readonly TouchedSince[];
}): Merged => {
  const { before, after, current, touched, eventsSince } = undo;
  const were = single(before);
  const wanted = new Map(touched.map((field) => [field, were.get(field) ?? null]));
  return mergeSingles({ base: after, current, eventsSince, wanted });
};

const mergeSingles = ({
  base,
  current,
  eventsSince,
  wanted,
  isDeliberate = false,
}: {
  readonly base: Fields | null;
  readonly current: Fields;
  readonly eventsSince: readonly TouchedSince[];
  readonly wanted: ReadonlyMap<string, unknown>;
  readonly isDeliberate?: boolean | undefined;
}): Merged => {
  const seen = base === null ? null : single(base);
  const present = single(current);
  const apply = new Map<string, unknown>();
  const conflicts: FieldConflict[] = [];
  for (const [field, mine] of wanted) {
    const before = seen?.get(field) ?? null;
    const theirs = present.get(field) ?? null;
    if ((seen !== null && !isDeliberate && same(mine, before)) || same(mine, theirs)) continue;
    const touch = seen === null ? undefined : eventsSince.findLast(({ touched }) => touched.some(covers(field)));
    if (touch === undefined) apply.set(field, mine);
    else conflicts.push({ field, base: before, theirs, mine, actorId: touch.actorId, at: touch.at });
  }
  return conflicts.length > 0 ? { kind: 'conflict', conflicts } : { kind: 'merged', apply: Object.fromEntries(apply) };
};

/** A removal conflicts with every field touched since the revision that the person saw; `mine` is `null`. */
export const mergeRemoval = (removal: {
  readonly base: Fields;
  readonly current: Fields;
  readonly eventsSince: readonly TouchedSince[];
}): Merged => {
  const before = single(removal.base);
  const present = single(removal.current);
  const conflicts = new Map<string, FieldConflict>();
  for (const { touched, actorId, at } of removal.eventsSince) {
    for (const field of touched) {
      conflicts.set(field, {
        field,
        base: before.get(field) ?? null,
        theirs: present.get(field) ?? null,
        mine: null,
        actorId,
        at,
      });
    }
  }
  return conflicts.size > 0 ? { kind: 'conflict', conflicts: [...conflicts.values()] } : { kind: 'merged', apply: {} };
};

/** The entries of a keyed field among single names: `{ 'permissions/reports': true }` → `{ reports: true }`. */
export const entriesOf = (fields: Fields, keyedField: string): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name.startsWith(`${keyedField}/`))
      .map(([name, value]) => [name.slice(keyedField.length + 1), value]),
  );

/** A field's value by its single name, as `touched` names it; `null` = absent. */
export const fieldValue = (fields: Fields, name: string): unknown => single(fields).get(name) ?? null;

const listKeys: Readonly<Record<string, string>> = { participants: 'userId' };
const keyedFields = new Set(['participants', 'permissions', 'notes', 'merged', 'views']);

/** A contractor's notes are keyed, a creative's are a text. */
const isKeyed = (field: string, value: unknown): boolean => keyedFields.has(field) && typeof value !== 'string';

/** Entries of a keyed value, a list or an object; `null` and anything else has none. */
const entries = (field: string, value: unknown): readonly (readonly [string, unknown])[] => {
  if (Array.isArray(value)) {
    const key = listKeys[field] ?? '';
    return value.filter(isObject).map((entry) => [String(entry[key]), entry]);
  }
  return isObject(value) ? Object.entries(value) : [];
};

const single = (fields: Fields): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(fields).flatMap(([field, value]): (readonly [string, unknown])[] =>
      isKeyed(field, value)
        ? entries(field, value).map(([key, entry]) => [`${field}/${key}`, entry])
        : [[field, value]],
    ),
  );

const wantedSingles = (wanted: Fields, before: Fields): ReadonlyMap<string, unknown> => {
  const singles = new Map<string, unknown>();
  for (const [field, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    if (!isKeyed(field, value)) {
      singles.set(field, value);
      continue;
    }
    const sent = entries(field, value);
    // A list says all there is; an object only what it names, unless it is empty, which clears.
    if (Array.isArray(value) || sent.length === 0)
      for (const [key] of entries(field, before[field])) singles.set(`${field}/${key}`, null);
    for (const [key, entry] of sent) singles.set(`${field}/${key}`, entry);
  }
  return singles;
};

const covers =
  (field: string) =>
  (touched: string): boolean =>
    touched === field || field.startsWith(`${touched}/`);

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, index) => same(entry, other[index]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => same(one[name] ?? null, other[name] ?? null));
};

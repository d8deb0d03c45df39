/**
 * What makes one JSON value of another, itself JSON. `[value]`: this instead. `[]`: the member is gone. `{ name: patch }`: of an object these
 * members change, the others stay. `{ rows: steps }`: of a list, from its beginning, what is not reached stays. `{}`: nothing changes.
 */
export type Patch = readonly [] | readonly [unknown] | ObjectPatch | ListPatch;
export interface ObjectPatch {
  readonly [member: string]: Patch;
}
export interface ListPatch {
  readonly rows: readonly Step[];
}
/** `3`: three rows stay. `-3`: three rows go. `[row, …]`: these come in. `{…}`: the next row changes by this patch. */
export type Step = number | readonly unknown[] | ObjectPatch | ListPatch;

/** A patch was applied to something that it was not made for. */
export class PatchMismatch extends Error {}

type Members = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !isList(value);

/** Rows are matched by their first member, where it is a text: the id of what the row is about. */
const nameOf = (row: unknown): string => {
  if (!isObject(row)) return isList(row) ? '' : `${typeof row} ${String(row)}`;
  for (const member in row) {
    if (!Object.hasOwn(row, member)) continue;
    const value = row[member];
    return typeof value === 'string' ? value : '';
  }
  return '';
};

const placesOf = (rows: readonly unknown[]): ReadonlyMap<string, number> =>
  new Map(rows.map((row, index) => [nameOf(row), index]));

const stepsBetween = (before: readonly unknown[], after: readonly unknown[]): readonly Step[] => {
  const steps: (number | unknown[] | ObjectPatch | ListPatch)[] = [];
  let same = 0;
  const settle = (): void => {
    if (same > 0) steps.push(same);
    same = 0;
  };
  const drop = (): void => {
    settle();
    const last = steps.at(-1);
    if (typeof last === 'number' && last < 0) steps[steps.length - 1] = last - 1;
    else steps.push(-1);
  };
  const put = (row: unknown): void => {
    settle();
    const last = steps.at(-1);
    if (Array.isArray(last)) last.push(row);
    else steps.push([row]);
  };
  const keep = (from: unknown, to: unknown): void => {
    const patch = between(from, to);
    if (patch === null) {
      same += 1;
    } else if (isList(patch)) {
      drop();
      put(to);
    } else {
      settle();
      steps.push(patch);
    }
  };
  let places: { readonly before: ReadonlyMap<string, number>; readonly after: ReadonlyMap<string, number> } | null =
    null;
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    // Of thousands of rows few change, and the others are the same objects.
    while (i < before.length && j < after.length && before[i] === after[j]) {
      same += 1;
      i += 1;
      j += 1;
    }
    if (i === before.length && j === after.length) break;
    const [from, to] = [before[i], after[j]];
    const names = i < before.length && j < after.length ? ([nameOf(from), nameOf(to)] as const) : null;
    let comesIn = i === before.length;
    if (names !== null) {
      const [fromName, toName] = names;
      if (fromName === toName) {
        keep(from, to);
        i += 1;
        j += 1;
        continue;
      }
      places ??= { before: placesOf(before), after: placesOf(after) };
      const ahead = (places.before.get(toName) ?? -1) - i;
      const later = (places.after.get(fromName) ?? -1) - j;
      // Of two rows that changed places the one that went further is sent again.
      comesIn = ahead <= 0 || (later > 0 && ahead > later);
    }
    if (comesIn) {
      put(to);
      j += 1;
    } else {
      drop();
      i += 1;
    }
  }
  return steps;
};

/** Null when they are equal. */
const between = (before: unknown, after: unknown): Patch | null => {
  if (before === after) return null;
  if (isList(before) && isList(after)) {
    const rows = stepsBetween(before, after);
    return rows.length === 0 ? null : { rows };
  }
  if (!isObject(before) || !isObject(after)) return [after];
  const changes: [string, Patch][] = [];
  for (const name of Object.keys(after)) {
    const patch: Patch | null = Object.hasOwn(before, name) ? between(before[name], after[name]) : [after[name]];
    if (patch !== null) changes.push([name, patch]);
  }
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) changes.push([name, []]);
  return changes.length === 0 ? null : Object.fromEntries(changes);
};

/** The patch that makes `after` of `before`, both as `JSON.parse` makes them; it shares parts with `after`. */
export const patchBetween = (before: unknown, after: unknown): Patch => between(before, after) ?? {};

const patchedRows = (rows: readonly unknown[], patch: Members): readonly unknown[] => {
  const names = Object.keys(patch);
  if (names.length === 0) return rows;
  const { rows: steps } = patch;
  if (names.length > 1 || !isList(steps)) throw new PatchMismatch('A list changes by rows alone');
  const made: unknown[] = [];
  let at = 0;
  const pass = (count: number): readonly unknown[] => {
    const passed = rows.slice(at, at + count);
    if (!Number.isInteger(count) || count < 1 || passed.length < count) throw new PatchMismatch('There is no such row');
    at += count;
    return passed;
  };
  const add = (more: readonly unknown[]): void => {
    for (const row of more) made.push(row);
  };
  for (const step of steps) {
    if (typeof step === 'number') {
      const passed = pass(Math.abs(step));
      if (step > 0) add(passed);
    } else if (isList(step)) {
      add(step);
    } else {
      made.push(patched(pass(1)[0], step));
    }
  }
  add(rows.slice(at));
  return made;
};

const patchedObject = (before: unknown, patch: Members): unknown => {
  const names = Object.keys(patch);
  if (names.length === 0) return before;
  if (!isObject(before)) throw new PatchMismatch('Only objects and lists have parts that change');
  const after: Record<string, unknown> = { ...before };
  for (const name of names) {
    const change = patch[name];
    if (!(isList(change) && change.length === 1) && !Object.hasOwn(before, name))
      throw new PatchMismatch('There is no such member');
    if (isList(change) && change.length === 0) {
      delete after[name];
    } else {
      // Assigning would let `__proto__` change what the object inherits.
      const value = isList(change) ? patched(null, change) : patched(before[name], change);
      Object.defineProperty(after, name, { value, writable: true, enumerable: true, configurable: true });
    }
  }
  return after;
};

/**
 * What `patch` makes of `before`, which stays as it is and shares with the result every part that does not change. Throws `PatchMismatch`
 * when the patch is none or was made for something else, as far as that can be seen.
 */
export const patched = (before: unknown, patch: unknown): unknown => {
  if (isList(patch)) {
    if (patch.length !== 1) throw new PatchMismatch('Only a member can be gone');
    return patch[0];
  }
  if (!isObject(patch)) throw new PatchMismatch('That is no patch');
  return isList(before) ? patchedRows(before, patch) : patchedObject(before, patch);
};

/** A BSON document as the stand-in keeps it. Stored ones are never changed, only replaced. */
export type Doc = Record<string, unknown>;

export const isPlain = (value: unknown): value is Doc =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Copies objects and arrays; values of BSON classes are shared, since nothing changes them. */
export const cloned = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map((item: unknown) => cloned(item)) as Value;
  if (!isPlain(value)) return value;
  const copy: Doc = {};
  for (const [name, item] of Object.entries(value)) copy[name] = cloned(item);
  return copy as Value;
};

const digits = /^\d+$/;

/** Values at a dotted path, through arrays as queries see them; `undefined` stands for a missing one. */
export const valuesAt = (value: unknown, path: readonly string[], from = 0): readonly unknown[] => {
  const name = path[from];
  if (name === undefined) return [value];
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    const inside = items.flatMap((item) => (isPlain(item) ? valuesAt(item, path, from) : []));
    return digits.test(name) ? [...valuesAt(items[Number(name)], path, from + 1), ...inside] : inside;
  }
  return isPlain(value) ? valuesAt(value[name], path, from + 1) : [undefined];
};

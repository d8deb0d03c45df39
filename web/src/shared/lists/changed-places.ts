/** A list as it was at one time. It holds none of the items, so that nothing that went is kept by it. */
interface Version {
  /** What it was made from; null = that is not known any more. */
  previous: Version | null;
  /** Where the two differ. */
  readonly places: readonly number[];
}

type List = readonly unknown[];

/** So many versions are looked back at: whoever has an older list compares it item by item. */
const remembered = 32;

const versions = new WeakMap<List, Version>();

const versionOf = (list: List): Version => {
  const known = versions.get(list);
  if (known) return known;
  const first: Version = { previous: null, places: [] };
  versions.set(list, first);
  return first;
};

const forgetOlder = (version: Version): void => {
  let oldest: Version | null = version;
  for (let count = 0; count < remembered && oldest !== null; count += 1) oldest = oldest.previous;
  if (oldest !== null) oldest.previous = null;
};

/**
 * Remembers that `after` is a copy of `before` in which no more than these places hold something else, so that whoever took `before` over
 * need not compare all of them. Neither list may be changed any more.
 */
export const rememberChange = (before: List, after: List, places: readonly number[]): void => {
  if (before === after) return;
  const version: Version = { previous: versionOf(before), places };
  versions.set(after, version);
  forgetOlder(version);
};

/** The places in which two lists may differ, each once, where it is remembered how one was made from the other; null otherwise. */
export const rememberedChange = (before: List, after: List): readonly number[] | null => {
  if (before === after) return [];
  const wanted = versions.get(before);
  if (wanted === undefined) return null;
  const places = new Set<number>();
  for (let version = versions.get(after); version; version = version.previous ?? undefined) {
    if (version === wanted) return [...places];
    for (const place of version.places) places.add(place);
  }
  return null;
};

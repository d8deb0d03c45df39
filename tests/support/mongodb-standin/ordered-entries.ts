/** A key and what stands under it; several owners may share a key. */
export interface Entry<Owner> {
  readonly key: string;
  readonly owner: Owner;
}

export interface OrderedEntries<Owner> {
  /** A pair that is there already is left as it is. */
  add(key: string, owner: Owner): void;
  remove(key: string, owner: Owner): void;
  /** Entries with `from <= key < to`, by key, then by the owner's number. */
  range(from: string, to: string, direction?: 'forward' | 'backward'): Generator<Entry<Owner>>;
}

const chunkSize = 256;

/** Entries sorted by key in chunks of bounded size, so that adding costs the same in a large set. */
export const orderedEntries = <Owner extends { readonly n: number }>(): OrderedEntries<Owner> => {
  const chunks: Entry<Owner>[][] = [];

  const isBelow = (entry: Entry<Owner>, key: string, n: number): boolean =>
    entry.key < key || (entry.key === key && entry.owner.n < n);

  const firstNotBelow = (length: number, below: (at: number) => boolean): number => {
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (below(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  /** The first place whose entry is at or above the pair. */
  const place = (key: string, n: number): { readonly chunk: number; readonly at: number } => {
    const chunk = firstNotBelow(chunks.length, (index) => {
      const last = chunks[index]?.at(-1);
      return last !== undefined && isBelow(last, key, n);
    });
    const entries = chunks[chunk] ?? [];
    const at = firstNotBelow(entries.length, (index) => {
      const entry = entries[index];
      return entry !== undefined && isBelow(entry, key, n);
    });
    return { chunk, at };
  };

  return {
    add: (key, owner) => {
      const { chunk, at } = place(key, owner.n);
      const found = chunks[chunk]?.[at];
      if (found?.key === key && found.owner === owner) return;
      const target = chunks[chunk] ?? chunks.at(-1);
      if (target === undefined) {
        chunks.push([{ key, owner }]);
        return;
      }
      const targetIndex = chunks[chunk] === undefined ? chunks.length - 1 : chunk;
      target.splice(chunks[chunk] === undefined ? target.length : at, 0, { key, owner });
      if (target.length > chunkSize * 2) chunks.splice(targetIndex + 1, 0, target.splice(chunkSize));
    },
    remove: (key, owner) => {
      const { chunk, at } = place(key, owner.n);
      const entries = chunks[chunk];
      const found = entries?.[at];
      if (entries === undefined || found?.key !== key || found.owner !== owner) return;
      entries.splice(at, 1);
      if (entries.length === 0) chunks.splice(chunk, 1);
    },
    *range(from, to, direction = 'forward') {
      const start = place(from, -1);
      const end = place(to, -1);
      if (direction === 'forward') {
        for (let chunk = start.chunk; chunk <= end.chunk; chunk += 1) {
          const entries = chunks[chunk] ?? [];
          yield* entries.slice(chunk === start.chunk ? start.at : 0, chunk === end.chunk ? end.at : entries.length);
        }
      } else {
        for (let chunk = end.chunk; chunk >= start.chunk; chunk -= 1) {
          const entries = chunks[chunk] ?? [];
          const [low, high] = [chunk === start.chunk ? start.at : 0, chunk === end.chunk ? end.at : entries.length];
          yield* entries.slice(low, high).toReversed();
        }
      }
    },
  };
};

/** An element of the table, and the row that it shows. */
export interface RowElement {
  /** Of the element; another one is another element. */
  readonly key: string;
  readonly id: string;
  /** The element goes with the row, and is never given to another one. */
  readonly isBound: boolean;
}

interface WantedRows {
  /** The rows in sight, in their order. */
  readonly ids: readonly string[];
  /** While a table scrolls its elements are in any order: one that is moved costs as much as a new one. */
  readonly isScrolling: boolean;
  /** Something stands in this row that is its own. */
  readonly isBound: (id: string) => boolean;
}

/**
 * Of places that elements have, those of the longest run that ascends, as their indexes. With `must`, an index, the longest of those runs
 * in which it is.
 */
const longestRun = (places: readonly number[], must: number): ReadonlySet<number> => {
  const mustPlace = places[must];
  const fits = (index: number): boolean =>
    mustPlace === undefined ||
    index === must ||
    Math.sign(index - must) === Math.sign((places[index] ?? 0) - mustPlace);
  /** By index: how long the longest run is that ends there, and what stands before it. */
  const runs: { readonly length: number; readonly before: number }[] = [];
  let end = -1;
  for (const [index, place] of places.entries()) {
    let best = { length: 0, before: -1 };
    if (fits(index)) {
      best = { length: 1, before: -1 };
      for (let earlier = 0; earlier < index; earlier += 1) {
        const { length } = runs[earlier] ?? best;
        if (length >= best.length && length > 0 && (places[earlier] ?? 0) < place)
          best = { length: length + 1, before: earlier };
      }
    }
    runs.push(best);
    if (best.length > (runs[end]?.length ?? 0)) end = index;
  }
  const kept = new Set<number>();
  for (let index = end; index >= 0; index = runs[index]?.before ?? -1) kept.add(index);
  return kept;
};

/**
 * Which element shows which row. A row keeps its element as long as it is in sight; the element of one that left is filled anew with one that
 * came. At rest the elements are in the order of the rows, and none is moved for that: what does not stand in order is made anew, never
 * the row that has the focus, as an element that is moved loses it.
 */
export const rowElements = () => {
  let elements: readonly RowElement[] = [];
  let made = 0;
  let focused: string | null = null;

  const fresh = (id: string): RowElement => {
    made += 1;
    return { key: String(made), id, isBound: false };
  };

  /** Each element where it was. */
  const filled = (ids: readonly string[]): readonly RowElement[] => {
    const wanted = new Set(ids);
    const known = new Set(elements.map(({ id }) => id));
    const come = ids.filter((id) => !known.has(id));
    const next: RowElement[] = [];
    let taken = 0;
    for (const element of elements) {
      if (wanted.has(element.id)) next.push(element);
      else if (!element.isBound) {
        const id = come[taken];
        taken += 1;
        if (id !== undefined) next.push({ ...element, id });
      }
    }
    return [...next, ...come.slice(taken).map(fresh)];
  };

  const ordered = (ids: readonly string[], all: readonly RowElement[]): readonly RowElement[] => {
    if (ids.every((id, index) => all[index]?.id === id)) return all;
    const places = new Map(all.map(({ id }, place) => [id, place]));
    const kept = longestRun(
      ids.map((id) => places.get(id) ?? 0),
      focused === null ? -1 : ids.indexOf(focused),
    );
    return ids.map((id, index) => (kept.has(index) && all[places.get(id) ?? -1]) || fresh(id));
  };

  return {
    /** The row in which the focus is or was last: whoever gives it back must not find another row there. */
    hold(id: string): void {
      focused = id;
      elements = elements.map((element) => (element.id === id ? { ...element, isBound: true } : element));
    },
    /** The elements in the order in which they are to stand in the document. */
    assign({ ids, isScrolling, isBound }: WantedRows): readonly RowElement[] {
      const all = filled(ids);
      const next = isScrolling ? all : ordered(ids, all);
      elements = next.map((element) => ({ ...element, isBound: element.id === focused || isBound(element.id) }));
      return elements;
    },
  };
};

/** So many rows are remembered: the active one, the ends of a range, the one under edit, those that the pointer touched last. */
const remembered = 16;
/** So far from where it was a row is looked for before it is looked for everywhere. */
const near = 16;

/**
 * Finds where rows are by their ids. There is no index of all rows, as with each change of one among 100,000 it would have to be made anew:
 * a row is looked for where it was last, then near by, and among all of them only once in each place that it comes to.
 */
export const placeFinder = () => {
  /** By id, the one asked for last at the end. */
  const last = new Map<string, number>();
  const remember = (id: string, place: number): void => {
    last.delete(id);
    last.set(id, place);
    const [oldest] = last.keys();
    if (last.size > remembered && oldest !== undefined) last.delete(oldest);
  };

  /** The place of a row; −1 = it is not there. `lastAt`: where it may be. */
  return <Row>(rows: readonly Row[], idOf: (row: Row) => string, id: string, lastAt: number): number => {
    const isAt = (place: number): boolean => {
      const row = rows[place];
      return row !== undefined && idOf(row) === id;
    };
    if (isAt(lastAt)) return lastAt;
    const known = last.get(id);
    if (known !== undefined)
      for (let steps = 0; steps <= near; steps += 1) {
        const place = isAt(known + steps) ? known + steps : isAt(known - steps) ? known - steps : -1;
        if (place < 0) continue;
        if (place !== known) remember(id, place);
        return place;
      }
    const place = rows.findIndex((row) => idOf(row) === id);
    if (place >= 0) remember(id, place);
    return place;
  };
};

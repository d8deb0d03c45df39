/** Rows out of sight that are there all the same, above and below together. */
const outOfSight = 12;
/** How many of them are behind while the table scrolls. */
const behind = 2;

interface SeenRows {
  /** The first row in sight, and the last one. */
  readonly startIndex: number;
  readonly endIndex: number;
  /** Of all rows. */
  readonly count: number;
  /** How many rows may be in sight at once, those at the edges counted. */
  readonly fit: number;
  readonly direction: 'forward' | 'backward' | null;
  /** Rows that are always there; −1 = none. */
  readonly always: readonly number[];
}

/**
 * Which rows are in the document, ascending: always as many, most of those out of sight where the table scrolls to, and at rest where it
 * left them.
 */
export const rowWindow = () => {
  let before = 0;
  return ({ startIndex, endIndex, count, fit, direction, always }: SeenRows): number[] => {
    const length = Math.max(fit, endIndex - startIndex + 1) + outOfSight;
    const isCovered = before <= startIndex && before + length > endIndex;
    const above = direction === 'forward' ? behind : direction === 'backward' ? outOfSight - behind : outOfSight / 2;
    const wanted = direction === null && isCovered ? before : startIndex - above;
    const first = Math.max(0, Math.min(wanted, count - length));
    before = first;
    const rows = new Set(always.filter((index) => index >= 0 && index < count));
    for (let index = first; index < Math.min(count, first + length); index += 1) rows.add(index);
    return [...rows].sort((a, b) => a - b);
  };
};

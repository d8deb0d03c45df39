/** Where events of the source stand on the server. Only the places that somebody names are known. */
export interface MovedPlaces {
  /** Whether an event was moved from there. */
  has(position: number): boolean;
  /** Throws a RangeError for a place that no event was moved from. */
  of(position: number): number;
  /** Of the last event at or before this position of the source; 0 when there is none. */
  upTo(position: number): number;
}

/** Collects them while the log is read. `wanted`: positions of the source. */
export const placesOf = (wanted: Iterable<number>) => {
  const exactly = new Map<number, number>();
  const missing = new Set(wanted);
  const bounds = [...missing].toSorted((a, b) => a - b);
  const below = new Map<number, number>();
  let at = 0;
  let last = 0;
  const pass = (position: number): void => {
    for (; at < bounds.length && (bounds[at] as number) < position; at += 1) below.set(bounds[at] as number, last);
  };
  return {
    add(from: number, to: number): void {
      pass(from);
      last = to;
      if (missing.has(from)) exactly.set(from, to);
    },
    places(): MovedPlaces {
      pass(Number.POSITIVE_INFINITY);
      return {
        has: (position) => exactly.has(position),
        of(position) {
          const found = exactly.get(position);
          if (found === undefined) throw new RangeError(`No event was moved from position ${position}`);
          return found;
        },
        upTo: (position) => below.get(position) ?? 0,
      };
    },
  };
};

import type { AllFilter } from './filter.ts';
import type { LoggedEvent } from './stand-in-log.ts';

/** Matching events that the server takes together from the log, for a read or for a subscription that catches up. */
const pageSize = 32;

/** One look of the server into the log. */
export interface Page {
  /** What matches, in the direction of reading. */
  readonly events: readonly LoggedEvent[];
  /** Events that were looked at. */
  readonly considered: number;
  /** Index that the next page begins at. */
  readonly next: number;
  /** The log ended before the page was full. */
  readonly isEnd: boolean;
}

/** A page from an index on: as many matching events as fit, out of as many as the filter's window spans. */
export const pageOf = (
  log: readonly LoggedEvent[],
  from: number,
  step: 1 | -1,
  filter: AllFilter | null,
  most = pageSize,
): Page => {
  const events: LoggedEvent[] = [];
  const [size, window] = [Math.min(pageSize, most), filter?.window ?? Number.POSITIVE_INFINITY];
  let index = from;
  let considered = 0;
  while (events.length < size && considered < window) {
    const event = log[index];
    if (event === undefined) return { events, considered, next: index, isEnd: true };
    considered += 1;
    index += step;
    if (filter === null || filter.accepts(event)) events.push(event);
  }
  return { events, considered, next: index, isEnd: false };
};

/** Between two pages: what else the server has to do gets its turn. */
export const nextPage = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

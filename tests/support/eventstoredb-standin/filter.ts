import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { LoggedEvent } from './stand-in-log.ts';

/** What a page of `$all` considers when the client names no window. */
const defaultWindow = 32;

export interface AllFilter {
  accepts(event: LoggedEvent): boolean;
  /** Events considered in one page. */
  readonly window: number;
  /** Events considered between two checkpoints. */
  readonly checkpointInterval: number;
}

/** Null: no filter. Throws a `SyntaxError` for a pattern that is none. */
export const filterOf = (options: ReadReq.Options): AllFilter | null => {
  const filter = options.getFilter();
  if (filter === undefined) return null;
  const byStream = filter.getStreamIdentifier();
  const expression = byStream ?? filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = expression?.getRegex() ?? '';
  const pattern = regex === '' ? null : new RegExp(regex);
  const accepts = (text: string): boolean =>
    pattern === null ? prefixes.some((prefix) => text.startsWith(prefix)) : pattern.test(text);
  const window = filter.hasMax() ? filter.getMax() : defaultWindow;
  return {
    accepts: byStream === undefined ? ({ type }) => accepts(type) : ({ stream }) => accepts(stream),
    window,
    checkpointInterval: window * Math.max(1, filter.getCheckpointintervalmultiplier()),
  };
};

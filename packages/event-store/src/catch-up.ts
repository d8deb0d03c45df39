import type { Position } from './event-store.ts';

/** One way from where a follower is to where the log ended when it set out. */
export interface CatchUp {
  readonly until: Position;
  /** How far that is, in positions. */
  readonly lack: number;
}

export const catchUpTo = (head: Position, reached: Position): CatchUp => ({ until: head, lack: head - reached });

/**
 * The way that a follower goes on after the last one, on which the log has grown; null = it has caught up. It goes on only while what it
 * lacks is at most half of what it lacked before: a log that grows faster than it is followed has no other end.
 */
export const nextCatchUp = ({ lack }: CatchUp, head: Position, reached: Position): CatchUp | null => {
  const next = catchUpTo(head, reached);
  return next.lack > 0 && next.lack <= lack / 2 ? next : null;
};

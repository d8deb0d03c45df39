import { type CatchUp, catchUpTo, nextCatchUp } from '../catch-up.ts';
import type { Position } from '../event-store.ts';

/** Where a follower is; outlives the subscriptions that it goes on by. */
export interface FollowerPlace {
  /** Everything up to here was delivered. */
  reached: Position;
  /** Where it will have caught up; null = that was said. */
  way: CatchUp | null;
}

export interface CaughtUpDeps {
  readonly place: FollowerPlace;
  /** Whether more than one batch is to come. */
  readonly isBehind: () => boolean;
  /** Where the log ends now; undefined when nobody wants to know any more. */
  readonly end: () => Promise<Position | undefined>;
}

/**
 * Decides when a follower has caught up: when it was delivered everything up to where the log ended as it set out. The server's word alone
 * is not enough. It comes once and ahead of what is sent next, so that whoever always lacks a batch would wait for ever until nothing is
 * left; and the checkpoint that goes with it is the last event that was wanted, which may lie before the end.
 */
export const caughtUpSigns = ({ place, isBehind, end }: CaughtUpDeps) => {
  /** Whether the server has said that it has no more, and that was not told yet. */
  let offered = false;
  let told: Position | undefined;

  const nextWay = async (): Promise<void> => {
    const { way, reached } = place;
    if (way !== null && reached < way.until) return;
    const behind = isBehind();
    if (way === null && !behind) return;
    const head = behind ? await end() : undefined;
    if (head === undefined || head <= reached) place.way = null;
    else place.way = way === null ? catchUpTo(head, reached) : nextCatchUp(way, head, reached);
  };

  return {
    /** The server has no more up to where the follower is. */
    offer() {
      offered = true;
    },
    /** What the server has said does not hold any more. */
    takeBack() {
      offered = false;
    },
    /** Whether its way has ended here, so that this is to be told before anything else is delivered. */
    async isThere(): Promise<boolean> {
      const before = place.way;
      await nextWay();
      if (before === null || place.way !== null) return false;
      told = place.reached;
      return true;
    },
    /** Whether that is to be told now that nothing waits to be delivered. */
    isDone(): boolean {
      if (!offered) return false;
      const isNews = told !== place.reached;
      [place.way, offered, told] = [null, false, undefined];
      return isNews;
    },
  };
};

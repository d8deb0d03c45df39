import type { Live } from '../live/live.ts';
import { PastMoments, type PastMomentsDeps, type PastState } from './past-moments.ts';

export interface PastViewDeps extends PastMomentsDeps {
  /** The line of now: what is held in the past stays held there, so that now is there again at once. */
  readonly live: Live;
}

/** Moments of the past, read over HTTP, one replica each; its `live` stands for the live channel below. */
export interface PastView {
  /** The last one that was asked for wins; what was under way for another is given up. */
  readonly show: (at: string) => void;
  readonly leave: () => void;
  readonly retry: () => void;
  readonly state: () => PastState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly live: Live;
}

const nobody: ReturnType<Live['people']> = [];

/** The live channel as it is below a moment of the past. */
const pastLive = (live: Live, moments: PastMoments): Live => ({
  ...live,
  hold(scope) {
    const releaseNow = live.hold(scope);
    const releaseThen = moments.hold(scope);
    return () => {
      releaseNow();
      releaseThen();
    };
  },
  // Nobody works in the past, and nobody is shown there.
  present: () => undefined,
  people: () => nobody,
  authorOf: () => null,
  retryNow() {
    moments.retry();
    live.retryNow();
  },
  scopeStatus: (scope) => moments.scopeStatus(scope),
  subscribe(listener) {
    const stopNow = live.subscribe(listener);
    const stopThen = moments.subscribe(listener);
    return () => {
      stopNow();
      stopThen();
    };
  },
});

export const pastView = ({ live, ...deps }: PastViewDeps): PastView => {
  const moments = new PastMoments(deps);
  return {
    show: (at) => moments.show(at),
    leave: () => moments.leave(),
    retry: () => moments.retry(),
    state: () => moments.state,
    subscribe: (listener) => moments.subscribe(listener),
    live: pastLive(live, moments),
  };
};

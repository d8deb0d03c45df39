/** A turn at something of which only some goes on at once; given back once, however often that is said. */
export interface Place {
  leave(): void;
}

export interface Places {
  /** In the order of asking. Null: none became free in time, or too many wait. Rejects with the signal's reason. */
  enter(key: string, signal: AbortSignal, patience?: number | null): Promise<Place | null>;
  /** Keys held. */
  readonly size: number;
}

export interface Timers {
  readonly setTimeout: (run: () => void, milliseconds: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
}

export const processTimers: Timers = {
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

export interface PlacesOptions {
  /** Of each key at once. */
  readonly most: number;
  /** Of each key that wait. */
  readonly mostWaiting: number;
  /** Milliseconds, where nothing else is said; null = for ever. */
  readonly patience: number;
  readonly timers?: Timers;
}

interface Lane {
  taken: number;
  readonly waiting: Set<() => void>;
}

/** Turns by key. */
export const places = ({ most, mostWaiting, patience: usual, timers = processTimers }: PlacesOptions): Places => {
  const lanes = new Map<string, Lane>();

  const placeIn = (key: string, lane: Lane): Place => {
    let left = false;
    return {
      leave() {
        if (left) return;
        left = true;
        const [next] = lane.waiting;
        if (next !== undefined) return next();
        lane.taken -= 1;
        if (lane.taken === 0) lanes.delete(key);
      },
    };
  };

  const turnOf = (lane: Lane, signal: AbortSignal, patience: number | null): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const over = (): void => {
        lane.waiting.delete(begin);
        signal.removeEventListener('abort', giveUp);
        if (timer !== null) timers.clearTimeout(timer);
      };
      const begin = (): void => {
        over();
        resolve(true);
      };
      const giveUp = (): void => {
        over();
        reject(signal.reason as Error);
      };
      const late = (): void => {
        over();
        resolve(false);
      };
      const timer = patience === null ? null : timers.setTimeout(late, patience);
      signal.addEventListener('abort', giveUp, { once: true });
      lane.waiting.add(begin);
    });

  return {
    async enter(key, signal, patience = usual) {
      signal.throwIfAborted();
      const lane = lanes.get(key) ?? { taken: 0, waiting: new Set<() => void>() };
      lanes.set(key, lane);
      if (lane.taken < most) {
        lane.taken += 1;
        return placeIn(key, lane);
      }
      // Whoever has begun goes on: only newcomers are sent away.
      if (patience !== null && lane.waiting.size >= mostWaiting) return null;
      return (await turnOf(lane, signal, patience)) ? placeIn(key, lane) : null;
    },
    get size() {
      return lanes.size;
    },
  };
};

/** What is done to the sockets when an order is given. */
export interface Wires {
  /** Cuts every connection now; `abruptly` with a reset instead of an end. */
  cut(abruptly: boolean): void;
  /** Closes the port and cuts every connection. */
  close(): Promise<void>;
  /** Opens the same port again. */
  open(): Promise<void>;
}

/** How a live subscription is ended: with an error of the server, or as if it were complete. */
export type SubscriptionEnd = 'unavailable' | 'complete';

/** `silence`: never answered; `cut`: all connections are cut in its place; `timeout`: the server says that it does not know. */
export type LostAnswer = 'silence' | 'cut' | 'timeout';

export interface Pause {
  /** Resolves with the stream's name when an append is being held. */
  readonly reached: Promise<string>;
  /** Lets held and later appends go on. */
  release(): void;
}

/** Orders to misbehave. Each holds until its opposite is given; `allow()` undoes all that last. */
export interface Faults {
  /** Every answer and every pushed event leaves this many milliseconds late. */
  delay(milliseconds: number): void;
  /** `connections`: cut them all now. `subscriptions`: only end the live subscriptions, in the given way. */
  drop(what?: 'connections' | 'subscriptions', how?: SubscriptionEnd): void;
  /** All connections are reset after this many more messages of the server. */
  reset(afterMessages: number): void;
  /** Appends and reads fail; running subscriptions go on. `not-ready`: as a starting server answers an append of a batch stream. */
  refuse(how?: 'unavailable' | 'not-ready'): void;
  /** Ends `delay`, `refuse`, `reset` and `loseAnswer`, and releases every pause. */
  allow(): void;
  /** The next appends (to streams that match) are carried out, but not answered. Resolves when so many were lost. */
  loseAnswer(count: number, how?: LostAnswer, stream?: RegExp): Promise<void>;
  /** After this many matching appends the next are held before they are carried out; one whose connection goes meanwhile never is. */
  pauseAfter(count: number, stream: RegExp): Pause;
  /** The next matching append is held before it is carried out, as one that is slow on its way; those behind it are not. */
  holdNext(stream: RegExp): Pause;
  /** Reads through a filter stop behind their first page, and so does every later one. */
  holdSearches(): Pick<Pause, 'release'> & { readonly reached: Promise<void> };
  /** Live subscriptions say that they fell behind, and catch up again. */
  fallBehind(): void;
  /** Closes the port and cuts every connection; the log stays. */
  away(): Promise<void>;
  /** Opens the same port again. */
  back(): Promise<void>;
  /** `away`, then `back`. */
  restart(): Promise<void>;
}

/** A live subscription as the faults see it. */
export interface LiveSubscription {
  end(how: SubscriptionEnd): void;
  fallBehind(): void;
}

/** What the services ask before they act. */
export interface FaultGate {
  /** Milliseconds that the next answer waits. */
  delayed(): number;
  /** One message leaves. */
  sent(): void;
  refusal(): 'unavailable' | 'not-ready' | null;
  /** Resolves when an append to the stream may be carried out; null: at once. */
  hold(stream: string): Promise<void> | null;
  /** Resolves when a read through a filter may go on with its next page; null: at once. */
  holdSearch(): Promise<void> | null;
  /** How the answer to an append that was carried out is lost; null: it is not. */
  lost(stream: string): LostAnswer | null;
  /** Cuts every connection. */
  cut(): void;
  /** Keeps a live subscription known; the answer forgets it. */
  register(subscription: LiveSubscription): () => void;
}

interface Losing {
  left: number;
  readonly how: LostAnswer;
  readonly stream: RegExp | null;
  readonly done: () => void;
}

interface Pausing {
  left: number;
  /** Whether one append is held and no other. */
  readonly once: boolean;
  readonly stream: RegExp;
  readonly released: Promise<void>;
  readonly release: () => void;
  readonly reach: (stream: string) => void;
}

const deferred = <T>(): { promise: Promise<T>; resolve: (value: T) => void } => {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

/** Both sides of misbehaving: the orders, and what they mean to an answer in the making. */
export const faultBox = (wires: Wires): { readonly faults: Faults; readonly gate: FaultGate } => {
  let delay = 0;
  let untilReset = Number.POSITIVE_INFINITY;
  let refusing: 'unavailable' | 'not-ready' | null = null;
  let losing: Losing | null = null;
  let holding: { readonly released: Promise<void>; readonly release: () => void; readonly reach: () => void } | null =
    null;
  const pauses = new Set<Pausing>();
  const subscriptions = new Set<LiveSubscription>();

  const restart = async (): Promise<void> => {
    await wires.close();
    await wires.open();
  };

  const pausing = (left: number, once: boolean, stream: RegExp): Pause => {
    const released = deferred<void>();
    const reached = deferred<string>();
    const pause: Pausing = {
      left,
      once,
      stream,
      released: released.promise,
      release: () => {
        pauses.delete(pause);
        released.resolve();
      },
      reach: reached.resolve,
    };
    pauses.add(pause);
    return { reached: reached.promise, release: pause.release };
  };

  const faults: Faults = {
    delay: (milliseconds) => {
      delay = milliseconds;
    },
    drop: (what = 'connections', how = 'unavailable') => {
      if (what === 'connections') wires.cut(false);
      else for (const subscription of subscriptions) subscription.end(how);
    },
    reset: (afterMessages) => {
      untilReset = afterMessages;
      if (afterMessages === 0) {
        untilReset = Number.POSITIVE_INFINITY;
        wires.cut(true);
      }
    },
    refuse: (how = 'unavailable') => {
      refusing = how;
    },
    allow: () => {
      delay = 0;
      untilReset = Number.POSITIVE_INFINITY;
      refusing = null;
      losing = null;
      for (const pause of pauses) pause.release();
      holding?.release();
    },
    loseAnswer: (count, how = 'silence', stream) => {
      const { promise, resolve } = deferred<void>();
      losing = { left: count, how, stream: stream ?? null, done: () => resolve() };
      return promise;
    },
    pauseAfter: (count, stream) => pausing(count, false, stream),
    holdNext: (stream) => pausing(0, true, stream),
    holdSearches: () => {
      const [released, reached] = [deferred<void>(), deferred<void>()];
      const release = (): void => {
        holding = null;
        released.resolve();
      };
      holding = { released: released.promise, release, reach: () => reached.resolve() };
      return { reached: reached.promise, release };
    },
    fallBehind: () => {
      for (const subscription of subscriptions) subscription.fallBehind();
    },
    away: () => wires.close(),
    back: () => wires.open(),
    restart,
  };

  const gate: FaultGate = {
    delayed: () => delay,
    sent: () => {
      untilReset -= 1;
      if (untilReset > 0) return;
      untilReset = Number.POSITIVE_INFINITY;
      // The message that was the last one shall still leave.
      setImmediate(() => wires.cut(true));
    },
    refusal: () => refusing,
    hold: (stream) => {
      for (const pause of pauses) {
        if (!pause.stream.test(stream)) continue;
        if (pause.left < 0) continue;
        if (pause.left > 0) {
          pause.left -= 1;
          continue;
        }
        if (pause.once) pause.left = -1;
        pause.reach(stream);
        return pause.released;
      }
      return null;
    },
    holdSearch: () => {
      holding?.reach();
      return holding?.released ?? null;
    },
    lost: (stream) => {
      if (losing === null || losing.stream?.test(stream) === false) return null;
      const { how, done } = losing;
      losing.left -= 1;
      if (losing.left === 0) {
        losing = null;
        done();
      }
      return how;
    },
    cut: () => wires.cut(false),
    register: (subscription) => {
      subscriptions.add(subscription);
      return () => subscriptions.delete(subscription);
    },
  };
  return { faults, gate };
};

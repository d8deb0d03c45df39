/** A command that waits. */
export interface Hold {
  /** Resolves when it has come. */
  readonly arrived: Promise<void>;
  release(): void;
}

/** Misbehaviour on order. */
export interface Faults {
  /** Every command but the monitoring waits so long before it is carried out; 0 ends it. */
  delay(milliseconds: number): void;
  /** Cuts all connections now. */
  drop(): void;
  /**
   * Cuts the connection that brings the command, the n-th from now (1 = the next): after it was carried out, or without.
   */
  dropDuring(command: string, nth?: number, carriedOut?: 'carried out' | 'not carried out'): void;
  /** The command, the n-th from now (1 = the next), is carried out only when it is let go; others go on meanwhile. */
  hold(command: string, nth?: number): Hold;
  /** Answers everything with ShutdownInProgress, or as a secondary does, until `allow`. */
  refuse(as?: 'shutting down' | 'secondary'): void;
  allow(): void;
  /** The next writes within transactions answer WriteConflict. */
  conflict(times: number): void;
  /** Is a secondary for so long, then primary again; open transactions are gone. */
  stepDown(milliseconds?: number): Promise<void>;
  /** Ends all change streams. `resumable`: the driver opens them again by itself; `history lost`: no token from before is known any more. */
  endChangeStreams(how?: 'resumable' | 'history lost'): void;
  /** Goes away and comes back on the same port after so long: data and answers of retryable writes are kept, all else is gone. */
  restart(milliseconds?: number): Promise<void>;
  /** How many connections, cursors and commands by name there have been or are. */
  counts(): {
    readonly connections: number;
    readonly cursors: number;
    readonly commands: Readonly<Record<string, number>>;
  };
}

/** What is ordered of single commands. */
export interface FaultState {
  readonly delay: number;
  setDelay(milliseconds: number): void;
  orderDrop(command: string, nth: number, carriedOut: boolean): void;
  /** Counts the command; whether its connection is to be cut, and when. */
  dropFor(command: string): 'before' | 'after' | null;
  orderHold(command: string, nth: number): Hold;
  /** Resolves when the command may be carried out; counts it. */
  heldFor(command: string): Promise<void>;
  orderConflicts(times: number): void;
  takeConflict(): boolean;
}

export const faultState = (): FaultState => {
  let delay = 0;
  let conflicts = 0;
  let holds: { readonly command: string; left: number; readonly arrive: () => void; readonly until: Promise<void> }[] =
    [];
  let drops: { readonly command: string; left: number; readonly carriedOut: boolean }[] = [];
  return {
    get delay() {
      return delay;
    },
    setDelay: (milliseconds) => {
      delay = milliseconds;
    },
    orderDrop: (command, nth, carriedOut) => {
      drops.push({ command, left: nth, carriedOut });
    },
    dropFor: (command) => {
      for (const drop of drops) if (drop.command === command) drop.left -= 1;
      const due = drops.find(({ left }) => left <= 0);
      if (due === undefined) return null;
      drops = drops.filter((drop) => drop !== due);
      return due.carriedOut ? 'after' : 'before';
    },
    orderHold: (command, nth) => {
      let [arrive, release] = [(): void => undefined, (): void => undefined];
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      holds.push({ command, left: nth, arrive: () => arrive(), until });
      return { arrived, release: () => release() };
    },
    heldFor: async (command) => {
      for (const hold of holds) if (hold.command === command) hold.left -= 1;
      const due = holds.find(({ left }) => left <= 0);
      if (due === undefined) return;
      holds = holds.filter((hold) => hold !== due);
      due.arrive();
      await due.until;
    },
    orderConflicts: (times) => {
      conflicts = times;
    },
    takeConflict: () => {
      if (conflicts === 0) return false;
      conflicts -= 1;
      return true;
    },
  };
};

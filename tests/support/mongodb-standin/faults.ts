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
  orderConflicts(times: number): void;
  takeConflict(): boolean;
}

export const faultState = (): FaultState => {
  let delay = 0;
  let conflicts = 0;
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

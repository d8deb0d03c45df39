/** Milliseconds at most between the end of one look and the beginning of the next. */
const longestRest = 250;
/** Milliseconds after which the others wait no more for a look that does not end. */
const longestLook = 15_000;

interface Waiting {
  /** Whether whoever waits has hung up. */
  readonly isGone: () => boolean;
  /** False: no turn comes any more. */
  readonly turn: (comes: boolean) => void;
}

/** The line of unknown devices at the password hasher, of all doors together. */
export interface UnknownDeviceQueue {
  /**
   * Looks at one of them in its turn. Undefined, without a look, when it had to make room or has hung up: nothing was learnt then.
   * `address`: where it comes from, as `addressOf` has it.
   */
  look<Result>(address: string, isGone: () => boolean, look: () => Promise<Result>): Promise<Result | undefined>;
  /** Sends the last one away of the address with most in line, if that has at least two more than `address`; false = there is none. */
  makeRoomFor(address: string): boolean;
}

/**
 * One after another, the addresses in turn, with a rest as long as each look took, 250 ms at most: a flood takes half of a core as long as a
 * look takes less than that, whoever is known waits at the hasher behind a single one, and no address keeps the others out.
 */
export const unknownDeviceQueue = (): UnknownDeviceQueue => {
  /** By address; the one whose turn is next comes first. */
  const lines = new Map<string, Waiting[]>();
  let isBusy = false;

  const first = (): Waiting | undefined => {
    for (const [address, line] of lines) {
      lines.delete(address);
      const waiting = line.shift();
      if (line.length > 0) lines.set(address, line);
      return waiting;
    }
    return undefined;
  };

  const next = (): void => {
    for (let waiting = first(); waiting !== undefined; waiting = first()) {
      const comes = !waiting.isGone();
      waiting.turn(comes);
      if (comes) return;
    }
    isBusy = false;
  };

  const itsTurn = async (address: string, isGone: () => boolean): Promise<boolean> => {
    if (!isBusy) {
      isBusy = true;
      return true;
    }
    return new Promise((turn) => {
      const waiting = { isGone, turn };
      const line = lines.get(address);
      if (line === undefined) lines.set(address, [waiting]);
      else line.push(waiting);
    });
  };

  return {
    async look(address, isGone, look) {
      if (!(await itsTurn(address, isGone))) return undefined;
      const began = performance.now();
      const rest = (): void => void setTimeout(next, Math.min(performance.now() - began, longestRest));
      let isOver = false;
      const end = (): void => {
        if (!isOver) rest();
        isOver = true;
      };
      const patience = setTimeout(end, longestLook);
      try {
        return await look();
      } finally {
        clearTimeout(patience);
        end();
      }
    },
    makeRoomFor(address) {
      const own = lines.get(address)?.length ?? 0;
      const [longest] = [...lines.values()].sort((a, b) => b.length - a.length);
      if (longest === undefined || longest.length < own + 2) return false;
      longest.pop()?.turn(false);
      return true;
    },
  };
};

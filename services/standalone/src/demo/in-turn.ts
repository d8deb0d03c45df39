import { setImmediate as turn } from 'node:timers/promises';
import type { EventStore } from '@zakup/event-store/event-store';

/** Most that is under way at once, and after how many the store gets its turn: it writes the ones while the next decide. */
const [most, together] = [256, 32] as const;

/** A line of works that decide one after the other and become durable together. */
export interface Turns {
  /** What the works append to: their decisions end where they do. */
  readonly eventStore: EventStore;
  /**
   * Begins a work when everything before it on its lanes is done; null: when everything is. Resolves when it has decided, so that the
   * order of the log, and the instant of a decision, are those of the beginnings. Rejects with the error of any work before.
   */
  readonly begin: (lanes: readonly string[] | null, work: () => Promise<void>) => Promise<void>;
  readonly allDone: () => Promise<void>;
}

export const inTurn = (eventStore: EventStore): Turns => {
  const underWay = new Set<Promise<void>>();
  const lastOn = new Map<string, Promise<void>>();
  let decided: () => void = () => undefined;
  let begun = 0;
  let roomMade: () => void = () => undefined;
  let failure: { readonly error: unknown } | null = null;

  const allDone = async (): Promise<void> => {
    await Promise.all(underWay);
    if (failure !== null) throw failure.error;
  };

  return {
    allDone,

    eventStore: {
      ...eventStore,
      append: (writes, options) => {
        const appended = eventStore.append(writes, options);
        decided();
        return appended;
      },
    },

    async begin(lanes, work) {
      if (lanes === null) await allDone();
      else for (const lane of lanes) await lastOn.get(lane);
      if (underWay.size >= most) await new Promise<void>((resolve) => (roomMade = resolve));
      begun += 1;
      if (begun % together === 0) await turn();
      if (failure !== null) throw failure.error;
      await new Promise<void>((resolve) => {
        decided = resolve;
        const done = work()
          .catch((error: unknown) => {
            failure ??= { error };
          })
          .finally(() => {
            underWay.delete(done);
            roomMade();
            for (const lane of lanes ?? []) if (lastOn.get(lane) === done) lastOn.delete(lane);
            resolve();
          });
        underWay.add(done);
        for (const lane of lanes ?? []) lastOn.set(lane, done);
      });
      if (lanes === null) await allDone();
    },
  };
};

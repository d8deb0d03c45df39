import { EventStoreUnavailable } from '@zakup/event-store/event-store';
import type { OpenEventStore } from './command-service.ts';

/** A log on which the process of a command ends at a chosen step. */
export interface EndingLog {
  readonly open: OpenEventStore;
  /** The process ends at its n-th step from now on, from 0: nothing that it would have done after that is done. */
  endAt(n: number): void;
  /** Another process begins. Resolves with whether the one before had ended. */
  restart(): Promise<boolean>;
}

/**
 * Steps are the calls of the port: each once before it is made and once when it was made, but not answered. `stepsWithin` is given a
 * function that the store calls before each step of its own.
 */
export const endingLog = (
  openInner: OpenEventStore,
  stepsWithin: (step: () => void) => void = () => undefined,
): EndingLog => {
  let left = Number.POSITIVE_INFINITY;
  let ended = false;

  const step = (): void => {
    if (left <= 0) ended = true;
    left -= 1;
    if (ended) throw new EventStoreUnavailable('The process has ended');
  };
  const stepped = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    step();
    const answer = await call();
    step();
    return answer;
  };

  return {
    async open(clock) {
      const inner = await openInner(clock);
      stepsWithin(step);
      const { unfinished } = inner;
      return {
        ...inner,
        ...(unfinished !== undefined && {
          unfinished: {
            findPartial: (...given) => stepped(() => unfinished.findPartial(...given)),
            abandon: (...given) => stepped(() => unfinished.abandon(...given)),
          },
        }),
        append: (...given) => stepped(() => inner.append(...given)),
        read: (...given) => stepped(() => inner.read(...given)),
        revision: (...given) => stepped(() => inner.revision(...given)),
        readLicence: (...given) => stepped(() => inner.readLicence(...given)),
        readCommand: (...given) => stepped(() => inner.readCommand(...given)),
        head: () => stepped(() => inner.head()),
      };
    },
    endAt(n) {
      left = n;
    },
    async restart() {
      const had = ended;
      ended = false;
      left = Number.POSITIVE_INFINITY;
      return had;
    },
  };
};

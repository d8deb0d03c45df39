import { type Semaphore, semaphore } from '@zakup/async/semaphore';
import { serialQueue } from '@zakup/async/serial-queue';
import { declaredFields } from '@zakup/contracts/read-models';
import type { EventStore } from '@zakup/event-store/event-store';
import { LicenceFold, type MomentAsked, type Past } from '@zakup/projections/past/licence-fold';

export interface SnapshotCacheOptions {
  readonly eventStore: Pick<EventStore, 'readLicence'>;
  /** Documents of common size that are held at most, some half a kilobyte each; default 250,000. */
  readonly capacity?: number;
  /** Most events that are folded anew for one moment, while there is room. */
  readonly interval?: number;
}

/** Licences as they were, folded from the log when somebody asks, and held as long as there is room. It dies with the process, so it is always of the projections that the process runs. */
export interface SnapshotCache {
  /** What is asked for must lie behind the end of the log. Rejects with the signal's reason, and with what the event store throws. */
  at(licenceId: string, asked: MomentAsked, signal: AbortSignal): Promise<Past>;
  /** Whether it is there without folding the licence on. */
  isNear(licenceId: string, asked: MomentAsked): boolean | Promise<boolean>;
  /** What is held, in documents of common size. */
  weight(): number;
}

/** Of one licence: each holds the events that it still has to fold. */
const momentsAtOnce = 8;

/** Nothing is folded before somebody asks. */
export const snapshotCache = ({ eventStore, capacity = 250_000, interval }: SnapshotCacheOptions): SnapshotCache => {
  const shared = serialQueue();
  /** Those that were asked for last stand last. */
  const folds = new Map<string, LicenceFold>();
  const lanes = new Map<string, Semaphore>();

  const weight = (): number => {
    let total = 0;
    for (const fold of folds.values()) total += fold.weight();
    return total;
  };

  /** Lets others go first, then has the one that is wanted hold less. */
  const makeRoom = async (wanted: string): Promise<void> => {
    for (const id of folds.keys()) {
      if (weight() <= capacity) return;
      if (id !== wanted) folds.delete(id);
    }
    while (weight() > capacity) if ((await folds.get(wanted)?.thin()) !== true) return;
  };

  const foldOf = (licenceId: string): LicenceFold => {
    const known = folds.get(licenceId);
    const fold =
      known ??
      new LicenceFold({
        eventStore,
        licenceId,
        declared: declaredFields,
        queue: shared,
        onGrown: () => makeRoom(licenceId),
        ...(interval !== undefined && { interval }),
      });
    folds.delete(licenceId);
    folds.set(licenceId, fold);
    return fold;
  };

  return {
    async at(licenceId, asked, signal) {
      const lane = lanes.get(licenceId) ?? semaphore(momentsAtOnce);
      lanes.set(licenceId, lane);
      try {
        return await lane.run(async () => {
          const past = await foldOf(licenceId).at(asked, signal);
          await makeRoom(licenceId);
          return past;
        }, signal);
      } finally {
        if (lane.isIdle() && lanes.get(licenceId) === lane) lanes.delete(licenceId);
      }
    },
    isNear: (licenceId, asked) => folds.get(licenceId)?.isNear(asked) === true,
    weight,
  };
};

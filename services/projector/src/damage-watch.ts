import { type BackOff, backOff } from '@zakup/async/back-off';
import { type DamageNotice, noticeNames } from '@zakup/contracts/notices';
import type { EventStore } from '@zakup/event-store/event-store';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { ProjectorLog } from './run-projector.ts';

export interface DamageWatchOptions {
  readonly eventStore: Pick<EventStore, 'readLicence'>;
  readonly readStore: Pick<ReadStore, 'notice'>;
  /** Compares a licence with its events now and puts it right. */
  readonly lookAt: (licenceId: string) => Promise<void>;
  readonly signal: AbortSignal;
  /** Waits between two looks for a notice; ends early with the signal. */
  readonly pause: () => Promise<void>;
  /** Milliseconds that only go forward; default: the process's own. */
  readonly clock?: () => number;
  readonly log?: ProjectorLog | undefined;
}

/** Milliseconds: the first rest of a licence after it was put right, the longest, and the quiet after which it counts as sound. */
const rests: BackOff = { first: 1_000, longest: 600_000 };
const sound = 60_000;
/** So many looks without a quiet time between them are an alarm: more than one report brings, however often it is repeated. */
const alarming = 5;

/** Puts right what readers tell to be damaged, each licence the more seldom the more often it was in vain. Resolves when it is over. */
export const watchDamage = async ({
  eventStore,
  readStore,
  lookAt,
  signal,
  pause,
  clock = () => performance.now(),
  log,
}: DamageWatchOptions): Promise<void> => {
  const looked = new Map<string, { readonly times: number; readonly until: number }>();
  let handled: string | null = null;

  const putRight = async (licenceId: string): Promise<void> => {
    const before = looked.get(licenceId);
    if (before !== undefined && clock() < before.until) return;
    const times = (before?.times ?? 0) + 1;
    looked.set(licenceId, { times, until: clock() + backOff(rests, times - 1) });
    if (times >= alarming) log?.error({ licenceId, times }, 'A licence is damaged again and again');
    try {
      // What is damaged may be the name of the licence: nothing is folded, nor written, for one that has no events.
      if ((await eventStore.readLicence(licenceId, { limit: 1 })).length === 0) {
        log?.error({ licenceId }, 'A damaged document names a licence that has no events');
        return;
      }
      await lookAt(licenceId);
    } catch (error) {
      log?.error({ err: error, licenceId }, 'A damaged licence could not be looked after');
    }
  };

  while (!signal.aborted) {
    try {
      const told = (await readStore.notice(noticeNames.damage)) as DamageNotice | null;
      if (told !== null && told.id !== handled) {
        handled = told.id;
        for (const [licenceId, { until }] of looked) if (clock() > until + sound) looked.delete(licenceId);
        for (const licenceId of told.licences) if (!signal.aborted) await putRight(licenceId);
      }
    } catch (error) {
      log?.warn({ err: error }, 'Whether something is damaged could not be seen');
    }
    await pause();
  }
};

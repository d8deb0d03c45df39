import { randomUUID } from 'node:crypto';
import { type DamageNotice, noticeNames } from '@zakup/contracts/notices';
import { CorruptDocument, type ReadStore, ReadStoreUnavailable } from '@zakup/read-store/read-store';
import type { Log } from '../log.ts';

export interface DamageReportsDeps {
  readonly readStore: ReadStore;
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** Milliseconds that only go forward; default: the process's own. */
  readonly clock?: () => number;
}

/** Milliseconds between two notes, however many readers meet the damage. */
const noteEvery = 1_000;
/** Milliseconds for which a licence is named in each note: two that are met at once are both seen. */
const named = 10_000;

/**
 * The store, for whoever answers people. A damaged document is nobody's answer and will be put right: its licence is noted for whoever
 * projects, and the read rejects with `ReadStoreUnavailable`, so that it is asked again.
 */
export const reportingDamage = ({ readStore, log, clock = () => performance.now() }: DamageReportsDeps): ReadStore => {
  const met = new Map<string, number>();
  let notedAt = Number.NEGATIVE_INFINITY;
  let noted: ReadonlySet<string> = new Set();

  const report = (damage: CorruptDocument): void => {
    const at = clock();
    met.set(damage.licenceId, at);
    if (noted.has(damage.licenceId) && at - notedAt < noteEvery) return;
    log.error(
      { err: damage, licenceId: damage.licenceId },
      'A damaged document was met, and its licence is to be put right',
    );
    for (const [licenceId, last] of met) if (at - last > named) met.delete(licenceId);
    [notedAt, noted] = [at, new Set(met.keys())];
    const notice: DamageNotice = { id: randomUUID(), licences: [...noted] };
    readStore.note(noticeNames.damage, { ...notice }).catch((error: unknown) => {
      notedAt = Number.NEGATIVE_INFINITY;
      log.warn({ err: error }, 'Damage could not be noted');
    });
  };

  const reported = async <Answer>(reading: Promise<Answer>): Promise<Answer> => {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof CorruptDocument)) throw error;
      report(error);
      throw new ReadStoreUnavailable(error.message, { cause: error });
    }
  };

  return {
    ...readStore,
    get: (...asked) => reported(readStore.get(...asked)),
    getMany: (...asked) => reported(readStore.getMany(...asked)),
    query: (...asked) => reported(readStore.query(...asked)),
    readEach: (...asked) => reported(readStore.readEach(...asked)),
    scanIndex: (...asked) => reported(readStore.scanIndex(...asked)),
    changesSince: (...asked) => reported(readStore.changesSince(...asked)),
    readScope: (...asked) => reported(readStore.readScope(...asked)),
  };
};

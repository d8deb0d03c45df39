import type { ReadStore } from '@zakup/read-store/read-store';
import type { Metrics } from '@zakup/service-kit/metrics';
import { readModelStatus } from './read-model-status.ts';

export interface StatusMetricsDeps {
  readonly readStore: Pick<ReadStore, 'notice' | 'query'>;
  readonly metrics: Pick<
    Metrics,
    'beforeText' | 'sealsLast' | 'sealsRefused' | 'sealsWatching' | 'parkedLicences' | 'selfCheckLast'
  >;
  /** UTC milliseconds. */
  readonly now: () => number;
}

const secondsOf = (instant: string | null | undefined): number =>
  instant === null || instant === undefined ? 0 : Date.parse(instant) / 1000;

/** The figures that `GET /api/admin/health` tells of seals, parked licences and the comparison, as metrics. */
export const showStatus = ({ readStore, metrics, now }: StatusMetricsDeps): void => {
  metrics.beforeText.add(async () => {
    const { seals, parked, selfCheck } = await readModelStatus(readStore, now());
    metrics.sealsLast.set(secondsOf(seals.last));
    metrics.sealsRefused.set(seals.refused.length);
    metrics.sealsWatching.set(seals.watching ? 1 : 0);
    metrics.parkedLicences.set(parked.length);
    metrics.selfCheckLast.set(secondsOf(selfCheck?.at));
  });
};

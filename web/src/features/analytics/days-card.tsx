import type { AnalyticsWire } from '@zakup/contracts/wire-entities';
import { useMemo } from 'react';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { ChartCard, chartWaiting } from '../../shared/charts/chart-card.tsx';
import { dayFinding, dayPoints } from './report-figures.ts';
import { dayCells } from './table-figures.tsx';

const DayChart = lazyPart(async () => (await import('./day-chart.tsx')).DayChart, {
  waiting: chartWaiting(240),
});

/** What each day cost and brought. */
export const DaysCard = ({
  analytics,
  fileName,
}: {
  readonly analytics: AnalyticsWire;
  /** Of the campaign, without ending. */
  readonly fileName: string;
}) => {
  const days = useMemo(() => dayPoints(analytics), [analytics]);
  return (
    <ChartCard
      title="Расход и приход по дням"
      finding={dayFinding(days)}
      legend={
        <>
          <span className="z-legend z-legend-c1">Расход</span>
          <span className="z-legend z-legend-c3">Приход</span>
          <span className="z-legend z-legend-line">CPL</span>
        </>
      }
      fileName={`${fileName}-по-дням`}
      height={240}
      table={{
        header: ['Дата', 'Расход', 'Приход', 'CPL'],
        rows: days.map(({ date, spent, leads, cpl }) => [date, spent, leads, cpl]),
        show: dayCells(days, analytics.id),
      }}
    >
      <DayChart points={days} />
    </ChartCard>
  );
};

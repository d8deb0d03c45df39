import type { AnalyticsWire, CampaignWire } from '@zakup/contracts/wire-entities';
import { useMemo } from 'react';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { ChartCard, chartWaiting } from '../../shared/charts/chart-card.tsx';
import { burnDown } from './report-figures.ts';
import { burnCells } from './table-figures.tsx';

const BurnChart = lazyPart(async () => (await import('./burn-chart.tsx')).BurnChart, {
  waiting: chartWaiting(240),
});

/** Spending against the budget, with what is to be expected by the end. */
export const BudgetCard = ({
  campaign,
  analytics,
  today,
  fileName,
}: {
  readonly campaign: CampaignWire;
  readonly analytics: AnalyticsWire;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Of the campaign, without ending. */
  readonly fileName: string;
}) => {
  const burn = useMemo(() => burnDown(analytics, campaign, today), [analytics, campaign, today]);
  return (
    <ChartCard
      title="Бюджет и прогноз"
      finding={burn.finding}
      legend={
        <>
          <span className="z-legend z-legend-fact">Факт</span>
          {burn.expected !== null && <span className="z-legend z-legend-dash">Прогноз</span>}
          <span className="z-legend z-legend-dots">План</span>
        </>
      }
      fileName={`${fileName}-бюджет`}
      height={240}
      table={{
        header: ['Дата', 'Потрачено', 'Прогноз', 'План'],
        rows: burn.points.map(({ date, fact, forecast, plan }) => [date, fact, forecast, plan]),
        show: burnCells(burn.points, campaign.id),
      }}
    >
      <BurnChart points={burn.points} budget={analytics.summary.totalBudget} />
    </ChartCard>
  );
};

import type { AnalyticsWire } from '@zakup/contracts/wire-entities';
import { formatNumber } from '@zakup/domain/russian';
import { useMemo } from 'react';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { ChartCard, chartWaiting } from '../../shared/charts/chart-card.tsx';
import { judgedLooks } from './judged-looks.ts';
import { priceAgainstCpl } from './report-figures.ts';
import { contractorCells } from './table-figures.tsx';

const PriceChart = lazyPart(async () => (await import('./price-chart.tsx')).PriceChart, {
  waiting: chartWaiting(320),
});

/** What a placement costs at each contractor, against what a lead comes to there. */
export const PricesCard = ({
  campaignId,
  analytics,
  fileName,
}: {
  readonly campaignId: string;
  readonly analytics: AnalyticsWire;
  /** Of the campaign, without ending. */
  readonly fileName: string;
}) => {
  const contractors = useDocs('contractor');
  const { points, finding, withoutLeads } = useMemo(
    () => priceAgainstCpl(analytics, contractors),
    [analytics, contractors],
  );
  return (
    <ChartCard
      title="Цена и CPL"
      finding={withoutLeads === 0 ? finding : `${finding} Ещё без лидов: ${formatNumber(withoutLeads)}.`}
      legend={
        <>
          {Object.values(judgedLooks).map(({ className, sign, words }) => (
            <span key={sign} className={`z-legend ${className}`}>
              {sign} {words}
            </span>
          ))}
        </>
      }
      fileName={`${fileName}-контрагенты`}
      height={320}
      table={{
        header: ['Контрагент', 'Средняя цена', 'CPL', 'Размещения'],
        rows: points.map(({ nick, price, cpl, placements }) => [nick, price, cpl, placements]),
        show: contractorCells(points, campaignId),
      }}
    >
      <PriceChart points={points} />
    </ChartCard>
  );
};

import type { AnalyticsWire } from '@zakup/contracts/wire-entities';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { formatRoubles, type Kopecks, toRoubles } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { useMemo } from 'react';
import { CreativeTypeIcon } from '../../shared/campaign/creative-type-icon.tsx';
import { withoutCreativeCount } from '../../shared/campaign/figures.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { rankingHeight } from '../../shared/charts/chart-axis.ts';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { ChartCard, chartWaiting } from '../../shared/charts/chart-card.tsx';
import { RankingFigure } from './ranking-figure.tsx';
import { RankingTable } from './ranking-table.tsx';
import { creativeFinding, rankedCreatives } from './ranking-figures.ts';

const RankingChart = lazyPart(async () => (await import('./ranking-chart.tsx')).RankingChart, {
  waiting: chartWaiting(120),
});

/** Which creatives brought how many leads. */
export const CreativesCard = ({
  campaignId,
  analytics,
  leadValue,
  fileName,
}: {
  readonly campaignId: string;
  readonly analytics: AnalyticsWire;
  readonly leadValue: Kopecks;
  /** Of the campaign, without ending. */
  readonly fileName: string;
}) => {
  const creatives = useDocs('creative');
  const ranked = useMemo(() => rankedCreatives(analytics, creatives, leadValue), [analytics, creatives, leadValue]);
  const without = withoutCreativeCount(analytics);
  return (
    <ChartCard
      title="Анализ креативов"
      finding={creativeFinding(ranked, analytics.summary.totalLeads)}
      aside={without === 0 ? 'по лидам, топ 3 выделены' : `по лидам, без креатива: ${formatNumber(without)}`}
      fileName={`${fileName}-креативы`}
      height={rankingHeight(ranked.length)}
      table={{
        header: ['Креатив', 'Приход', 'CPL', 'Расход', 'Размещения', 'ROI, %'],
        rows: ranked.map((row) => [
          row.name,
          row.leads,
          row.leads === 0 ? null : toRoubles(costPerLead(row.spent, row.leads)),
          toRoubles(row.spent),
          row.placements,
          row.spent === 0 ? null : row.roi,
        ]),
        show: (cell) => cell,
      }}
      tableFirst={
        ranked.length === 0 ? (
          <p className="z-chart-none">Ни у одного размещения нет креатива.</p>
        ) : (
          <RankingTable
            label="Анализ креативов"
            rows={ranked.map((row) => ({
              ...row,
              icon: <CreativeTypeIcon type={row.type} />,
              last: (
                <RankingFigure campaignId={campaignId} by="leads" row={row} figure="spent" leadValue={leadValue}>
                  {formatRoubles(row.spent)}
                </RankingFigure>
              ),
            }))}
            by="leads"
            campaignId={campaignId}
            leadValue={leadValue}
            lastTitle="Расход"
          />
        )
      }
    >
      <RankingChart
        colour="var(--c3)"
        points={ranked.map((row) => ({
          name: row.name,
          value: row.leads,
          label:
            row.leads === 0
              ? 'лидов пока нет'
              : `${formatNumber(row.leads)} · CPL ${formatRoubles(costPerLead(row.spent, row.leads))}`,
        }))}
      />
    </ChartCard>
  );
};

import type { AnalyticsWire, EarningsWire, PersonWire } from '@zakup/contracts/wire-entities';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { formatRoubles, formatRoublesExact, type Kopecks, percentOf, toRoubles } from '@zakup/domain/money';
import { formatPercent } from '@zakup/domain/russian';
import { useCallback, useMemo } from 'react';
import { money, termsText } from '../../shared/campaign/figures.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';
import { rankingHeight } from '../../shared/charts/chart-axis.ts';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { ChartCard, chartWaiting } from '../../shared/charts/chart-card.tsx';
import { RankingTable } from './ranking-table.tsx';
import { buyerFinding, type Ranked, rankedBuyers } from './ranking-figures.ts';

const RankingChart = lazyPart(async () => (await import('./ranking-chart.tsx')).RankingChart, {
  waiting: chartWaiting(120),
});

/** What a buyer earned in the campaign by its terms, and what their own rate would make of it where that differs. */
const BuyerEarnings = ({
  campaignId,
  row,
  earnings,
  rate,
}: {
  readonly campaignId: string;
  readonly row: Ranked;
  /** Undefined where this person may not see it. */
  readonly earnings: EarningsWire | undefined;
  /** Percent of what is spent; null = none. */
  readonly rate: PersonWire['salaryRate'];
}) => {
  const byTerms = earnings === undefined ? null : money(earnings.earnings);
  const byRate = rate === null ? null : percentOf(row.spent, rate);
  if (byTerms === null && byRate === null) return <span className="z-quiet">—</span>;
  return (
    <>
      {earnings !== undefined && byTerms !== null && (
        <Figure
          label={`Заработок, ${row.name}`}
          formula={termsText(earnings)}
          about={{ of: 'campaign', id: campaignId, figure: 'earnings', userId: row.id }}
        >
          {formatRoublesExact(byTerms)}
        </Figure>
      )}
      {rate !== null && byRate !== null && byRate !== byTerms && (
        <small className="z-ranking-rate" title={`Расход × ${formatPercent(rate)}: ставка в карточке сотрудника`}>
          {byTerms === null ? '' : 'по ставке '}
          <Figure
            label={`По ставке сотрудника, ${row.name}`}
            formula={`${formatRoubles(row.spent)} × ${formatPercent(rate)} = ${formatRoublesExact(byRate)}`}
            about={{ of: 'campaign', id: campaignId, figure: 'ownRate', userId: row.id }}
          >
            {formatRoublesExact(byRate)}
          </Figure>
        </small>
      )}
    </>
  );
};

/** Which buyers spent how much, and what they earned by it. */
export const BuyersCard = ({
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
  const users = useDocs('user');
  const people = useDocs('person');
  const ofCampaign = useCallback((one: EarningsWire) => one.campaignId === campaignId, [campaignId]);
  const earnings = useDocs('earnings', { where: ofCampaign });
  const ranked = useMemo(() => rankedBuyers(analytics, users, leadValue), [analytics, users, leadValue]);
  const earnedBy = (id: string): EarningsWire | undefined => earnings.find(({ userId }) => userId === id);
  return (
    <ChartCard
      title="Анализ байеров"
      finding={buyerFinding(ranked, money(analytics.summary.spentBudget))}
      aside="по расходу, топ 3 выделены"
      fileName={`${fileName}-байеры`}
      height={rankingHeight(ranked.length)}
      table={{
        header: ['Байер', 'Расход', 'Приход', 'CPL', 'Размещения', 'ROI, %', 'Заработок'],
        rows: ranked.map((row) => [
          row.name,
          toRoubles(row.spent),
          row.leads,
          row.leads === 0 ? null : toRoubles(costPerLead(row.spent, row.leads)),
          row.placements,
          row.spent === 0 ? null : row.roi,
          earnedBy(row.id)?.earnings ?? null,
        ]),
        show: (cell) => cell,
      }}
      tableFirst={
        <RankingTable
          label="Анализ байеров"
          rows={ranked.map((row) => ({
            ...row,
            icon: <Avatar id={row.id} name={row.name} size={20} />,
            last: (
              <BuyerEarnings
                campaignId={campaignId}
                row={row}
                earnings={earnedBy(row.id)}
                rate={people.find(({ id }) => id === row.id)?.salaryRate ?? null}
              />
            ),
          }))}
          by="spent"
          campaignId={campaignId}
          leadValue={leadValue}
          lastTitle="Заработок"
        />
      }
    >
      <RankingChart
        money
        colour="var(--c1)"
        points={ranked.map((row) => ({
          name: row.name,
          value: toRoubles(row.spent),
          label: formatRoubles(row.spent),
        }))}
      />
    </ChartCard>
  );
};

import type { AnalyticsWire, CampaignWire } from '@zakup/contracts/entities';
import { explainBudgetUse } from '@zakup/domain/analytics/budget';
import { explainCostPerLead } from '@zakup/domain/analytics/cpl';
import { indicators } from '@zakup/domain/analytics/indicators';
import { formatRoubles, kopecks } from '@zakup/domain/money';
import { formatNumber, formatPercent, plural } from '@zakup/domain/russian';
import { Metric, MetricStrip } from '../../shared/ui/page.tsx';
import { Figure } from '../../shared/why/figure.tsx';
import { budgetUse, cplFigure, cplRange, money } from '../../shared/campaign/figures.ts';
import { daysLeft } from '../../shared/campaign/period-text.ts';

/** The six cards of a campaign. */
export const CampaignMetrics = ({
  campaign,
  analytics,
  withoutLeads,
  today,
}: {
  readonly campaign: CampaignWire;
  readonly analytics: AnalyticsWire;
  /** Placements that have no leads yet. */
  readonly withoutLeads: number;
  readonly today: string;
}) => {
  const { summary } = analytics;
  const budget = money(summary.totalBudget);
  const spent = money(summary.spentBudget);
  const remaining = money(summary.remainingBudget);
  const use = budgetUse(spent, budget);
  const cpl = cplFigure(spent, summary.totalLeads, money(summary.averageCostPerLead));
  const left = campaign.status === 'ACTIVE' ? daysLeft(campaign, today) : null;
  const { leadsPerPlacement } = indicators({
    totalBudget: budget,
    totals: {
      spent,
      paid: money(summary.paidBudget),
      leads: summary.totalLeads,
      placements: summary.totalPlacements,
    },
    buyers: analytics.byBuyer.length,
    creatives: analytics.byCreative.length,
    leadValue: kopecks(0),
  });
  const people = campaign.participants.length;
  const remainingNote =
    left !== null && left > 0 && remaining > 0
      ? `≈ ${formatRoubles(kopecks(Math.floor(remaining / left / 100) * 100))} в день`
      : remaining < 0
        ? 'перерасход'
        : `израсходовано ${formatPercent(explainBudgetUse(spent, budget).value)}`;
  return (
    <div className="z-six">
      <MetricStrip label="Показатели кампании">
        <Metric
          label="Общий бюджет"
          value={formatRoubles(budget)}
          note={`${people} ${plural(people, 'участник', 'участника', 'участников')}`}
        />
        <Metric
          label="Потрачено"
          corner={<span className={use.tone === null ? 'z-quiet' : `z-${use.tone}`}>{use.text}</span>}
          value={
            <Figure label="Потрачено" formula={explainBudgetUse(spent, budget).formula}>
              {formatRoubles(spent)}
            </Figure>
          }
          note={`не оплачено ${formatRoubles(money(summary.unpaidBudget))}`}
        />
        <Metric
          label="Остаток"
          tone={remaining <= 0 ? 'bad' : undefined}
          value={
            <Figure
              label="Остаток"
              formula={`${formatRoubles(budget)} − ${formatRoubles(spent)} = ${formatRoubles(remaining)}`}
            >
              {formatRoubles(remaining)}
            </Figure>
          }
          note={remainingNote}
        />
        <Metric
          label="Средний CPL"
          tone={cpl.tone ?? undefined}
          value={
            <Figure label="Средний CPL" formula={explainCostPerLead(spent, summary.totalLeads).formula}>
              {cpl.text}
            </Figure>
          }
          note={
            cpl.tone === null ? (
              'лидов пока нет'
            ) : (
              <span className={`z-${cpl.tone}`}>{`${cpl.sign} ${cplRange[cpl.tone]}`}</span>
            )
          }
        />
        <Metric
          label="Приход"
          value={formatNumber(summary.totalLeads)}
          note={`${formatNumber(leadsPerPlacement)} на размещение`}
        />
        <Metric
          label="Размещения"
          value={formatNumber(summary.totalPlacements)}
          note={
            summary.totalPlacements === 0
              ? 'ещё нет'
              : withoutLeads === 0
                ? 'все с лидами'
                : `${withoutLeads} пока без лидов`
          }
        />
      </MetricStrip>
    </div>
  );
};

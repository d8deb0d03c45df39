import type { ReactNode } from 'react';
import type { AnalyticsWire, CampaignWire } from '@zakup/contracts/entities';
import { explainBudgetUse } from '@zakup/domain/analytics/budget';
import { explainFigure, type Figure as FigureName } from '@zakup/domain/analytics/figures';
import { formatRoubles, kopecks } from '@zakup/domain/money';
import { formatNumber, formatPercent, plural } from '@zakup/domain/russian';
import { useNowDoc } from '../../shared/past/moment-context.ts';
import { Metric, MetricStrip } from '../../shared/ui/page.tsx';
import { Figure } from '../../shared/why/figure.tsx';
import type { Lineage } from '../../shared/why/lineage.ts';
import { budgetUse, cplFigure, cplRange, money } from '../../shared/campaign/figures.ts';
import { daysLeft } from '../../shared/campaign/period-text.ts';

/** What the budget is split into, and that it is set by hand. */
const budgetFormula = ({ participants }: CampaignWire): string => {
  const shares = kopecks(participants.reduce((total, { budget }) => total + money(budget), 0));
  return `задан в кампании; у участников вместе ${formatRoubles(shares)}`;
};

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
  const operands = {
    totalBudget: budget,
    totals: { spent, paid: money(summary.paidBudget), leads: summary.totalLeads, placements: summary.totalPlacements },
    buyers: 0,
    creatives: 0,
    leadValue: kopecks(0),
  };
  const present = useNowDoc('analytics', campaign.id)?.summary;
  const noteOf = (now: string | undefined, otherwise: ReactNode): ReactNode =>
    now === undefined ? otherwise : `сейчас ${now}`;
  const nowMoney = (roubles: number | undefined): string | undefined =>
    roubles === undefined ? undefined : formatRoubles(money(roubles));
  const nowCount = (count: number | undefined): string | undefined =>
    count === undefined ? undefined : formatNumber(count);
  const explain = (figure: FigureName): string => explainFigure(figure, operands).formula;
  const about = (figure: FigureName): Lineage => ({ of: 'campaign', id: campaign.id, figure });
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
          value={
            <Figure label="Общий бюджет" formula={budgetFormula(campaign)}>
              {formatRoubles(budget)}
            </Figure>
          }
          note={noteOf(
            nowMoney(present?.totalBudget),
            `${people} ${plural(people, 'участник', 'участника', 'участников')}`,
          )}
        />
        <Metric
          label="Потрачено"
          corner={
            <span className={use.tone === null ? 'z-quiet' : `z-${use.tone}`}>
              <Figure
                label="Использование бюджета"
                formula={explainBudgetUse(spent, budget).formula}
                about={about('budgetUse')}
              >
                {use.text}
              </Figure>
            </span>
          }
          value={
            <Figure label="Потрачено" formula={explain('spent')} about={about('spent')}>
              {formatRoubles(spent)}
            </Figure>
          }
          note={noteOf(
            nowMoney(present?.spentBudget),
            <>
              не оплачено{' '}
              <Figure label="Не оплачено" formula={explain('unpaid')} about={about('unpaid')}>
                {formatRoubles(money(summary.unpaidBudget))}
              </Figure>
            </>,
          )}
        />
        <Metric
          label="Остаток"
          tone={remaining <= 0 ? 'bad' : undefined}
          value={
            <Figure label="Остаток" formula={explain('remaining')} about={about('remaining')}>
              {formatRoubles(remaining)}
            </Figure>
          }
          note={noteOf(nowMoney(present?.remainingBudget), remainingNote)}
        />
        <Metric
          label="Средний CPL"
          tone={cpl.tone ?? undefined}
          value={
            <Figure label="Средний CPL" formula={explain('cpl')} about={about('cpl')}>
              {cpl.text}
            </Figure>
          }
          note={noteOf(
            present &&
              cplFigure(money(present.spentBudget), present.totalLeads, money(present.averageCostPerLead)).text,
            cpl.tone === null ? (
              'лидов пока нет'
            ) : (
              <span className={`z-${cpl.tone}`}>{`${cpl.sign} ${cplRange[cpl.tone]}`}</span>
            ),
          )}
        />
        <Metric
          label="Приход"
          value={
            <Figure label="Приход" formula={explain('leads')} about={about('leads')}>
              {formatNumber(summary.totalLeads)}
            </Figure>
          }
          note={noteOf(
            nowCount(present?.totalLeads),
            <>
              <Figure
                label="Лидов на размещение"
                formula={explain('leadsPerPlacement')}
                about={about('leadsPerPlacement')}
              >
                {explainFigure('leadsPerPlacement', operands).shown}
              </Figure>{' '}
              на размещение
            </>,
          )}
        />
        <Metric
          label="Размещения"
          value={
            <Figure label="Размещения" formula={explain('placements')} about={about('placements')}>
              {formatNumber(summary.totalPlacements)}
            </Figure>
          }
          note={noteOf(
            nowCount(present?.totalPlacements),
            summary.totalPlacements === 0
              ? 'ещё нет'
              : withoutLeads === 0
                ? 'все с лидами'
                : `${withoutLeads} пока без лидов`,
          )}
        />
      </MetricStrip>
    </div>
  );
};

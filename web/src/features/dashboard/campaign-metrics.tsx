import type { ReactNode } from 'react';
import type { AnalyticsWire, CampaignWire } from '@zakup/contracts/wire-entities';
import { explainBudgetUse } from '@zakup/domain/analytics/budget';
import { explainFigure, type Figure as FigureName, figureTitles } from '@zakup/domain/analytics/figures';
import { formatRoubles, kopecks } from '@zakup/domain/money';
import { formatNumber, formatPercent, plural } from '@zakup/domain/russian';
import { CampaignFigure } from '../../shared/explanations/campaign-figure.tsx';
import { budgetUse, cplFigure, cplRange, money } from '../../shared/campaign/figures.ts';
import { campaignOperands } from '../../shared/campaign/operands.ts';
import { daysLeft } from '../../shared/campaign/period-text.ts';
import { showDate } from '../../shared/day/shown-day.ts';
import { useNowDoc } from '../../shared/moment/moment-context.ts';
import { OfNow } from '../../shared/moment/now-word.tsx';
import { Fitted } from '../../shared/ui/fitted.tsx';
import { Metric, MetricStrip } from '../../shared/ui/page.tsx';
import { KindMark } from '../../shared/explanations/figure-kind.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';

/** What the budget is split into, and that it is set by hand. */
const budgetFormula = ({ participants }: CampaignWire): string => {
  const shares = kopecks(participants.reduce((total, { budget }) => total + money(budget), 0));
  return `задан в кампании; у участников вместе ${formatRoubles(shares)}`;
};

/** What the placements of today brought, explained by them. */
const ArrivedToday = ({
  campaignId,
  leads,
  today,
}: {
  readonly campaignId: string;
  readonly leads: number;
  readonly today: string;
}) => (
  <>
    <Figure
      label={`${figureTitles.leads}, ${showDate(today)}`}
      formula={`приход размещений этого дня вместе: ${formatNumber(leads)}`}
      about={{ of: 'campaign', id: campaignId, figure: 'leads', from: today, to: today }}
    >
      {`+${formatNumber(leads)}`}
    </Figure>{' '}
    сегодня
  </>
);

/** The six cards of a campaign. */
export const CampaignMetrics = ({
  campaign,
  summary,
  withoutLeads,
  arrivedToday,
  today,
}: {
  readonly campaign: CampaignWire;
  readonly summary: AnalyticsWire['summary'];
  /** Placements that have no leads yet; `null` = nobody knows yet. */
  readonly withoutLeads: number | null;
  /** Leads of the placements of today; 0 where that is not known, or not the day that the screen shows. */
  readonly arrivedToday: number;
  readonly today: string;
}) => {
  const budget = money(summary.totalBudget);
  const spent = money(summary.spentBudget);
  const remaining = money(summary.remainingBudget);
  const use = budgetUse(spent, budget);
  const cpl = cplFigure(spent, summary.totalLeads, money(summary.averageCostPerLead));
  const left = campaign.status === 'ACTIVE' ? daysLeft(campaign, today) : null;
  /** Nothing will be bought any more. */
  const isOver = campaign.status === 'COMPLETED';
  const operands = campaignOperands(summary);
  const why = (figure: FigureName, content: ReactNode, label?: string) => (
    <CampaignFigure campaignId={campaign.id} figure={figure} operands={operands} label={label}>
      {content}
    </CampaignFigure>
  );
  const present = useNowDoc('analytics', campaign.id)?.summary;
  const noteOf = (now: string | undefined, otherwise: ReactNode): ReactNode =>
    now === undefined ? (
      otherwise
    ) : (
      <OfNow>
        <Fitted>{now}</Fitted>
      </OfNow>
    );
  /** Words with a figure in them. */
  const said = (words: string) => <KindMark campaignId={campaign.id}>{words}</KindMark>;
  const nowMoney = (roubles: number | undefined): string | undefined =>
    roubles === undefined ? undefined : formatRoubles(money(roubles));
  const nowCount = (count: number | undefined): string | undefined =>
    count === undefined ? undefined : formatNumber(count);
  const people = campaign.participants.length;
  const remainingNote =
    left !== null && left > 0 && remaining > 0
      ? `≈ ${formatRoubles(kopecks(Math.floor(remaining / left / 100) * 100))} в день`
      : remaining < 0
        ? 'перерасход'
        : isOver
          ? `не израсходовано ${formatPercent(explainBudgetUse(remaining, budget).value)}`
          : `израсходовано ${formatPercent(explainBudgetUse(spent, budget).value)}`;
  return (
    <div className="z-six">
      <MetricStrip label="Показатели кампании">
        <Metric
          label="Общий бюджет"
          value={
            <Figure
              label="Общий бюджет"
              formula={budgetFormula(campaign)}
              about={{ of: 'campaign', id: campaign.id, figure: 'budget' }}
            >
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
              {why('budgetUse', <Fitted short={use.short}>{use.text}</Fitted>)}
            </span>
          }
          value={why('spent', formatRoubles(spent))}
          note={noteOf(
            nowMoney(present?.spentBudget),
            <>не оплачено {why('unpaid', formatRoubles(money(summary.unpaidBudget)))}</>,
          )}
        />
        <Metric
          label="Остаток"
          tone={remaining <= 0 ? 'bad' : undefined}
          value={why('remaining', formatRoubles(remaining), 'Остаток')}
          note={noteOf(nowMoney(present?.remainingBudget), said(remainingNote))}
        />
        <Metric
          label="Средний CPL"
          tone={cpl.tone ?? undefined}
          value={why('cpl', cpl.text)}
          note={noteOf(
            present &&
              cplFigure(money(present.spentBudget), present.totalLeads, money(present.averageCostPerLead)).text,
            cpl.tone === null ? (
              'лидов пока нет'
            ) : (
              <span className={`z-${cpl.tone}`}>{said(`${cpl.sign} ${cplRange[cpl.tone]}`)}</span>
            ),
          )}
        />
        <Metric
          label="Приход"
          value={why('leads', formatNumber(summary.totalLeads))}
          note={noteOf(
            nowCount(present?.totalLeads),
            arrivedToday > 0 ? (
              <ArrivedToday campaignId={campaign.id} leads={arrivedToday} today={today} />
            ) : (
              <>{why('leadsPerPlacement', explainFigure('leadsPerPlacement', operands).shown)} на размещение</>
            ),
          )}
        />
        <Metric
          label="Размещения"
          value={why('placements', formatNumber(summary.totalPlacements))}
          note={noteOf(
            nowCount(present?.totalPlacements),
            summary.totalPlacements === 0
              ? 'ещё нет'
              : withoutLeads === null
                ? 'загружаются'
                : withoutLeads === 0
                  ? 'все с лидами'
                  : said(`${formatNumber(withoutLeads)} ${isOver ? '' : 'пока '}без лидов`),
          )}
        />
      </MetricStrip>
    </div>
  );
};

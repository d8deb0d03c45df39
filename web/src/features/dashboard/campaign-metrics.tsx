import type { ReactNode } from 'react';
import type { AnalyticsWire, CampaignWire } from '@zakup/contracts/wire-entities';
import { explainBudgetUse } from '@zakup/domain/analytics/budget';
import { explainFigure, type Figure as FigureName, figureTitles } from '@zakup/domain/analytics/figures';
import { formatRoubles, type Kopecks, kopecks } from '@zakup/domain/money';
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

/** What it is now, while the screen shows another moment; a note of then otherwise. */
const noteOf = (now: string | undefined, otherwise: ReactNode): ReactNode =>
  now === undefined ? (
    otherwise
  ) : (
    <OfNow>
      <Fitted>{now}</Fitted>
    </OfNow>
  );
const nowMoney = (roubles: number | undefined): string | undefined =>
  roubles === undefined ? undefined : formatRoubles(money(roubles));
const nowCount = (count: number | undefined): string | undefined =>
  count === undefined ? undefined : formatNumber(count);

/** Nothing will be bought any more. */
const isOver = ({ status }: CampaignWire): boolean => status === 'COMPLETED';

/** What may be spent a day, or how much was. */
const remainingNote = (
  campaign: CampaignWire,
  budget: Kopecks,
  spent: Kopecks,
  remaining: Kopecks,
  today: string,
): string => {
  const left = campaign.status === 'ACTIVE' ? daysLeft(campaign, today) : null;
  if (left !== null && left > 0 && remaining > 0)
    return `≈ ${formatRoubles(kopecks(Math.floor(remaining / left / 100) * 100))} в день`;
  if (remaining < 0) return 'перерасход';
  return isOver(campaign)
    ? `не израсходовано ${formatPercent(explainBudgetUse(remaining, budget).value)}`
    : `израсходовано ${formatPercent(explainBudgetUse(spent, budget).value)}`;
};

/** How many placements have no leads; `said` marks what a figure is of. */
const leadlessNote = (
  campaign: CampaignWire,
  placements: number,
  withoutLeads: number | null,
  said: (words: string) => ReactNode,
): ReactNode => {
  if (placements === 0) return 'ещё нет';
  if (withoutLeads === null) return 'загружаются';
  if (withoutLeads === 0) return 'все с лидами';
  return said(`${formatNumber(withoutLeads)} ${isOver(campaign) ? '' : 'пока '}без лидов`);
};

const BudgetMetric = ({
  campaign,
  budget,
  present,
}: {
  readonly campaign: CampaignWire;
  readonly budget: Kopecks;
  /** As it is now, while the screen shows another moment. */
  readonly present: AnalyticsWire['summary'] | undefined;
}) => {
  const people = campaign.participants.length;
  return (
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
  );
};

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
  const operands = campaignOperands(summary);
  const why = (figure: FigureName, content: ReactNode, label?: string) => (
    <CampaignFigure campaignId={campaign.id} figure={figure} operands={operands} label={label}>
      {content}
    </CampaignFigure>
  );
  const present = useNowDoc('analytics', campaign.id)?.summary;
  /** Words with a figure in them. */
  const said = (words: string) => <KindMark campaignId={campaign.id}>{words}</KindMark>;
  return (
    <div className="z-six">
      <MetricStrip label="Показатели кампании">
        <BudgetMetric campaign={campaign} budget={budget} present={present} />
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
          note={noteOf(
            nowMoney(present?.remainingBudget),
            said(remainingNote(campaign, budget, spent, remaining, today)),
          )}
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
            leadlessNote(campaign, summary.totalPlacements, withoutLeads, said),
          )}
        />
      </MetricStrip>
    </div>
  );
};

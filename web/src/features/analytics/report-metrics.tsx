import type { AnalyticsWire } from '@zakup/contracts/wire-entities';
import { budgetUsePercent } from '@zakup/domain/analytics/budget';
import { showCpl } from '@zakup/domain/analytics/cpl';
import type { Figure as FigureName, FigureOperands } from '@zakup/domain/analytics/figures';
import { indicators, roi } from '@zakup/domain/analytics/indicators';
import { formatRoubles } from '@zakup/domain/money';
import { formatNumber, formatPercent } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { CampaignFigure } from '../../shared/explanations/campaign-figure.tsx';
import { budgetUse, cplFigure, money } from '../../shared/campaign/figures.ts';
import { useMoment, useNowDoc } from '../../shared/moment/moment-context.ts';
import { OfNow } from '../../shared/moment/now-word.tsx';
import { Fitted } from '../../shared/ui/fitted.tsx';
import { Metric, MetricStrip } from '../../shared/ui/page.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';

const signed = (percent: number): string => `${percent > 0 ? '+' : ''}${formatPercent(percent)}`;

/** Keeps its line while the moment is on its way. */
const Now = ({ text }: { readonly text: string | null | undefined }) =>
  text ? (
    <OfNow>
      <Fitted>{text}</Fitted>
    </OfNow>
  ) : (
    '\u00a0'
  );

/** The figures above the report; in the past, what they are now below each. */
export const ReportMetrics = ({
  campaignId,
  analytics,
  operands,
}: {
  readonly campaignId: string;
  readonly analytics: AnalyticsWire;
  readonly operands: FigureOperands;
}) => {
  const { summary } = analytics;
  const present = useNowDoc('analytics', campaignId);
  const moment = useMoment();
  const now = present?.summary;
  const noteOf = (text: string | null | undefined): { readonly note?: ReactNode } =>
    moment === null ? {} : { note: <Now text={text} /> };
  const { totalBudget: budget } = operands;
  const [licenceNow] = moment?.now.all('license') ?? [];
  const leadValueNow = licenceNow === undefined ? operands.leadValue : money(licenceNow.settings.leadValue);
  const { spent } = operands.totals;
  const key = indicators(operands);
  const use = budgetUse(spent, budget);
  const cpl = cplFigure(spent, summary.totalLeads, money(summary.averageCostPerLead));
  const why = (figure: FigureName, content: ReactNode) => (
    <CampaignFigure campaignId={campaignId} figure={figure} operands={operands}>
      {content}
    </CampaignFigure>
  );
  return (
    <div className="z-report-strip">
      <MetricStrip label="Показатели кампании">
        <Metric
          label="Бюджет"
          {...noteOf(now && formatRoubles(money(now.totalBudget)))}
          value={why('budget', formatRoubles(budget))}
        />
        <Metric
          label="Использовано"
          {...noteOf(now && formatPercent(budgetUsePercent(money(now.spentBudget), money(now.totalBudget))))}
          tone={use.tone ?? undefined}
          value={why('budgetUse', formatPercent(key.budgetUsePercent))}
        />
        <Metric
          label="Средний CPL"
          {...noteOf(now && showCpl(money(now.spentBudget), now.totalLeads))}
          tone={cpl.tone ?? undefined}
          value={why('cpl', cpl.text)}
        />
        <Metric
          label="Приход"
          {...noteOf(now && formatNumber(now.totalLeads))}
          value={why('leads', formatNumber(summary.totalLeads))}
        />
        <Metric
          label="Размещения"
          {...noteOf(now && formatNumber(now.totalPlacements))}
          value={why('placements', formatNumber(summary.totalPlacements))}
        />
        <Metric
          label="Байеры"
          {...noteOf(present && formatNumber(present.byBuyer.length))}
          value={
            <Figure
              label="Байеры"
              formula="сотрудники, у которых есть размещение в кампании"
              about={{ of: 'campaign', id: campaignId, figure: 'placements' }}
            >
              {formatNumber(analytics.byBuyer.length)}
            </Figure>
          }
        />
        <Metric
          label="ROI"
          {...noteOf(now && signed(roi(money(now.spentBudget), now.totalLeads, leadValueNow)))}
          tone={spent === 0 ? undefined : key.roi < 0 ? 'bad' : 'good'}
          value={why('roi', spent === 0 ? '—' : signed(key.roi))}
        />
        <Metric label="Конверсия" value={why('conversion', formatPercent(key.conversionRate))} />
      </MetricStrip>
    </div>
  );
};

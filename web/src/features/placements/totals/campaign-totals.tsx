import type { AnalyticsWire } from '@zakup/contracts/wire-entities';
import type { Figure as FigureName } from '@zakup/domain/analytics/figures';
import { formatNumber, plural } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { CampaignFigure } from '../../../shared/explanations/campaign-figure.tsx';
import { campaignOperands } from '../../../shared/campaign/operands.ts';
import type { TotalsCell } from '../../../shared/table/grid-column.ts';
import { roubles } from '../../../shared/money/roubles.ts';
import { Fitted } from '../../../shared/ui/fitted.tsx';
import { CplMark } from '../columns/placement-marks.tsx';

/** The totals row of a campaign, all its placements counted. */
export const campaignTotals = (campaignId: string, summary: AnalyticsWire['summary']): readonly TotalsCell[] => {
  const operands = campaignOperands(summary);
  const total = (figure: FigureName, content: ReactNode) => (
    <CampaignFigure campaignId={campaignId} figure={figure} operands={operands}>
      {content}
    </CampaignFigure>
  );
  return [
    { columnId: 'date', span: 1, content: <b>Итого</b> },
    {
      columnId: 'contractor',
      span: 1,
      content: (
        <span className="z-second">
          {total(
            'placements',
            <Fitted short={`${formatNumber(summary.totalPlacements)} разм.`}>
              {`${formatNumber(summary.totalPlacements)} ${plural(summary.totalPlacements, 'размещение', 'размещения', 'размещений')}`}
            </Fitted>,
          )}
        </span>
      ),
    },
    { columnId: 'price', span: 1, content: <b>{total('spent', roubles(summary.spentBudget))}</b> },
    { columnId: 'leads', span: 1, content: <b>{total('leads', formatNumber(summary.totalLeads))}</b> },
    {
      columnId: 'cpl',
      span: 1,
      content: <b>{total('cpl', <CplMark price={summary.spentBudget} leads={summary.totalLeads} />)}</b>,
    },
    {
      columnId: 'creative',
      span: 6,
      content: (
        <span className="z-second">
          оплачено {total('paid', roubles(summary.paidBudget))} · не оплачено{' '}
          {total('unpaid', roubles(summary.unpaidBudget))}
        </span>
      ),
    },
  ];
};

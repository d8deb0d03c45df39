import type { AnalyticsWire } from '@zakup/contracts/entities';
import { explainFigure, figureTitles, type Figure as FigureName } from '@zakup/domain/analytics/figures';
import { kopecks } from '@zakup/domain/money';
import type { ReactNode } from 'react';
import { money } from '../../shared/campaign/figures.ts';
import { Figure } from '../../shared/why/figure.tsx';

/** A figure over all placements of a campaign, as the totals row has it. */
export const TotalFigure = ({
  campaignId,
  figure,
  summary,
  children,
}: {
  readonly campaignId: string;
  readonly figure: FigureName;
  readonly summary: AnalyticsWire['summary'];
  readonly children: ReactNode;
}) => {
  const { formula } = explainFigure(figure, {
    totals: {
      spent: money(summary.spentBudget),
      paid: money(summary.paidBudget),
      leads: summary.totalLeads,
      placements: summary.totalPlacements,
    },
    totalBudget: money(summary.totalBudget),
    buyers: 0,
    creatives: 0,
    leadValue: kopecks(0),
  });
  return (
    <Figure label={figureTitles[figure]} formula={formula} about={{ of: 'campaign', id: campaignId, figure }}>
      {children}
    </Figure>
  );
};

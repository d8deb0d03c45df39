import { explainFigure, figureTitles, type Figure as FigureName } from '@zakup/domain/analytics/figures';
import type { Kopecks } from '@zakup/domain/money';
import type { ReactNode } from 'react';
import { operandsOf } from '../../shared/campaign/operands.ts';
import { Figure } from '../../shared/explanations/figure.tsx';
import type { Ranked } from './ranking-figures.ts';

/** A figure of one buyer (`by` spent) or one creative (`by` leads) of the campaign. */
export const RankingFigure = ({
  campaignId,
  by,
  row,
  figure,
  leadValue,
  children,
}: {
  readonly campaignId: string;
  readonly by: 'spent' | 'leads';
  readonly row: Ranked;
  readonly figure: FigureName;
  readonly leadValue: Kopecks;
  readonly children: ReactNode;
}) => {
  const { formula } = explainFigure(figure, operandsOf(row, { buyers: 1, creatives: 1, leadValue }));
  const narrowed = by === 'spent' ? { userId: row.id } : { creativeId: row.id };
  return (
    <Figure
      label={`${figureTitles[figure]}, ${row.name}`}
      formula={formula}
      about={{ of: 'campaign', id: campaignId, figure, ...narrowed }}
    >
      {children}
    </Figure>
  );
};

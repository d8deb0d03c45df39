import {
  explainFigure,
  type Figure as FigureName,
  type FigureOperands,
  figureTitles,
} from '@zakup/domain/analytics/figures';
import type { ReactNode } from 'react';
import { Figure } from './figure.tsx';

/** A figure over all placements of a campaign. */
export const CampaignFigure = ({
  campaignId,
  figure,
  operands,
  label = figureTitles[figure],
  children,
}: {
  readonly campaignId: string;
  readonly figure: FigureName;
  readonly operands: FigureOperands;
  readonly label?: string | undefined;
  readonly children: ReactNode;
}) => (
  <Figure
    label={label}
    formula={explainFigure(figure, operands).formula}
    about={{ of: 'campaign', id: campaignId, figure }}
  >
    {children}
  </Figure>
);

import { explainCostPerLead } from '@zakup/domain/analytics/cpl';
import { showDateWithYear } from '@zakup/domain/calendar';
import type { ReactNode } from 'react';
import { money } from '../money/roubles.ts';
import { Figure } from './figure.tsx';

export type PlacementFigureName = 'spent' | 'leads' | 'cpl';

const titles = { spent: 'Цена', leads: 'Приход', cpl: 'CPL' } as const;

/** What a placement cost or brought: who set it, and of what its CPL is calculated. */
export const PlacementFigure = ({
  placement: { placementId, campaignId, date, price, leads },
  figure,
  children,
}: {
  readonly placement: {
    readonly placementId: string;
    readonly campaignId: string;
    /** `YYYY-MM-DD`. */
    readonly date: string;
    /** Roubles. */
    readonly price: number;
    readonly leads: number;
  };
  readonly figure: PlacementFigureName;
  readonly children: ReactNode;
}) => (
  <Figure
    label={`${titles[figure]} размещения ${showDateWithYear(date)}`}
    formula={figure === 'cpl' ? explainCostPerLead(money(price), leads).formula : 'записано в размещении'}
    about={{ of: 'campaign', id: campaignId, figure, placementId }}
  >
    {children}
  </Figure>
);

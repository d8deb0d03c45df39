import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { formatRoubles, kopecks } from '@zakup/domain/money';
import { formatNumber, nbsp, plural } from '@zakup/domain/russian';
import { money } from '../../shared/campaign/figures.ts';
import type { Figures } from './contractor-figures.ts';

export const figuresOf = ({ totalPlacements, totalSpent, totalLeads }: ContractorWire): Figures => ({
  placements: totalPlacements,
  spent: money(totalSpent),
  leads: totalLeads,
});

export const plusFigures = (one: Figures, other: Figures): Figures => ({
  placements: one.placements + other.placements,
  spent: kopecks(one.spent + other.spent),
  leads: one.leads + other.leads,
});

/** `3 размещения`. */
export const placementsText = (count: number): string =>
  `${formatNumber(count)}${nbsp}${plural(count, 'размещение', 'размещения', 'размещений')}`;

/** `3 размещения на 12 000 ₽`, or that there were none. */
export const boughtText = ({ placements, spent }: Figures): string =>
  placements === 0 ? 'размещений нет' : `${placementsText(placements)} на ${formatRoubles(spent)}`;

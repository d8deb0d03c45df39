import type { ContractorWire } from '@zakup/contracts/wire-entities';
import type { Sums } from '@zakup/domain/analytics/sums';
import { formatRoubles } from '@zakup/domain/money';
import { formatNumber, nbsp, plural } from '@zakup/domain/russian';
import { money } from '../../shared/campaign/figures.ts';

/** What the contractor's document says. */
export const contractorSums = ({ totalPlacements, totalSpent, totalLeads }: ContractorWire): Sums => ({
  placements: totalPlacements,
  spent: money(totalSpent),
  leads: totalLeads,
});

/** `3 размещения`. */
export const placementsText = (count: number): string =>
  `${formatNumber(count)}${nbsp}${plural(count, 'размещение', 'размещения', 'размещений')}`;

/** `3 размещения на 12 000 ₽`, or that there were none. */
export const boughtText = ({ placements, spent }: Sums): string =>
  placements === 0 ? 'размещений нет' : `${placementsText(placements)} на ${formatRoubles(spent)}`;

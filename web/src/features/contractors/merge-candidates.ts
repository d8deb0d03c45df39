import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { matches } from '../../shared/ui/matching.ts';
import { channelNameOf } from './contractor-figures.ts';
import { nicksOf } from './contractor-nicks.ts';

/** More than these are found by typing more. */
const listed = 6;

const found = (contractor: ContractorWire, search: string): boolean =>
  [...nicksOf(contractor), channelNameOf(contractor)].some((text) => matches(text, search));

export interface MergeCandidates {
  /** All that are found, who brought most first. */
  readonly all: readonly ContractorWire[];
  /** Who is chosen among them. */
  readonly into: ContractorWire | null;
  /** The first of them, and who is chosen. */
  readonly shown: readonly ContractorWire[];
  readonly hiddenCount: number;
  /** Found by what was typed, but nobody can be merged with them. */
  readonly off: readonly ContractorWire[];
}

/** With whom of the others a contractor can be merged. */
export const mergeCandidates = (
  others: readonly ContractorWire[],
  search: string,
  chosen: string | null,
): MergeCandidates => {
  const hits = others.filter((one) => found(one, search));
  const all = hits
    .filter(({ isActive }) => isActive)
    .sort((a, b) => b.totalSpent - a.totalSpent || a.adminUsername.localeCompare(b.adminUsername));
  const into = all.find(({ id }) => id === chosen) ?? null;
  const shown = all.filter((one, index) => index < listed || one === into);
  const off = search.trim() === '' ? [] : hits.filter(({ isActive }) => !isActive).slice(0, 2);
  return { all, into, shown, hiddenCount: all.length - shown.length, off };
};

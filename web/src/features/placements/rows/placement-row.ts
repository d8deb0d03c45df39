import type { ContractorWire, CreativeWire, PlacementWire, UserWire } from '@zakup/contracts/wire-entities';
import { withoutCreativeLabel } from '@zakup/domain/placement/labels';
import type { Entry } from '../../../shared/outbox/entry.ts';
import type { TypedValues } from '../../../shared/predictions/placement-prediction.ts';

/** A placement with the names it refers to and what is on its way, as the table shows it. */
export interface PlacementRow {
  /** The placement's id, also while the server does not have it yet. */
  readonly id: string;
  readonly kind: 'stored' | 'new';
  /** What its cells show: `decided`, and over it what was typed. */
  readonly placement: PlacementWire;
  /** As the deciders leave it after what is on its way: what figures are counted from. */
  readonly decided: PlacementWire;
  /** Whether it is one of the campaign's placements then; what is typed to be one or to leave does not count. */
  readonly counted: boolean;
  /** Members of what is on its way that nothing here could decide, as typed: no figure follows them until the server has answered. */
  readonly typed: TypedValues;
  /** Ids of the entries that change nothing of what is there. */
  readonly idle: ReadonlySet<string>;
  /** As stored: its revision is what an edit is based on. */
  readonly stored: PlacementWire;
  readonly nick: string;
  readonly buyerName: string;
  readonly creativeName: string;
  readonly entries: readonly Entry[];
  readonly leaving: boolean;
}

/** A creative as the table knows it. */
export type NamedCreative = Pick<CreativeWire, 'id' | 'name' | 'isActive'>;

export interface Names {
  readonly contractors: ReadonlyMap<string, ContractorWire>;
  readonly users: ReadonlyMap<string, UserWire>;
  readonly creatives: ReadonlyMap<string, NamedCreative>;
}

export const withoutCreative = withoutCreativeLabel;

/** Oldest first: the order in which rows stand that tie in every other. */
export const byCreation = (a: PlacementRow, b: PlacementRow): number => {
  if (a.placement.createdAt !== b.placement.createdAt) return a.placement.createdAt < b.placement.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
};

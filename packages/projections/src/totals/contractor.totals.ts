import type { ContractorRow, PlacementRow } from '@zakup/contracts/read-models';
import { addSums, noSums, shiftSums, type Sign, subtractSums, type Sums } from '@zakup/domain/analytics/sums';
import type { Position } from '@zakup/event-store/event-store';
import type { ContractorUse, DocumentKey } from '../documents.ts';
import type { FoldState } from '../fold-state.ts';
import type { Projection } from '../projection.ts';
import { getSoftDeletable, type SoftDeletable, putSoftDeletable } from '../soft-delete.ts';
import { createYielder } from '@zakup/async/yielder';
import { contractorScopes } from '../rows/contractor.row.ts';
import type { RowChange } from '../rows/row-projection.ts';
import type { WorkingSet } from '../working-set.ts';
import { contractorsOf } from './analytics.totals.ts';
import { counted, shiftCounts } from './counted.ts';

type Totals = ContractorRow['totals'];

const noDays: ContractorUse['days'] = {};
const noUse: ContractorUse = { ...noSums, days: noDays };

/** What one or two placements make of sums; counts that stay as they are take no part in it. */
const shiftOf = (rows: readonly (readonly [PlacementRow, Sign])[]): ContractorUse => {
  let sums: Sums = noSums;
  let days: ContractorUse['days'] = noDays;
  const moved = rows.length === 1 || rows[0]?.[0].date !== rows[1]?.[0].date;
  for (const [row, sign] of rows) {
    sums = shiftSums(sums, row, sign);
    if (moved) days = shiftCounts(days, { [row.date]: 1 }, sign);
  }
  return { ...sums, days };
};

const useWith = (use: ContractorUse, shift: ContractorUse): ContractorUse => ({
  ...addSums(use, shift),
  days: shiftCounts(use.days, shift.days, 1),
});

const totalsWith = (totals: Totals, campaignId: string, use: ContractorUse, sign: Sign): Totals =>
  joined(totals, { ...use, campaigns: use.placements === 0 ? {} : { [campaignId]: use.placements } }, sign);

/** The totals with all of another's (`sign` 1), or without them (−1). */
const joined = (totals: Totals, other: Totals, sign: Sign): Totals => ({
  ...(sign === 1 ? addSums(totals, other) : subtractSums(totals, other)),
  days: shiftCounts(totals.days, other.days, sign),
  campaigns: shiftCounts(totals.campaigns, other.campaigns, sign),
});

const alike = (a: PlacementRow | null, b: PlacementRow | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.contractorId === b.contractorId &&
    a.price === b.price &&
    a.leads === b.leads &&
    a.date === b.date);

interface Cause {
  readonly licenceId: string;
  readonly position: Position;
}

const useKey = (licenceId: string, contractorId: string, campaignId: string) => ({
  kind: 'contractor_use' as const,
  id: `${contractorId}:${campaignId}`,
  licenceId,
});

/** Changes the totals of a contractor and of everybody whom it is a part of. */
const changeTotals = async (
  set: WorkingSet,
  { licenceId, position }: Cause,
  contractorId: string,
  totals: (before: Totals) => Totals,
): Promise<void> => {
  let id: string | undefined = contractorId;
  while (id !== undefined) {
    const key: DocumentKey<'contractor'> = { kind: 'contractor', id, licenceId };
    const stored: SoftDeletable<'contractor'> | null = await getSoftDeletable(set, key);
    if (stored === null) throw new Error(`There is no contractor ${id}`);
    const { data: row, hidden } = stored;
    const data: ContractorRow = { ...row, totals: totals(row.totals) };
    await putSoftDeletable(set, key, { position, scopes: contractorScopes(data), data, hidden, wasHidden: hidden });
    id = row.mergedInto;
  }
};

const shiftRows = async (
  set: WorkingSet,
  cause: Cause,
  contractorId: string,
  campaignId: string,
  rows: readonly (readonly [PlacementRow, Sign])[],
): Promise<void> => {
  const key = useKey(cause.licenceId, contractorId, campaignId);
  const shift = shiftOf(rows);
  const use = useWith((await set.get(key)) ?? noUse, shift);
  if (use.placements === 0) await set.remove(key, cause.position);
  else await set.put({ ...key, position: cause.position, scopes: [], data: use });

  const campaign = await getSoftDeletable(set, { kind: 'campaign', id: campaignId, licenceId: cause.licenceId });
  if (campaign === null) throw new Error(`There is no campaign ${campaignId}`);
  if (campaign.hidden) return;
  await changeTotals(set, cause, contractorId, (before) => totalsWith(before, campaignId, shift, 1));
};

const applyPlacement = async (set: WorkingSet, cause: Extract<RowChange, { kind: 'placement' }>): Promise<void> => {
  const [before, after] = [counted(cause.before), counted(cause.after)];
  if (alike(before, after)) return;
  const { campaignId } = cause.after;
  if (before !== null && before.contractorId === after?.contractorId) {
    await shiftRows(set, cause, before.contractorId, campaignId, [
      [after, 1],
      [before, -1],
    ]);
    return;
  }
  if (before !== null) await shiftRows(set, cause, before.contractorId, campaignId, [[before, -1]]);
  if (after !== null) await shiftRows(set, cause, after.contractorId, campaignId, [[after, 1]]);
};

const applyCampaign = async (state: FoldState, cause: Extract<RowChange, { kind: 'campaign' }>): Promise<void> => {
  const { set } = state;
  const { licenceId, before, after } = cause;
  if (before === null || before.deleted === after.deleted) return;
  const sign = after.deleted ? -1 : 1;
  const yieldIfDue = createYielder();
  for (const contractorId of await contractorsOf(state, licenceId, after.id)) {
    const use = (await set.get(useKey(licenceId, contractorId, after.id))) ?? noUse;
    await changeTotals(set, cause, contractorId, (totals) => totalsWith(totals, after.id, use, sign));
    await yieldIfDue();
  }
};

const applyMerge = async (set: WorkingSet, cause: Extract<RowChange, { kind: 'contractor' }>): Promise<void> => {
  const [from, into] = [cause.before?.mergedInto, cause.after.mergedInto];
  if (from === into) return;
  const { totals } = cause.after;
  if (from !== undefined) await changeTotals(set, cause, from, (before) => joined(before, totals, -1));
  if (into !== undefined) await changeTotals(set, cause, into, (before) => joined(before, totals, 1));
};

/**
 * Sums of each contractor over its counted placements and those of whoever was merged into it, and by them the campaigns in whose
 * scope it is. A merged one keeps its own, so that it can be taken out again.
 */
export const contractorTotals: Projection = {
  name: 'contractor-totals',
  version: 9,
  writes: ['contractor', 'removed_contractor', 'contractor_use'],

  apply(change, state) {
    if (change.kind === 'contractor') return applyMerge(state.set, change);
    if (change.kind === 'placement') return applyPlacement(state.set, change);
    if (change.kind === 'campaign') return applyCampaign(state, change);
    return undefined;
  },
};

import type { ContractorRow, PlacementRow } from '@zakup/contracts/read-models';
import { createYielder } from '@zakup/async/yielder';
import type { Sign } from '@zakup/domain/analytics/sums';
import type { FoldState } from '../fold-state.ts';
import type { Projection } from '../projection.ts';
import { getSoftDeletable, putSoftDeletable } from '../soft-delete.ts';
import { contractorScopes } from '../rows/contractor.row.ts';
import type { RowChange } from '../rows/row-projection.ts';
import { foldable } from '../unfoldable.ts';
import { contractorsOf } from './analytics.totals.ts';
import {
  type ContractorDraft,
  contractorDraftOf,
  emptyUseDraft,
  joinCampaign,
  joinContractor,
  shiftContractor,
  shiftUse,
  totalsOf,
  type Use,
  type UseDraft,
  draftOfUse,
  useOf,
} from './contractor-draft.ts';
import { counted } from './counted.ts';
import type { Touch } from '../drafts.ts';

const alike = (a: PlacementRow | null, b: PlacementRow | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.contractorId === b.contractorId &&
    a.price === b.price &&
    a.leads === b.leads &&
    a.date === b.date);

const contractorKey = (licenceId: string, id: string) => ({ kind: 'contractor' as const, id, licenceId });
const useIdOf = ({ contractorId, campaignId }: Use): string => `${contractorId}:${campaignId}`;
const keyOfUse = (licenceId: string, use: Use) => ({ kind: 'contractor_use' as const, id: useIdOf(use), licenceId });

const draftOf = async ({ set, contractors }: FoldState, licenceId: string, id: string): Promise<ContractorDraft> => {
  const stored = await getSoftDeletable(set, contractorKey(licenceId, id));
  if (stored === null) throw new Error(`There is no contractor ${id}`);
  const draft = contractorDraftOf(licenceId, stored.data);
  contractors.set(id, draft);
  return draft;
};

/** Undefined = it has to be looked for. */
const knownDraft = ({ contractors }: FoldState, licenceId: string, id: string): ContractorDraft | undefined => {
  const draft = contractors.get(id);
  if (draft !== undefined && draft.licenceId !== licenceId)
    throw new Error(`Contractor ${id} belongs to another licence`);
  return draft;
};

const useDraft = async ({ set, uses }: FoldState, licenceId: string, use: Use): Promise<UseDraft> => {
  const id = useIdOf(use);
  const known = uses.get(id);
  if (known !== undefined) return known;
  const stored = await set.get(keyOfUse(licenceId, use));
  const draft = stored === null ? emptyUseDraft() : draftOfUse(stored);
  uses.set(id, draft);
  return draft;
};

const settleTotals = async ({ set, contractors }: FoldState, id: string, touch: Touch): Promise<void> => {
  const { licenceId, position } = touch;
  const draft = contractors.get(id);
  const stored = await getSoftDeletable(set, contractorKey(licenceId, id));
  if (stored === null || draft === undefined) throw new Error(`There is no contractor ${id}`);
  const { data: row, hidden } = stored;
  const data: ContractorRow = { ...row, totals: totalsOf(draft) };
  await putSoftDeletable(set, contractorKey(licenceId, id), {
    position,
    scopes: contractorScopes(data),
    data,
    hidden,
    wasHidden: hidden,
  });
};

/**
 * Changes the totals of a contractor and of everybody whom it is a part of. Who comes into a campaign or leaves it is written at once:
 * a document tells when it left a scope.
 */
const changeTotals = async (
  state: FoldState,
  { licenceId, position }: Touch,
  contractorId: string,
  change: (draft: ContractorDraft) => void,
): Promise<void> => {
  const { contractors } = state;
  let id: string | undefined = contractorId;
  while (id !== undefined) {
    const draft: ContractorDraft = knownDraft(state, licenceId, id) ?? (await draftOf(state, licenceId, id));
    const campaigns = draft.campaigns.size;
    change(draft);
    if (draft.campaigns.size === campaigns) {
      contractors.touch(id, { licenceId, position });
    } else {
      await settleTotals(state, id, { licenceId, position });
      contractors.settled(id);
    }
    id = draft.mergedInto;
  }
};

/** Rows that come in before those that go out: what stays at a count keeps its place. */
const shiftRows = async (
  state: FoldState,
  { licenceId, position }: Touch,
  contractorId: string,
  campaignId: string,
  rows: readonly (readonly [PlacementRow, Sign])[],
): Promise<void> => {
  const use = { contractorId, campaignId };
  const draft = state.uses.get(useIdOf(use)) ?? (await useDraft(state, licenceId, use));
  for (const [row, sign] of rows) shiftUse(draft, row, sign);
  state.uses.touch(useIdOf(use), { licenceId, position, ...use });

  let campaign = getSoftDeletable(state.set, { kind: 'campaign', id: campaignId, licenceId });
  if (campaign instanceof Promise) campaign = await campaign;
  if (campaign === null) throw new Error(`There is no campaign ${campaignId}`);
  if (campaign.hidden) return;
  await changeTotals(state, { licenceId, position }, contractorId, (totals) => {
    for (const [row, sign] of rows) shiftContractor(totals, campaignId, row, sign);
  });
};

const applyPlacement = async (state: FoldState, cause: Extract<RowChange, { kind: 'placement' }>): Promise<void> => {
  const [before, after] = [counted(cause.before), counted(cause.after)];
  const { campaignId } = cause.after;
  if (before !== null && after !== null && before.contractorId === after.contractorId) {
    await shiftRows(state, cause, before.contractorId, campaignId, [
      [after, 1],
      [before, -1],
    ]);
    return;
  }
  if (before !== null) await shiftRows(state, cause, before.contractorId, campaignId, [[before, -1]]);
  if (after !== null) await shiftRows(state, cause, after.contractorId, campaignId, [[after, 1]]);
};

const applyCampaign = async (state: FoldState, cause: Extract<RowChange, { kind: 'campaign' }>): Promise<void> => {
  const { licenceId, before, after } = cause;
  if (before === null || before.deleted === after.deleted) return;
  const sign = after.deleted ? -1 : 1;
  const yieldIfDue = createYielder();
  for (const contractorId of await contractorsOf(state, licenceId, after.id)) {
    const use = await useDraft(state, licenceId, { contractorId, campaignId: after.id });
    await changeTotals(state, cause, contractorId, (draft) => joinCampaign(draft, after.id, use, sign));
    await yieldIfDue();
  }
};

const applyMerge = async (state: FoldState, cause: Extract<RowChange, { kind: 'contractor' }>): Promise<void> => {
  const { id, licenceId, before, after } = cause;
  const [from, into] = [before?.mergedInto, after.mergedInto];
  if (from === into) return;
  const totals = contractorDraftOf(licenceId, after);
  state.contractors.set(id, totals);
  if (from !== undefined) await changeTotals(state, cause, from, (draft) => joinContractor(draft, totals, -1));
  if (into !== undefined) await changeTotals(state, cause, into, (draft) => joinContractor(draft, totals, 1));
};

const settle = async (state: FoldState): Promise<void> => {
  const { set, contractors, uses } = state;
  for (const [id, { licenceId, position, ...use }] of uses.touched()) {
    const draft = uses.get(id);
    const key = keyOfUse(licenceId, use);
    if (draft === undefined || draft.placements === 0) await set.remove(key, position);
    else await set.put({ ...key, position, scopes: [], data: useOf(draft) });
  }
  uses.settled();
  for (const [id, touch] of contractors.touched())
    await foldable(touch.licenceId, touch.position, () => settleTotals(state, id, touch));
  contractors.settled();
};

/**
 * Sums of each contractor over its counted placements and those of whoever was merged into it, and by them the campaigns in whose
 * scope it is. A merged one keeps its own, so that it can be taken out again.
 */
export const contractorTotals: Projection = {
  name: 'contractor-totals',
  version: 9,
  writes: ['contractor', 'removed_contractor', 'contractor_use'],
  // A contractor's row is folded from the row before it, totals included.
  settleBefore: ['contractor'],
  settle,

  apply(change, state) {
    if (change.kind === 'contractor') return applyMerge(state, change);
    if (change.kind === 'placement')
      return alike(counted(change.before), counted(change.after)) ? undefined : applyPlacement(state, change);
    if (change.kind === 'campaign') return applyCampaign(state, change);
    return undefined;
  },
};

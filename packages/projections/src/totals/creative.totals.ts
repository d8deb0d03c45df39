import type { CreativeTotals, SumsBySize, PlacementRow } from '@zakup/contracts/read-models';
import { noSums, shiftSums, type Sign } from '@zakup/domain/analytics/sums';
import { channelSizeOf } from '@zakup/domain/analytics/channel-size';
import { noCreative } from '@zakup/domain/placement/events';
import type { Position } from '@zakup/event-store/event-store';
import { createYielder } from '@zakup/async/yielder';
import type { DocumentKey } from '../documents.ts';
import type { FoldState } from '../fold-state.ts';
import type { Projection } from '../projection.ts';
import { getSoftDeletable } from '../soft-delete.ts';
import { creativeScopes } from '../rows/creative.row.ts';
import type { RowChange } from '../rows/row-projection.ts';
import type { WorkingSet } from '../working-set.ts';
import { creativesOf } from './analytics.totals.ts';
import { counted } from './counted.ts';

type Campaigns = CreativeTotals['campaigns'];
/** A placement that comes in (1) or goes out (−1). */
type Shift = readonly [row: PlacementRow, sign: Sign];

const without = <Value>(members: Readonly<Record<string, Value>>, name: string): Readonly<Record<string, Value>> => {
  const { [name]: _, ...others } = members;
  return others;
};

const shiftedSizes = (sums: SumsBySize, [row, sign]: Shift): SumsBySize => {
  const size = channelSizeOf(row.price);
  const after = shiftSums(sums[size] ?? noSums, row, sign);
  return after.placements === 0 ? without(sums, size) : { ...sums, [size]: after };
};

const shiftedCampaigns = (campaigns: Campaigns, campaignId: string, shifts: readonly Shift[]): Campaigns => {
  const sums = shifts.reduce(shiftedSizes, campaigns[campaignId] ?? {});
  return Object.keys(sums).length === 0 ? without(campaigns, campaignId) : { ...campaigns, [campaignId]: sums };
};

/** With what the campaign had taken from the ones and put among the others. */
const moved = (from: Campaigns, to: Campaigns, campaignId: string): readonly [from: Campaigns, to: Campaigns] => {
  const sums = from[campaignId];
  return sums === undefined ? [from, to] : [without(from, campaignId), { ...to, [campaignId]: sums }];
};

const alike = (a: PlacementRow | null, b: PlacementRow | null): boolean =>
  a === b || (a !== null && b !== null && a.price === b.price && a.leads === b.leads && a.creativeId === b.creativeId);

interface Cause {
  readonly licenceId: string;
  readonly position: Position;
}

const changeTotals = async (
  set: WorkingSet,
  { licenceId, position }: Cause,
  id: string,
  totals: (before: CreativeTotals) => CreativeTotals,
): Promise<void> => {
  const key: DocumentKey<'creative'> = { kind: 'creative', id, licenceId };
  let row = set.known(key);
  if (row === undefined) row = await set.get(key);
  if (row?.totals === undefined) return;
  const data = { ...row, totals: totals(row.totals) };
  const written = set.put({ ...key, position, scopes: creativeScopes, data });
  if (written !== undefined) await written;
};

const shiftRows = async (
  set: WorkingSet,
  cause: Cause,
  creativeId: string,
  campaignId: string,
  shifts: readonly Shift[],
): Promise<void> => {
  if (creativeId === noCreative) return;
  let campaign = getSoftDeletable(set, { kind: 'campaign', id: campaignId, licenceId: cause.licenceId });
  if (campaign instanceof Promise) campaign = await campaign;
  if (campaign === null) throw new Error(`There is no campaign ${campaignId}`);
  const list = campaign.hidden ? 'deletedCampaigns' : 'campaigns';
  await changeTotals(set, cause, creativeId, (totals) => ({
    ...totals,
    [list]: shiftedCampaigns(totals[list], campaignId, shifts),
  }));
};

const applyPlacement = async (set: WorkingSet, cause: Extract<RowChange, { kind: 'placement' }>): Promise<void> => {
  const [before, after] = [counted(cause.before), counted(cause.after)];
  const { campaignId } = cause.after;
  if (before !== null && before.creativeId === after?.creativeId) {
    await shiftRows(set, cause, before.creativeId, campaignId, [
      [before, -1],
      [after, 1],
    ]);
    return;
  }
  if (before !== null) await shiftRows(set, cause, before.creativeId, campaignId, [[before, -1]]);
  if (after !== null) await shiftRows(set, cause, after.creativeId, campaignId, [[after, 1]]);
};

const applyCampaign = async (state: FoldState, cause: Extract<RowChange, { kind: 'campaign' }>): Promise<void> => {
  const { licenceId, before, after } = cause;
  if (before === null || before.deleted === after.deleted) return;
  const yieldIfDue = createYielder();
  for (const creativeId of await creativesOf(state, licenceId, after.id)) {
    await changeTotals(state.set, cause, creativeId, ({ campaigns, deletedCampaigns }) => {
      if (after.deleted) {
        const [rest, deleted] = moved(campaigns, deletedCampaigns, after.id);
        return { campaigns: rest, deletedCampaigns: deleted };
      }
      const [rest, present] = moved(deletedCampaigns, campaigns, after.id);
      return { campaigns: present, deletedCampaigns: rest };
    });
    await yieldIfDue();
  }
};

/** Sums of each creative over its counted placements, by campaign and by the size of channels. */
export const creativeTotals: Projection = {
  name: 'creative-totals',
  version: 9,
  writes: ['creative'],

  apply(change, state) {
    if (change.kind === 'placement')
      return alike(counted(change.before), counted(change.after)) ? undefined : applyPlacement(state.set, change);
    if (change.kind === 'campaign') return applyCampaign(state, change);
    return undefined;
  },
};

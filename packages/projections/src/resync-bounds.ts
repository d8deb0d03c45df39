import type { LicenceRow } from '@zakup/contracts/read-models';
import { receiverOf } from '@zakup/domain/contractor/aliases';
import { mergedIntoOf } from './aliases.ts';
import type { FoldState } from './fold-state.ts';
import type { Projection } from './projection.ts';
import type { RowChange } from './rows/row-projection.ts';
import { campaignScope, contractorScope, personScope, workspaceScope } from './scopes.ts';
import { contractorsOf } from './totals/analytics.totals.ts';
import type { WorkingSet } from './working-set.ts';

const sameSettings = (a: LicenceRow['settings'], b: LicenceRow['settings']): boolean =>
  (Object.keys(b) as (keyof typeof b)[]).every((name) => a[name] === b[name]);

const ofContractor = async (
  { id, licenceId, before, after }: Extract<RowChange, { kind: 'contractor' }>,
  set: WorkingSet,
): Promise<void> => {
  if (before === null || before.mergedInto === after.mergedInto) return;
  // Its rows are told with another contractor now, in the scopes of both and where it was placed.
  const mergedInto = await mergedIntoOf(set, licenceId);
  for (const one of [id, before.mergedInto, after.mergedInto])
    if (one !== undefined) set.raiseFloor(licenceId, contractorScope(receiverOf(mergedInto, one)));
  set.raiseFloor(licenceId, contractorScope(id));
  for (const campaignId of Object.keys(after.totals.campaigns)) set.raiseFloor(licenceId, campaignScope(campaignId));
};

const ofCampaign = async (
  { id, licenceId, before, after }: Extract<RowChange, { kind: 'campaign' }>,
  state: FoldState,
): Promise<void> => {
  if (before === null || before.deleted === after.deleted) return;
  state.set.raiseFloor(licenceId, campaignScope(id));
  for (const contractorId of await contractorsOf(state, licenceId, id))
    state.set.raiseFloor(licenceId, contractorScope(contractorId));
};

const ofLicence = async (
  { licenceId, before, after }: Extract<RowChange, { kind: 'license' }>,
  set: WorkingSet,
): Promise<void> => {
  if (before === null || sameSettings(before.settings, after.settings)) return;
  set.raiseFloor(licenceId, workspaceScope);
  for (const { id } of await set.find('campaign', licenceId)) set.raiseFloor(licenceId, campaignScope(id));
  for (const { id } of await set.find('user', licenceId)) set.raiseFloor(licenceId, personScope(id));
};

/** Raises the floors of scopes in which what people see changes without a change of the documents themselves. */
export const resyncBounds: Projection = {
  name: 'resync-bounds',
  version: 9,
  writes: [],

  apply(change, state) {
    if (change.kind === 'contractor') return ofContractor(change, state.set);
    if (change.kind === 'campaign') return ofCampaign(change, state);
    if (change.kind === 'license') return ofLicence(change, state.set);
    return undefined;
  },
};

/** Every scope of a licence, after its content changed below positions that readers have already seen. */
export const raiseAllFloors = async (set: WorkingSet, licenceId: string): Promise<void> => {
  set.raiseFloor(licenceId, workspaceScope);
  for (const { id } of await set.find('campaign', licenceId)) set.raiseFloor(licenceId, campaignScope(id));
  for (const { id } of await set.find('contractor', licenceId)) set.raiseFloor(licenceId, contractorScope(id));
  for (const { id } of await set.find('user', licenceId)) set.raiseFloor(licenceId, personScope(id));
};

import type { LicenceRow } from '@zakup/contracts/read-models';
import { receiverOf } from '@zakup/domain/contractor/aliases';
import { mergedIntoOf } from './aliases.ts';
import type { RowChange } from './rows/row-projection.ts';
import { campaignScope, contractorScope, personScope, workspaceScope } from './scopes.ts';
import type { AnalyticsTotals } from './totals/analytics.totals.ts';
import type { WorkingSet } from './working-set.ts';

const sameSettings = (a: LicenceRow['settings'], b: LicenceRow['settings']): boolean =>
  (Object.keys(b) as (keyof typeof b)[]).every((name) => a[name] === b[name]);

/** Raises the floors of scopes in which what people see changes without a change of the documents themselves. */
export const raiseResyncBounds = async (
  set: WorkingSet,
  analytics: AnalyticsTotals,
  change: RowChange,
): Promise<void> => {
  const { licenceId } = change;
  if (change.kind === 'contractor' && change.before !== null && change.before.mergedInto !== change.after.mergedInto) {
    // Its rows are told with another contractor now, in the scopes of both and where it was placed.
    const mergedInto = await mergedIntoOf(set, licenceId);
    for (const id of [change.id, change.before.mergedInto, change.after.mergedInto])
      if (id !== undefined) set.raiseFloor(licenceId, contractorScope(receiverOf(mergedInto, id)));
    set.raiseFloor(licenceId, contractorScope(change.id));
    for (const id of Object.keys(change.after.totals.campaigns)) set.raiseFloor(licenceId, campaignScope(id));
  }
  if (change.kind === 'campaign' && change.before !== null && change.before.deleted !== change.after.deleted) {
    set.raiseFloor(licenceId, campaignScope(change.id));
    for (const contractorId of await analytics.contractorsOf(licenceId, change.id))
      set.raiseFloor(licenceId, contractorScope(contractorId));
  }
  if (
    change.kind === 'license' &&
    change.before !== null &&
    !sameSettings(change.before.settings, change.after.settings)
  ) {
    set.raiseFloor(licenceId, workspaceScope);
    for (const { id } of await set.find('campaign', licenceId)) set.raiseFloor(licenceId, campaignScope(id));
    for (const { id } of await set.find('user', licenceId)) set.raiseFloor(licenceId, personScope(id));
  }
};

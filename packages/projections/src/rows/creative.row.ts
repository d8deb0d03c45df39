import { noCreativeTotals } from '@zakup/contracts/creative-totals';
import { creativeDecider } from '@zakup/domain/creative/creative.decider';
import { workspaceScope } from '../scopes.ts';
import { rowProjection } from './row-projection.ts';

export const creativeScopes: readonly string[] = [workspaceScope];

export const creativeRow = rowProjection('creative', creativeDecider, {
  version: 9,
  scopes: () => creativeScopes,
  // A row of an earlier version stays without totals: what it had until then is not known here.
  extra: (before) => {
    const totals = before === null ? noCreativeTotals : before.totals;
    return totals === undefined ? {} : { totals };
  },
});

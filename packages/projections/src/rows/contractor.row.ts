import type { ContractorRow } from '@zakup/contracts/read-models';
import { noSums } from '@zakup/domain/analytics/sums';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { campaignScope, contractorScope, workspaceScope } from '../scopes.ts';
import { rowProjection } from './row-projection.ts';

export const contractorScopes = ({ id, totals }: ContractorRow): readonly string[] => [
  workspaceScope,
  contractorScope(id),
  ...Object.keys(totals.campaigns).map(campaignScope),
];

export const contractorRow = rowProjection('contractor', contractorDecider, {
  version: 9,
  scopes: contractorScopes,
  hidden: ({ mergedInto }) => mergedInto !== undefined,
  extra: (before) => ({ totals: before?.totals ?? { ...noSums, days: {}, campaigns: {} } }),
});

import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { campaignScope, contractorScope } from '../scopes.ts';
import { rowProjection } from './row-projection.ts';

export const placementRow = rowProjection('placement', placementDecider, {
  version: 9,
  scopes: ({ campaignId, contractorId }) => [campaignScope(campaignId), contractorScope(contractorId)],
  hidden: ({ removed }) => removed,
});

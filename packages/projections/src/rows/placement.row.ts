import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { campaignScope, contractorScope } from '../scopes.ts';
import { rowRule } from './row-rule.ts';

export const placementRow = rowRule('placement', placementDecider, {
  scopes: ({ campaignId, contractorId }) => [campaignScope(campaignId), contractorScope(contractorId)],
  hidden: ({ removed }) => removed,
});

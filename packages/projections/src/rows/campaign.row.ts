import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { campaignScope, workspaceScope } from '../scopes.ts';
import { rowProjection } from './row-projection.ts';

export const campaignRow = rowProjection('campaign', campaignDecider, {
  version: 9,
  scopes: ({ id }) => [workspaceScope, campaignScope(id)],
  hidden: ({ deleted }) => deleted,
});

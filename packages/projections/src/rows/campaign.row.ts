import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { campaignScope, workspaceScope } from '../scopes.ts';
import { rowRule } from './row-rule.ts';

export const campaignRow = rowRule('campaign', campaignDecider, {
  scopes: ({ id }) => [workspaceScope, campaignScope(id)],
  hidden: ({ deleted }) => deleted,
});

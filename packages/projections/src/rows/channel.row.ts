import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { workspaceScope } from '../scopes.ts';
import { rowRule } from './row-rule.ts';

export const channelRow = rowRule('channel', channelDecider, {
  scopes: () => [workspaceScope],
  hidden: ({ deleted }) => deleted,
});

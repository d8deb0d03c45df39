import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { workspaceScope } from '../scopes.ts';
import { rowProjection } from './row-projection.ts';

export const channelRow = rowProjection('channel', channelDecider, {
  version: 9,
  scopes: () => [workspaceScope],
  hidden: ({ deleted }) => deleted,
});

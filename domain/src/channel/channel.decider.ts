import { isAvatar } from '../address.ts';
import { accept, type Decider, reject, rejectField } from '../decider.ts';
import { parseName } from '../limits.ts';
import { channelInUseBy, messages } from '../messages.ts';
import { showCampaignName } from '../topics.ts';
import type { ChannelCommand, ChannelFacts } from './commands.ts';
import type { ChannelEvent } from './events.ts';
import type { Channel } from './state.ts';

/** Decides and folds channels: CHN-1. */
export const channelDecider: Decider<Channel, ChannelCommand, ChannelEvent, ChannelFacts> = {
  category: 'channel',

  decide(command, state, facts) {
    if (command.type === 'CreateChannel') {
      if (state !== null) return reject('DUPLICATE', messages.alreadyExists);
      const name = parseName(command.name);
      if (name === null) return rejectField('/name', messages.nameInvalid);
      if (!isAvatar(command.avatar ?? '')) return rejectField('/avatar', messages.avatarInvalid);
      return accept({ type: 'ChannelCreated', data: { name, avatar: command.avatar } });
    }
    if (state === null) return reject('NOT_FOUND', messages.channelNotFound);
    if (command.type === 'RestoreChannel')
      return state.deleted ? accept({ type: 'ChannelRestored', data: {} }) : accept();
    if (state.deleted) return reject('NOT_FOUND', messages.channelNotFound);
    switch (command.type) {
      case 'ChangeChannel': {
        const { name: typed, avatar } = command.changes;
        const name = typed === undefined ? state.name : parseName(typed);
        if (name === null) return rejectField('/name', messages.nameInvalid);
        // One from before the rule may stay: nobody is asked about it who changes the name.
        if (avatar !== state.avatar && !isAvatar(avatar ?? '')) return rejectField('/avatar', messages.avatarInvalid);
        const events: ChannelEvent[] = [];
        if (name !== state.name) events.push({ type: 'ChannelRenamed', data: { name } });
        if (avatar !== undefined && avatar !== state.avatar)
          events.push({ type: 'ChannelAvatarChanged', data: { avatar } });
        return accept(...events);
      }
      case 'DeleteChannel': {
        if (state.campaigns.length === 0) return accept({ type: 'ChannelDeleted', data: {} });
        return reject('CONFLICT', channelInUseBy(facts.campaignNames.map(showCampaignName)));
      }
      case 'AttachCampaign': {
        const { campaignId } = command;
        if (state.campaigns.includes(campaignId)) return accept();
        return accept({ type: 'CampaignAttachedToChannel', data: { campaignId } });
      }
      case 'DetachCampaign': {
        const { campaignId } = command;
        if (!state.campaigns.includes(campaignId)) return accept();
        return accept({ type: 'CampaignDetachedFromChannel', data: { campaignId } });
      }
    }
  },

  evolve(state, event) {
    if (event.type === 'ChannelCreated') return { ...event.data, campaigns: [], deleted: false };
    if (state === null) throw new Error(`${event.type} before ChannelCreated`);
    switch (event.type) {
      case 'ChannelRenamed':
      case 'ChannelAvatarChanged':
        return { ...state, ...event.data };
      case 'ChannelDeleted':
        return { ...state, deleted: true };
      case 'ChannelRestored':
        return { ...state, deleted: false };
      case 'CampaignAttachedToChannel':
        return { ...state, campaigns: [...state.campaigns, event.data.campaignId] };
      case 'CampaignDetachedFromChannel':
        return { ...state, campaigns: state.campaigns.filter((id) => id !== event.data.campaignId) };
    }
  },

  changedFields(event) {
    switch (event.type) {
      case 'ChannelCreated':
      case 'ChannelRenamed':
      case 'ChannelAvatarChanged':
        return Object.keys(event.data);
      case 'ChannelDeleted':
      case 'ChannelRestored':
        return ['deleted'];
      // Not the channel's own fields: whoever edits it does not conflict with campaigns that come and go.
      case 'CampaignAttachedToChannel':
      case 'CampaignDetachedFromChannel':
        return [];
    }
  },

  fields: ({ name, avatar, deleted }) => ({ name, avatar, deleted }),
};

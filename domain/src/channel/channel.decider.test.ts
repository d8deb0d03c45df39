import { describe, expect, it } from 'vitest';
import { accept, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import { given } from '../testing/given.ts';
import { channelDecider } from './channel.decider.ts';
import type { ChannelEvent } from './events.ts';

const channel = given(channelDecider);
const created: ChannelEvent = { type: 'ChannelCreated', data: { name: 'Мой канал', avatar: null } };
const deleted: ChannelEvent = { type: 'ChannelDeleted', data: {} };
const attached: ChannelEvent = { type: 'CampaignAttachedToChannel', data: { campaignId: 'k-1' } };
const detached: ChannelEvent = { type: 'CampaignDetachedFromChannel', data: { campaignId: 'k-1' } };
const empty = { campaignNames: [] };

describe('channel', () => {
  it('CH-1 is created under its trimmed name, once', () => {
    const create = { type: 'CreateChannel', name: ' Мой канал ', avatar: null } as const;
    expect(channel().when(create, empty)).toEqual(accept(created));
    expect(channel(created).when(create, empty)).toEqual(reject('DUPLICATE', messages.alreadyExists));
  });

  it('CH-2 has a name of 1 to 120 characters', () => {
    for (const name of ['', '  ', 'x'.repeat(121)]) {
      const refused = rejectField('/name', messages.nameInvalid);
      expect(channel().when({ type: 'CreateChannel', name, avatar: null }, empty)).toEqual(refused);
      expect(channel(created).when({ type: 'ChangeChannel', changes: { name } }, empty)).toEqual(refused);
    }
  });

  it('CH-3 changes by one event a member and appends nothing for what is already there', () => {
    const changes = { name: 'Наш канал', avatar: 'https://example.org/a.png' };
    expect(channel(created).when({ type: 'ChangeChannel', changes }, empty)).toEqual(
      accept(
        { type: 'ChannelRenamed', data: { name: 'Наш канал' } },
        { type: 'ChannelAvatarChanged', data: { avatar: 'https://example.org/a.png' } },
      ),
    );
    const same = { name: 'Мой канал', avatar: null };
    expect(channel(created).when({ type: 'ChangeChannel', changes: same }, empty)).toEqual(accept());
  });

  it('CHN-1412 takes no avatar that an address of a program could be made of; one from before the rule may stay', () => {
    const avatar = 'javascript:alert(document.cookie)';
    const refused = rejectField('/avatar', messages.avatarInvalid);
    expect(channel().when({ type: 'CreateChannel', name: 'К', avatar }, empty)).toEqual(refused);
    expect(channel(created).when({ type: 'ChangeChannel', changes: { avatar } }, empty)).toEqual(refused);
    const old: ChannelEvent = { type: 'ChannelAvatarChanged', data: { avatar } };
    expect(channel(created, old).when({ type: 'ChangeChannel', changes: { name: 'К', avatar } }, empty)).toEqual(
      accept({ type: 'ChannelRenamed', data: { name: 'К' } }),
    );
  });

  it('CH-4 with campaigns is not deleted and names them as they are shown', () => {
    const other: ChannelEvent = { type: 'CampaignAttachedToChannel', data: { campaignId: 'k-2' } };
    expect(
      channel(created, attached, other).when({ type: 'DeleteChannel' }, { campaignNames: ['Весна|старт', 'Лето'] }),
    ).toEqual(reject('CONFLICT', `${messages.channelHasCampaigns}: Весна - старт, Лето`));
    expect(channel(created).when({ type: 'DeleteChannel' }, empty)).toEqual(accept(deleted));
    expect(channel(created, attached, detached).when({ type: 'DeleteChannel' }, empty)).toEqual(accept(deleted));
  });

  it('CH-5 that is deleted or never was is not found', () => {
    const missing = reject('NOT_FOUND', messages.channelNotFound);
    expect(channel().when({ type: 'DeleteChannel' }, empty)).toEqual(missing);
    expect(channel(created, deleted).when({ type: 'DeleteChannel' }, empty)).toEqual(missing);
    expect(channel(created, deleted).when({ type: 'ChangeChannel', changes: {} }, empty)).toEqual(missing);
    expect(channel(created, deleted).when({ type: 'AttachCampaign', campaignId: 'k-1' }, empty)).toEqual(missing);
  });

  it('CH-7 that is deleted comes back as it was; one that lives has nothing to come back from', () => {
    const restore = { type: 'RestoreChannel' } as const;
    const restored: ChannelEvent = { type: 'ChannelRestored', data: {} };
    expect(channel(created, deleted).when(restore, empty)).toEqual(accept(restored));
    expect(channel(created, deleted, restored).state).toEqual(channel(created).state);
    expect(channel(created).when(restore, empty)).toEqual(accept());
    expect(channel().when(restore, empty)).toEqual(reject('NOT_FOUND', messages.channelNotFound));
  });

  it('CH-6 knows its campaigns: each comes and goes once, and none of it touches the channel’s own fields', () => {
    const attach = { type: 'AttachCampaign', campaignId: 'k-1' } as const;
    const detach = { type: 'DetachCampaign', campaignId: 'k-1' } as const;
    expect(channel(created).when(attach, empty)).toEqual(accept(attached));
    expect(channel(created, attached).when(attach, empty)).toEqual(accept());
    expect(channel(created, attached).when(detach, empty)).toEqual(accept(detached));
    expect(channel(created).when(detach, empty)).toEqual(accept());
    expect(channel(created, attached).state?.campaigns).toEqual(['k-1']);
    expect(channelDecider.changedFields(attached)).toEqual([]);
    expect(channelDecider.changedFields(detached)).toEqual([]);
  });
});

import { presentChannel } from '@zakup/contracts/present';
import { changeChannelRequest, createChannelRequest } from '@zakup/contracts/requests/catalog.requests';
import { revisionQuery } from '@zakup/contracts/requests/queries';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import type { ChannelEvent } from '@zakup/domain/channel/events';
import type { Channel } from '@zakup/domain/channel/state';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../pipeline/decide-on.ts';
import { streamOf } from '../pipeline/ids.ts';
import { conflictOfAnyField, mergeWith } from '../pipeline/merge-conflicts.ts';
import { definedOf, denied, parseBody } from '../pipeline/requests.ts';
import { type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';

type ChannelRoute = TenantCommand<Channel, ChannelEvent>;

const target: ChannelRoute['target'] = ({ params }) => ({ entity: channelDecider, id: params['id'] ?? '' });
const answer: ChannelRoute['answer'] = (done, id) => ({ channel: presentChannel(rowOf(done.target, id)) });
const noFacts = { campaignNames: [] };

/** Channels: CHN-1. */
export const channelRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/channels', tenantRoute(deps, createChannel));
  router.put('/channels/:id', tenantRoute(deps, changeChannel(deps)));
  router.delete('/channels/:id', tenantRoute(deps, deleteChannel(deps)));
  return router;
};

const createChannel: ChannelRoute = {
  target: ({ newId }) => ({ entity: channelDecider, id: newId('channel') }),

  async decide(context, id) {
    const refused = denied(may(context.person, 'channel.create'));
    if (refused !== null) return refused;
    const parsed = parseBody(createChannelRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { name, avatar = null } = parsed.body;
    return decideOn(context, channelDecider, id, { type: 'CreateChannel', name, avatar }, noFacts);
  },

  answer,
};

const changeChannel = ({ eventStore }: CommandDeps): ChannelRoute => ({
  target,

  async decide(context, id) {
    const { session, person } = context;
    const refused = denied(may(person, 'channel.change'));
    if (refused !== null) return refused;
    const loaded = await session.load(channelDecider, id);
    if (loaded.state === null || loaded.state.deleted) return { code: 'NOT_FOUND', message: messages.channelNotFound };
    const parsed = parseBody(changeChannelRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { baseRevision, ...body } = parsed.body;
    const at = { entity: channelDecider, stream: streamOf('channel', person.licence.id, id), loaded };
    const merged = await mergeWith(eventStore, session, at, baseRevision, definedOf(body));
    if (merged.kind === 'refused') return merged.problem;
    return decideOn(context, channelDecider, id, { type: 'ChangeChannel', changes: merged.apply }, noFacts);
  },

  answer,
});

const deleteChannel = ({ eventStore }: CommandDeps): ChannelRoute => ({
  target,

  async decide(context, id) {
    const { session, person } = context;
    const refused = denied(may(person, 'channel.remove'));
    if (refused !== null) return refused;
    const loaded = await session.load(channelDecider, id);
    if (loaded.state === null || loaded.state.deleted) return { code: 'NOT_FOUND', message: messages.channelNotFound };
    const parsed = parseBody(revisionQuery, context.query);
    if (parsed.kind === 'refused') return parsed.problem;
    const campaignNames: string[] = [];
    for (const campaignId of loaded.state.campaigns)
      campaignNames.push((await session.load(campaignDecider, campaignId)).state?.name ?? campaignId);
    const at = { entity: channelDecider, stream: streamOf('channel', person.licence.id, id), loaded };
    const conflict = await conflictOfAnyField(eventStore, session, at, parsed.body.baseRevision);
    return conflict ?? decideOn(context, channelDecider, id, { type: 'DeleteChannel' }, { campaignNames });
  },

  answer: () => ({}),
});

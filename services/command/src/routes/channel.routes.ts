import { presentChannel } from '@zakup/contracts/present';
import { changeChannelRequest, createChannelRequest } from '@zakup/contracts/requests/catalog.requests';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import type { ChannelEvent } from '@zakup/domain/channel/events';
import type { Channel } from '@zakup/domain/channel/state';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../entity-routes.ts';
import { streamOf } from '../ids.ts';
import { conflictOfAnyField, mergeWith } from '../merging.ts';
import { definedOf, denied, parseBody, queryRevision } from '../requests.ts';
import { type TenantCommand, tenantRoute } from '../tenant-command.ts';

type ChannelRoute = TenantCommand<Channel, ChannelEvent>;

const target: ChannelRoute['target'] = ({ params }) => ({ entity: channelDecider, id: params['id'] ?? '' });
const answer: ChannelRoute['answer'] = (done, id) => ({ channel: presentChannel(rowOf(done.target, id)) });
const noFacts = { campaigns: [] };

/** Channels: spec.md §7, decisions.md 27. */
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

/** Ids of campaigns that may be in the channel: where the read model says, and those that changed since; the streams say what is true. */
const campaignsToAsk = async (
  { eventStore, readStore }: CommandDeps,
  licenceId: string,
  channelId: string,
): Promise<ReadonlySet<string>> => {
  // The checkpoint first: what is folded later is then found twice, never missed.
  const after = (await readStore.checkpoint('all'))?.position ?? 0;
  const { docs } = await readStore.query('campaign', { licenceId, where: { channelId } });
  const since = await eventStore.readLicence(licenceId, { after });
  const prefix = streamOf(campaignDecider.category, licenceId, '');
  return new Set([
    ...docs.map((doc) => doc.id),
    ...since.filter(({ stream }) => stream.startsWith(prefix)).map(({ stream }) => stream.slice(prefix.length)),
  ]);
};

const deleteChannel = (deps: CommandDeps): ChannelRoute => ({
  target,

  async decide(context, id) {
    const { session, person } = context;
    const refused = denied(may(person, 'channel.remove'));
    if (refused !== null) return refused;
    const loaded = await session.load(channelDecider, id);
    if (loaded.state === null || loaded.state.deleted) return { code: 'NOT_FOUND', message: messages.channelNotFound };
    const parsed = parseBody(queryRevision, context.query);
    if (parsed.kind === 'refused') return parsed.problem;
    const campaigns: string[] = [];
    for (const campaignId of await campaignsToAsk(deps, person.licence.id, id)) {
      const campaign = (await session.load(campaignDecider, campaignId)).state;
      if (campaign !== null && !campaign.deleted && campaign.channelId === id) campaigns.push(campaign.name);
    }
    const at = { entity: channelDecider, stream: streamOf('channel', person.licence.id, id), loaded };
    const conflict = await conflictOfAnyField(deps.eventStore, session, at, parsed.body.baseRevision);
    return conflict ?? decideOn(context, channelDecider, id, { type: 'DeleteChannel' }, { campaigns });
  },

  answer: () => ({}),
});

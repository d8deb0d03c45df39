import { presentChannel } from '@zakup/contracts/to-wire';
import { changeChannelRequest, createChannelRequest } from '@zakup/contracts/requests/catalog.requests';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { messages } from '@zakup/domain/messages';
import type { Router } from 'express';
import { crudRoutes } from '../pipeline/crud-routes.ts';
import type { PipelineDeps } from '../pipeline/pipeline-deps.ts';

/** Channels: CHN-1. */
export const channelRoutes = (deps: PipelineDeps): Router =>
  crudRoutes(deps, {
    name: 'channel',
    path: '/channels',
    decider: channelDecider,
    notFound: messages.channelNotFound,
    isChangeable: ({ deleted }) => !deleted,
    isRemovable: ({ deleted }) => !deleted,
    createSchema: createChannelRequest,
    changeSchema: changeChannelRequest,
    create: ({ name, avatar = null }) => ({ type: 'CreateChannel', name, avatar }) as const,
    change: (changes) => ({ type: 'ChangeChannel', changes }) as const,
    remove: { type: 'DeleteChannel' },
    facts: { campaignNames: [] },

    async removalFacts(session, { campaigns }) {
      const campaignNames: string[] = [];
      for (const id of campaigns) campaignNames.push((await session.load(campaignDecider, id)).state?.name ?? id);
      return { campaignNames };
    },

    toWire: presentChannel,
  });

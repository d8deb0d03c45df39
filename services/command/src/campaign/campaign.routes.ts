import { presentCampaign } from '@zakup/contracts/to-wire';
import { changeCampaignRequest, createCampaignRequest } from '@zakup/contracts/requests/catalog.requests';
import { revisionQuery } from '@zakup/contracts/requests/queries';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import type { CampaignFacts } from '@zakup/domain/campaign/commands';
import type { CampaignEvent, CampaignStatus, Participant } from '@zakup/domain/campaign/events';
import type { Campaign } from '@zakup/domain/campaign/state';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { entriesOf } from '@zakup/domain/merge';
import { messages } from '@zakup/domain/messages';
import { fromRoubles, kopecks, toRoubles } from '@zakup/domain/money';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import { decideCampaign } from './campaign-in-channel.ts';
import type { CommandDeps } from '../deps.ts';
import { rowOf } from '../pipeline/decide-on.ts';
import { streamOf } from '../pipeline/ids.ts';
import { conflictOfAnyField, mergeWith } from '../pipeline/merge-conflicts.ts';
import { definedOf, denied, parseBody } from '../pipeline/requests.ts';
import { type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

type CampaignRoute = TenantCommand<Campaign, CampaignEvent>;

const target: CampaignRoute['target'] = ({ params }) => ({ entity: campaignDecider, id: params['id'] ?? '' });
const answer: CampaignRoute['answer'] = (done, id) => ({ campaign: presentCampaign(rowOf(done.target, id)) });

/** Campaigns: CMP-1 to CMP-8. */
export const campaignRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post(['/campaigns', '/campaigns/create-safe'], tenantRoute(deps, createCampaign));
  router.put('/campaigns/:id', tenantRoute(deps, changeCampaign(deps)));
  router.delete('/campaigns/:id', tenantRoute(deps, deleteCampaign(deps)));
  router.post('/campaigns/:id/complete', tenantRoute(deps, moveCampaign('campaign.complete', 'CompleteCampaign')));
  router.post('/campaigns/:id/reopen', tenantRoute(deps, moveCampaign('campaign.reopen', 'ReopenCampaign')));
  router.post('/campaigns/:id/restore', tenantRoute(deps, restoreCampaign));
  return router;
};

/** Which of the wanted people and the wanted channel there are in this licence. */
const factsOf = async (
  { session }: TenantContext,
  channelId: string | undefined,
  userIds: readonly string[],
): Promise<CampaignFacts> => {
  const channel = channelId === undefined ? null : (await session.load(channelDecider, channelId)).state;
  const knownPeople: string[] = [];
  for (const userId of userIds)
    if ((await session.load(employeeDecider, userId)).state !== null) knownPeople.push(userId);
  return { channel, knownPeople };
};

const createCampaign: CampaignRoute = {
  target: ({ newId }) => ({ entity: campaignDecider, id: newId('campaign') }),

  async decide(context, id) {
    const refused = denied(may(context.person, 'campaign.create'));
    if (refused !== null) return refused;
    const parsed = parseBody(createCampaignRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const {
      name,
      channelId,
      totalBudget,
      budget,
      status,
      startDate = null,
      endDate = null,
      participants = [],
    } = parsed.body;
    const facts = await factsOf(
      context,
      channelId,
      participants.map(({ userId }) => userId),
    );
    const command = {
      type: 'CreateCampaign',
      name,
      channelId,
      totalBudget: totalBudget ?? budget ?? kopecks(0),
      startDate,
      endDate,
      participants,
      ...(status !== undefined && { status }),
    } as const;
    return decideCampaign(context, id, command, facts);
  },

  answer,
};

type OutsideParticipant = Omit<Participant, 'budget' | 'cplThreshold'> & {
  readonly budget: number;
  readonly cplThreshold: number | null;
};
const outside = (one: Participant): OutsideParticipant => ({
  ...one,
  budget: toRoubles(one.budget),
  cplThreshold: one.cplThreshold === null ? null : toRoubles(one.cplThreshold),
});
const inside = (one: OutsideParticipant): Participant => ({
  ...one,
  budget: fromRoubles(one.budget) ?? kopecks(0),
  cplThreshold: one.cplThreshold === null ? null : fromRoubles(one.cplThreshold),
});

const changeCampaign = ({ eventStore }: CommandDeps): CampaignRoute => ({
  target,

  async decide(context, id) {
    const { session, person } = context;
    const refused = denied(may(person, 'campaign.change'));
    if (refused !== null) return refused;
    const loaded = await session.load(campaignDecider, id);
    const { state } = loaded;
    if (state === null || state.deleted) return { code: 'NOT_FOUND', message: messages.campaignNotFound };
    const parsed = parseBody(changeCampaignRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { baseRevision, budget, totalBudget = budget, participants, ...body } = parsed.body;
    const wanted = definedOf({
      ...body,
      totalBudget: totalBudget === undefined ? undefined : toRoubles(totalBudget),
      participants: participants?.map(outside),
    });
    const at = { entity: campaignDecider, stream: streamOf('campaign', person.licence.id, id), loaded };
    const merged = await mergeWith(eventStore, session, at, baseRevision, wanted);
    const moves = merged.kind === 'refused' || Object.hasOwn(merged.apply, 'status');
    const right = rightToMove(state.status, moves ? (body.status ?? state.status) : state.status);
    const refusedMove = right === null ? null : denied(may(person, right));
    if (refusedMove !== null) return refusedMove;
    if (merged.kind === 'refused') return merged.problem;
    const people = Object.entries(entriesOf(merged.apply, 'participants'));
    const set = people.filter(([, entry]) => entry !== null).map(([, entry]) => inside(entry as OutsideParticipant));
    const remove = people.filter(([, entry]) => entry === null).map(([userId]) => userId);
    const members = Object.fromEntries(Object.entries(body).filter(([field]) => Object.hasOwn(merged.apply, field)));
    const changes = {
      ...members,
      ...(totalBudget !== undefined && Object.hasOwn(merged.apply, 'totalBudget') && { totalBudget }),
      ...(people.length > 0 && { participants: { set, remove } }),
    };
    const facts = await factsOf(
      context,
      body.channelId,
      set.map(({ userId }) => userId),
    );
    return decideCampaign(context, id, { type: 'ChangeCampaign', changes }, facts);
  },

  answer,
});

/** A status set by PUT (one that counts as sent) has the right of `/complete` and `/reopen` (CMP-8); activating a draft needs none beside `settings`. */
const rightToMove = (from: CampaignStatus, to: CampaignStatus): 'campaign.complete' | 'campaign.reopen' | null => {
  if (from === to) return null;
  if (to === 'COMPLETED') return 'campaign.complete';
  return from === 'COMPLETED' ? 'campaign.reopen' : null;
};

const deleteCampaign = ({ eventStore }: CommandDeps): CampaignRoute => ({
  target,

  async decide(context, id) {
    const { session, person } = context;
    const refused = denied(may(person, 'campaign.remove'));
    if (refused !== null) return refused;
    const loaded = await session.load(campaignDecider, id);
    if (loaded.state === null || loaded.state.deleted) return { code: 'NOT_FOUND', message: messages.campaignNotFound };
    const parsed = parseBody(revisionQuery, context.query);
    if (parsed.kind === 'refused') return parsed.problem;
    const at = { entity: campaignDecider, stream: streamOf('campaign', person.licence.id, id), loaded };
    const conflict = await conflictOfAnyField(eventStore, session, at, parsed.body.baseRevision);
    const facts = { channel: null, knownPeople: [] };
    return conflict ?? decideCampaign(context, id, { type: 'DeleteCampaign' }, facts);
  },

  answer: () => ({}),
});

const moveCampaign = (
  action: 'campaign.complete' | 'campaign.reopen',
  type: 'CompleteCampaign' | 'ReopenCampaign',
): CampaignRoute => ({
  target,

  async decide(context, id) {
    const refused = denied(may(context.person, action));
    return refused ?? decideCampaign(context, id, { type }, { channel: null, knownPeople: [] });
  },

  answer,
});

const restoreCampaign: CampaignRoute = {
  target,

  async decide(context, id) {
    const refused = denied(may(context.person, 'campaign.restore'));
    if (refused !== null) return refused;
    const { state } = await context.session.load(campaignDecider, id);
    const facts = await factsOf(context, state?.channelId, []);
    return decideCampaign(context, id, { type: 'RestoreCampaign' }, facts);
  },

  answer,
};

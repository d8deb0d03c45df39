import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import type { Campaign } from '@zakup/domain/campaign/state';
import type { Recorded } from '@zakup/domain/decider';
import { fromRoubles, kopecks } from '@zakup/domain/money';
import type { Entry } from '../outbox/entry.ts';

/** Participants are left out: no command that goes this way decides on them. */
const stateOf = ({ name, channelId, totalBudget, status, startDate, endDate }: CampaignWire): Campaign => ({
  name,
  channelId,
  totalBudget: fromRoubles(totalBudget) ?? kopecks(0),
  status,
  startDate,
  endDate,
  participants: [],
  deleted: false,
  completion: null,
});

const isReopening = ({ target, method, path, state }: Entry): boolean =>
  method === 'POST' && path === `/api/campaigns/${target.id}/reopen` && state.kind !== 'rejected';

/** The status that a campaign will have by its commands on their way, by the server's own decider. */
export const predictedStatus = (campaign: CampaignWire, entries: readonly Entry[]): CampaignWire['status'] => {
  let state = stateOf(campaign);
  for (const entry of entries.filter(isReopening)) {
    const decision = campaignDecider.decide({ type: 'ReopenCampaign' }, state, { channel: null, knownPeople: [] });
    if (decision.kind === 'rejected') continue;
    const recorded: Recorded = { at: new Date(entry.issuedAt).toISOString(), actorId: '', revision: campaign.revision };
    for (const event of decision.events) state = campaignDecider.evolve(state, event, recorded);
  }
  return state.status;
};

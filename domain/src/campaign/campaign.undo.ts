import { reject, rejectField } from '../decider.ts';
import { entriesOf } from '../merge.ts';
import { messages } from '../messages.ts';
import { inTurn, membersOf, type Undoable } from '../undo.ts';
import { campaignDecider } from './campaign.decider.ts';
import type { CampaignCommand, CampaignFacts } from './commands.ts';
import type { CampaignEvent } from './events.ts';
import type { Campaign } from './state.ts';

/** How campaigns go back; the fact is the channel that the campaign would be in. */
export const campaignUndo: Undoable<Campaign, CampaignEvent, Pick<CampaignFacts, 'channel'>> = {
  ...campaignDecider,
  isGone: ({ deleted }) => deleted,
  takeBack: (current, facts) => campaignDecider.decide({ type: 'DeleteCampaign' }, current, known(facts, current)),

  bringBack(names, before, current, facts) {
    if (names.has('status') && before.status === 'DRAFT')
      return rejectField('/commandId', messages.campaignNotBackToDraft);
    if (names.has('channelId') && (facts.channel === null || facts.channel.deleted))
      return reject('CONFLICT', messages.channelDeleted);
    const commands: CampaignCommand[] = [];
    if (names.has('deleted') && !before.deleted) commands.push({ type: 'RestoreCampaign' });
    const people = Object.keys(entriesOf(Object.fromEntries([...names].map((name) => [name, true])), 'participants'));
    const changes = {
      ...membersOf(before, names, ['name', 'channelId', 'totalBudget', 'startDate', 'endDate', 'status']),
      ...(people.length > 0 && {
        participants: {
          set: before.participants.filter(({ userId }) => people.includes(userId)),
          remove: people.filter((id) => !before.participants.some(({ userId }) => userId === id)),
        },
      }),
    };
    if (Object.keys(changes).length > 0) commands.push({ type: 'ChangeCampaign', changes });
    if (names.has('deleted') && before.deleted) commands.push({ type: 'DeleteCampaign' });
    return inTurn(campaignDecider, current, commands, (command, state) =>
      campaignDecider.decide(command, state, known(facts, before)),
    );
  },
};

/** People who took part once may take part again, whoever they are today. */
const known = ({ channel }: Pick<CampaignFacts, 'channel'>, { participants }: Campaign): CampaignFacts => ({
  channel,
  knownPeople: participants.map(({ userId }) => userId),
});

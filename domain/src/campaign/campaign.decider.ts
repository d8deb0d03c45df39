import { accept, type Decider, type Decision, type FieldError, reject, rejectField, rejectFields } from '../decider.ts';
import { isAmount, isRate, parseName } from '../limits.ts';
import { messages } from '../messages.ts';
import { type Kopecks, toRoubles } from '../money.ts';
import type { CampaignChanges, CampaignCommand, CampaignFacts } from './commands.ts';
import type { CampaignEvent, CampaignStatus, Participant } from './events.ts';
import type { Campaign } from './state.ts';

/** Decides and folds campaigns: CMP-1 to CMP-8. Who may complete and reopen is not asked here. */
export const campaignDecider: Decider<Campaign, CampaignCommand, CampaignEvent, CampaignFacts> = {
  category: 'campaign',

  decide(command, state, facts) {
    if (command.type === 'CreateCampaign') return decideCreate(command, state, facts);
    if (state === null) return reject('NOT_FOUND', messages.campaignNotFound);
    if (state.deleted && command.type !== 'RestoreCampaign') return reject('NOT_FOUND', messages.campaignNotFound);
    switch (command.type) {
      case 'ChangeCampaign':
        return decideChange(command.changes, state, facts);
      case 'CompleteCampaign':
        return accept(...moved(state.status, 'COMPLETED'));
      case 'ReopenCampaign':
        return state.status === 'COMPLETED' ? accept({ type: 'CampaignReopened', data: {} }) : accept();
      case 'DeleteCampaign':
        return accept({ type: 'CampaignDeleted', data: {} });
      case 'RestoreCampaign':
        if (!state.deleted) return accept();
        if (facts.channel === null || facts.channel.deleted) return reject('CONFLICT', messages.channelDeleted);
        return accept({ type: 'CampaignRestored', data: {} });
    }
  },

  evolve(state, event, { at, actorId }) {
    if (event.type === 'CampaignCreated') {
      const isCompleted = event.data.status === 'COMPLETED';
      return { ...event.data, deleted: false, completion: isCompleted ? { at, by: actorId } : null };
    }
    if (state === null) throw new Error(`${event.type} before CampaignCreated`);
    switch (event.type) {
      case 'CampaignRenamed':
      case 'CampaignMovedToChannel':
      case 'CampaignBudgetChanged':
      case 'CampaignDatesChanged':
        return { ...state, ...event.data };
      case 'CampaignParticipantSet': {
        const { participant } = event.data;
        const known = state.participants.some(({ userId }) => userId === participant.userId);
        return {
          ...state,
          participants: known
            ? state.participants.map((one) => (one.userId === participant.userId ? participant : one))
            : [...state.participants, participant],
        };
      }
      case 'CampaignParticipantRemoved':
        return { ...state, participants: state.participants.filter(({ userId }) => userId !== event.data.userId) };
      case 'CampaignActivated':
      case 'CampaignReopened':
        return { ...state, status: 'ACTIVE', completion: null };
      case 'CampaignCompleted':
        return { ...state, status: 'COMPLETED', completion: { at, by: actorId } };
      case 'CampaignDeleted':
        return { ...state, deleted: true };
      case 'CampaignRestored':
        return { ...state, deleted: false };
    }
  },

  changedFields(event) {
    switch (event.type) {
      case 'CampaignCreated':
      case 'CampaignRenamed':
      case 'CampaignMovedToChannel':
      case 'CampaignBudgetChanged':
      case 'CampaignDatesChanged':
        return Object.keys(event.data);
      case 'CampaignParticipantSet':
        return [`participants/${event.data.participant.userId}`];
      case 'CampaignParticipantRemoved':
        return [`participants/${event.data.userId}`];
      case 'CampaignActivated':
      case 'CampaignReopened':
      case 'CampaignCompleted':
        return ['status'];
      case 'CampaignDeleted':
      case 'CampaignRestored':
        return ['deleted'];
    }
  },

  fields: (campaign) => {
    // Whether it is completed is its status; by whom and when is nobody's wish.
    const { completion, ...state } = campaign;
    void completion;
    return {
      ...state,
      totalBudget: toRoubles(state.totalBudget),
      participants: state.participants.map((one) => ({
        ...one,
        budget: toRoubles(one.budget),
        cplThreshold: one.cplThreshold === null ? null : toRoubles(one.cplThreshold),
      })),
    };
  },
};

const decideCreate = (
  command: Extract<CampaignCommand, { type: 'CreateCampaign' }>,
  state: Campaign | null,
  facts: CampaignFacts,
): Decision<CampaignEvent> => {
  if (state !== null) return reject('DUPLICATE', messages.alreadyExists);
  const name = parseName(command.name);
  const participants = latestPerPerson(command.participants);
  const [first, ...more] = mistakes(name, command.totalBudget, participants, facts);
  if (first !== undefined) return rejectFields(first, ...more);
  if (facts.channel === null || facts.channel.deleted) return reject('NOT_FOUND', messages.channelNotFound);
  const { channelId, totalBudget, startDate, endDate } = command;
  const status = command.status ?? 'DRAFT';
  return accept({
    type: 'CampaignCreated',
    data: { name: name ?? '', channelId, totalBudget, status, startDate, endDate, participants },
  });
};

const decideChange = (changes: CampaignChanges, state: Campaign, facts: CampaignFacts): Decision<CampaignEvent> => {
  const { channelId, startDate, endDate, status, totalBudget = state.totalBudget } = changes;
  const name = changes.name === undefined ? state.name : parseName(changes.name);
  const set = latestPerPerson(changes.participants?.set ?? []).filter(
    (wanted) => !state.participants.some((present) => sameParticipant(present, wanted)),
  );
  const kept = new Set(changes.participants?.set.map(({ userId }) => userId));
  const removed = state.participants.filter(
    ({ userId }) => changes.participants?.remove.includes(userId) === true && !kept.has(userId),
  );
  const [first, ...more] = mistakes(name, totalBudget, set, facts);
  if (first !== undefined) return rejectFields(first, ...more);
  if (status === 'DRAFT' && state.status !== 'DRAFT') return rejectField('/status', messages.campaignNotBackToDraft);
  const moves = channelId !== undefined && channelId !== state.channelId;
  if (moves && (facts.channel === null || facts.channel.deleted)) return reject('NOT_FOUND', messages.channelNotFound);

  const dates = {
    ...(startDate !== undefined && startDate !== state.startDate ? { startDate } : {}),
    ...(endDate !== undefined && endDate !== state.endDate ? { endDate } : {}),
  };
  const events: CampaignEvent[] = [];
  if (name !== null && name !== state.name) events.push({ type: 'CampaignRenamed', data: { name } });
  if (moves) events.push({ type: 'CampaignMovedToChannel', data: { channelId } });
  if (totalBudget !== state.totalBudget) events.push({ type: 'CampaignBudgetChanged', data: { totalBudget } });
  if (Object.keys(dates).length > 0) events.push({ type: 'CampaignDatesChanged', data: dates });
  for (const { userId } of removed) events.push({ type: 'CampaignParticipantRemoved', data: { userId } });
  for (const participant of set) events.push({ type: 'CampaignParticipantSet', data: { participant } });
  if (status !== undefined) events.push(...moved(state.status, status));
  return accept(...events);
};

const moved = (from: CampaignStatus, to: CampaignStatus): readonly CampaignEvent[] => {
  if (from === to || to === 'DRAFT') return [];
  if (to === 'COMPLETED') return [{ type: 'CampaignCompleted', data: {} }];
  return [{ type: from === 'DRAFT' ? 'CampaignActivated' : 'CampaignReopened', data: {} }];
};

const mistakes = (
  name: string | null,
  totalBudget: Kopecks,
  participants: readonly Participant[],
  { knownPeople }: CampaignFacts,
): readonly FieldError[] => {
  const errors: FieldError[] = [];
  if (name === null) errors.push({ pointer: '/name', detail: messages.nameInvalid });
  if (!isAmount(totalBudget)) errors.push({ pointer: '/totalBudget', detail: messages.budgetInvalid });
  for (const { userId, budget, salaryRate, cplThreshold } of participants) {
    const pointer = '/participants';
    if (!knownPeople.includes(userId)) errors.push({ pointer, detail: messages.employeeNotFound });
    if (!isAmount(budget)) errors.push({ pointer, detail: messages.budgetInvalid });
    if (salaryRate !== null && !isRate(salaryRate)) errors.push({ pointer, detail: messages.rateInvalid });
    if (cplThreshold !== null && !isAmount(cplThreshold)) errors.push({ pointer, detail: messages.thresholdInvalid });
  }
  return errors;
};

const latestPerPerson = (participants: readonly Participant[]): readonly Participant[] => [
  ...new Map(participants.map((one) => [one.userId, one])).values(),
];

const sameParticipant = (one: Participant, other: Participant): boolean =>
  one.userId === other.userId &&
  one.budget === other.budget &&
  one.salaryType === other.salaryType &&
  one.salaryRate === other.salaryRate &&
  one.cplThreshold === other.cplThreshold;

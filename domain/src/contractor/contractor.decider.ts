import { accept, type Decider, type Decision, reject, rejectField } from '../decider.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import type { ContractorChanges, ContractorCommand, ContractorFacts } from './commands.ts';
import type { ContractorEvent } from './events.ts';
import { verdictOfBoth } from './merged-verdict.ts';
import type { Contractor } from './state.ts';

const noteCleaners = new Set(['CEO', 'CBDO', 'TEAM_LEAD']);

/** Decides and folds contractors with their notes: CTR-3, CTR-4, CTR-6, CTR-8. One nick per licence is the reservation's to keep. */
export const contractorDecider: Decider<Contractor, ContractorCommand, ContractorEvent, ContractorFacts> = {
  category: 'contractor',

  decide(command, state, facts) {
    if (command.type === 'CreateContractor') {
      if (state !== null) return reject('DUPLICATE', messages.alreadyExists);
      if (command.nick === '') return rejectField('/adminUsername', messages.nickRequired);
      if (command.channelName.length > limits.name) return rejectField('/channelName', messages.textTooLong);
      const { type: _, ...data } = command;
      return accept({ type: 'ContractorCreated', data });
    }
    if (state === null) return reject('NOT_FOUND', messages.contractorNotFound);
    if (state.mergedInto !== undefined)
      return command.type === 'SeparateContractor'
        ? accept({ type: 'ContractorSeparated', data: { fromId: state.mergedInto } })
        : reject('NOT_FOUND', messages.contractorMerged);
    switch (command.type) {
      case 'ChangeContractor':
        return decideChange(command.changes, state);
      case 'AddNote': {
        const note = command.note.trim();
        if (note === '') return rejectField('/note', messages.noteRequired);
        if (note.length > limits.note) return rejectField('/note', messages.noteTooLong);
        if (state.notes.some(({ id }) => id === command.noteId)) return reject('DUPLICATE', messages.alreadyExists);
        const { noteId, authorName, written } = command;
        return accept({ type: 'ContractorNoteAdded', data: { noteId, note, authorName, ...written } });
      }
      case 'RemoveNote': {
        const note = state.notes.find(({ id }) => id === command.noteId);
        if (note === undefined) return reject('NOT_FOUND', messages.noteNotFound);
        if (note.authorId !== facts.actor.id && !noteCleaners.has(facts.actor.role))
          return reject('ACCESS_DENIED', messages.noteNotYours);
        return accept({ type: 'ContractorNoteRemoved', data: { noteId: command.noteId } });
      }
      case 'MergeContractor':
        return decideMerge(command, facts);
      case 'ReceiveContractor':
        return decideReceive(command, state);
      case 'SeparateContractor':
        return accept();
      case 'ReturnContractor': {
        const { contractorId, noteIds } = command;
        if (!(state.received ?? []).some((one) => one.contractorId === contractorId)) return accept();
        return accept<ContractorEvent>(
          { type: 'ContractorReturned', data: { contractorId } },
          ...state.notes
            .filter(({ id }) => noteIds.includes(id))
            .map(({ id }) => ({ type: 'ContractorNoteRemoved', data: { noteId: id } }) as const),
        );
      }
    }
  },

  evolve(state, event, { at, actorId, revision }) {
    if (event.type === 'ContractorCreated') return { ...event.data, isActive: true, notes: [] };
    if (state === null) throw new Error(`${event.type} before ContractorCreated`);
    switch (event.type) {
      case 'ContractorRenamed':
      case 'ContractorChannelNameChanged':
      case 'ContractorCategoryChanged':
        return { ...state, ...event.data, automatic: false };
      case 'ContractorDeactivated':
        return { ...state, isActive: false };
      case 'ContractorReactivated':
        return { ...state, isActive: true };
      case 'ContractorVerdictChanged': {
        const { verdict: _, ...unlisted } = state;
        const { verdict } = event.data;
        return verdict === null ? unlisted : { ...unlisted, verdict };
      }
      case 'ContractorNoteAdded': {
        const { noteId, note, authorName, authorId = actorId, createdAt } = event.data;
        const added = { id: noteId, revision, note, authorId, authorName, createdAt: createdAt ?? at };
        if (createdAt === undefined) return { ...state, notes: [...state.notes, added] };
        const earlier = state.notes.findLastIndex((one) => one.createdAt <= createdAt) + 1;
        return { ...state, notes: [...state.notes.slice(0, earlier), added, ...state.notes.slice(earlier)] };
      }
      case 'ContractorNoteRemoved':
        return { ...state, notes: state.notes.filter(({ id }) => id !== event.data.noteId) };
      case 'ContractorMerged':
        return { ...state, mergedInto: event.data.intoId };
      case 'ContractorSeparated': {
        const { mergedInto: _, ...itself } = state;
        return itself;
      }
      case 'ContractorReceived':
        return { ...state, received: [...(state.received ?? []), event.data] };
      case 'ContractorReturned': {
        const { received = [], ...itself } = state;
        const left = received.filter(({ contractorId }) => contractorId !== event.data.contractorId);
        return left.length === 0 ? itself : { ...itself, received: left };
      }
    }
  },

  changedFields(event) {
    switch (event.type) {
      case 'ContractorCreated':
        return ['adminUsername', 'channelName', 'category'];
      case 'ContractorRenamed':
        return ['adminUsername'];
      case 'ContractorChannelNameChanged':
      case 'ContractorCategoryChanged':
        return Object.keys(event.data);
      case 'ContractorDeactivated':
      case 'ContractorReactivated':
        return ['isActive'];
      case 'ContractorVerdictChanged':
        return ['verdict'];
      case 'ContractorNoteAdded':
      case 'ContractorNoteRemoved':
        return [`notes/${event.data.noteId}`];
      case 'ContractorMerged':
      case 'ContractorSeparated':
        return ['mergedInto'];
      case 'ContractorReceived':
      case 'ContractorReturned':
        return [`merged/${event.data.contractorId}`];
    }
  },

  fields: ({
    adminUsername,
    channelName,
    category,
    isActive,
    verdict = null,
    notes,
    mergedInto = null,
    received = [],
  }) => ({
    adminUsername,
    channelName,
    category,
    isActive,
    verdict,
    mergedInto,
    notes: Object.fromEntries(notes.map(({ id, note }) => [id, note])),
    merged: Object.fromEntries(received.map(({ contractorId, nicks }) => [contractorId, nicks])),
  }),
};

type CommandOf<Type extends ContractorCommand['type']> = Extract<ContractorCommand, { readonly type: Type }>;

const decideMerge = (
  { contractorId, intoId }: CommandOf<'MergeContractor'>,
  { into = null }: ContractorFacts,
): Decision<ContractorEvent> => {
  if (intoId === contractorId) return rejectField('/intoId', messages.mergeWithItself);
  if (into === null) return reject('NOT_FOUND', messages.contractorNotFound);
  if (into.mergedInto !== undefined) return reject('NOT_FOUND', messages.contractorMerged);
  if (!into.isActive) return rejectField('/intoId', messages.mergeTargetInactive);
  return accept({ type: 'ContractorMerged', data: { intoId } });
};

/** The notes that came are told anew, so that they are its own from now on. */
const decideReceive = (
  { contractorId, nicks, notes, verdict }: CommandOf<'ReceiveContractor'>,
  state: Contractor,
): Decision<ContractorEvent> => {
  if ((state.received ?? []).some((one) => one.contractorId === contractorId)) return accept();
  const known = new Set(state.notes.map(({ id }) => id));
  const judged = verdictOfBoth(state.verdict, verdict);
  return accept<ContractorEvent>(
    { type: 'ContractorReceived', data: { contractorId, nicks } },
    ...(judged === undefined || judged === state.verdict
      ? []
      : [{ type: 'ContractorVerdictChanged', data: { verdict: judged } } as const]),
    ...notes
      .filter(({ id }) => !known.has(id))
      .map(({ id, note, authorName, authorId, createdAt }): ContractorEvent => {
        const data = { noteId: id, note, authorName, authorId, createdAt };
        return { type: 'ContractorNoteAdded', data };
      }),
  );
};

const decideChange = (changes: ContractorChanges, state: Contractor): Decision<ContractorEvent> => {
  const { contact, channelName, category, isActive, verdict } = changes;
  if (contact?.nick === '') return rejectField('/adminUsername', messages.nickRequired);
  if (channelName !== undefined && channelName.length > limits.name)
    return rejectField('/channelName', messages.textTooLong);
  const reason = verdict?.reason.trim();
  if (reason === '') return rejectField('/verdict/reason', messages.verdictReasonRequired);
  if (reason !== undefined && reason.length > limits.verdictReason)
    return rejectField('/verdict/reason', messages.verdictReasonTooLong);
  const events: ContractorEvent[] = [];
  if (contact !== undefined && (contact.nick !== state.nick || contact.adminUsername !== state.adminUsername))
    events.push({ type: 'ContractorRenamed', data: { nick: contact.nick, adminUsername: contact.adminUsername } });
  if (channelName !== undefined && channelName !== state.channelName)
    events.push({ type: 'ContractorChannelNameChanged', data: { channelName } });
  if (category !== undefined && category !== state.category)
    events.push({ type: 'ContractorCategoryChanged', data: { category } });
  if (isActive !== undefined && isActive !== state.isActive)
    events.push({ type: isActive ? 'ContractorReactivated' : 'ContractorDeactivated', data: {} });
  if (verdict !== undefined && (verdict?.list !== state.verdict?.list || reason !== state.verdict?.reason))
    events.push({
      type: 'ContractorVerdictChanged',
      data: { verdict: verdict === null || reason === undefined ? null : { list: verdict.list, reason } },
    });
  return accept(...events);
};

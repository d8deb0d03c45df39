import { presentContractor, presentNote } from '@zakup/contracts/to-wire';
import type { Problem } from '@zakup/contracts/problems';
import type { ContractorRow } from '@zakup/contracts/read-models';
import {
  addNoteRequest,
  changeContractorRequest,
  createContractorRequest,
  mergeContractorRequest,
} from '@zakup/contracts/requests/catalog.requests';
import { noSums } from '@zakup/domain/analytics/sums';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import type { ContractorEvent } from '@zakup/domain/contractor/events';
import { isReceived, nicksOf } from '@zakup/domain/contractor/nicks';
import type { Contractor } from '@zakup/domain/contractor/state';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import type { ReadStore } from '@zakup/read-store/read-store';
import { Router } from 'express';
import { moveNicks } from './contractor-nicks.ts';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../pipeline/decide-on.ts';
import { streamOf } from '../pipeline/ids.ts';
import { aheadOf, conflictOfAnyField, mergeWith } from '../pipeline/merge-conflicts.ts';
import { definedOf, denied, parseBody } from '../pipeline/requests.ts';
import { claim, release } from '../pipeline/reservations.ts';
import { type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

type ContractorRoute = TenantCommand<Contractor, ContractorEvent>;

/** Contractors and their notes: CTR-3, CTR-4, CTR-6, CTR-8 to CTR-12, ROLE-12. */
export const contractorRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/contractors', tenantRoute(deps, createContractor));
  router.put('/contractors/:id', tenantRoute(deps, changeContractor(deps)));
  router.post('/contractors/:id/merge', tenantRoute(deps, mergeContractor(deps)));
  router.post('/contractors/:id/notes', tenantRoute(deps, addNote));
  router.delete('/contractors/:id/notes/:noteId', tenantRoute(deps, removeNote));
  return router;
};

const target: ContractorRoute['target'] = ({ params }) => ({ entity: contractorDecider, id: params['id'] ?? '' });
/** Nobody is there, or they are a part of another one by now: to be opened anew. */
const goneOf = (state: Contractor | null): Problem | null => {
  if (state === null) return { code: 'NOT_FOUND', message: messages.contractorNotFound };
  return state.mergedInto === undefined ? null : { code: 'NOT_FOUND', message: messages.contractorMerged };
};
const factsOf = ({ person }: TenantContext) => ({ actor: { id: person.userId, role: person.role } });

const noTotals: ContractorRow['totals'] = { ...noSums, days: {}, campaigns: {} };

/** As of the command that made it, also when it is sent again: nothing was placed yet. */
const answerCreated: ContractorRoute['answer'] = (done, id) => ({
  contractor: presentContractor({ ...rowOf(done.target, id), totals: noTotals }),
});

/** The entity is as of the command; its totals are the read model's, which follows the log. */
const answerChanged =
  (readStore: ReadStore): ContractorRoute['answer'] =>
  async (done, id) => {
    const doc = await readStore.get('contractor', id);
    const totals = (doc?.data as unknown as ContractorRow | undefined)?.totals ?? noTotals;
    return { contractor: presentContractor({ ...rowOf(done.target, id), totals }) };
  };

const createContractor: ContractorRoute = {
  target: ({ newId }) => ({ entity: contractorDecider, id: newId('contractor') }),

  async decide(context, id) {
    const { session, person } = context;
    const refused = denied(may(person, 'contractor.create'));
    if (refused !== null) return refused;
    const parsed = parseBody(createContractorRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { adminUsername: contact, channelName = '', category = '' } = parsed.body;
    const holder = { licenceId: person.licence.id, id };
    const taken = await claim(session, { category: 'nick', licenceId: person.licence.id, value: contact.nick }, holder);
    if (taken !== null) return { code: 'DUPLICATE', message: messages.nickTaken };
    const command = { type: 'CreateContractor', ...contact, channelName, category, automatic: false } as const;
    return decideOn(context, contractorDecider, id, command, factsOf(context));
  },

  answer: answerCreated,
};

const changeContractor = ({ eventStore, readStore }: CommandDeps): ContractorRoute => ({
  target,

  async decide(context, id) {
    const { session, person } = context;
    const refused = denied(may(person, 'contractor.change'));
    if (refused !== null) return refused;
    const loaded = await session.load(contractorDecider, id);
    const gone = goneOf(loaded.state);
    if (loaded.state === null || gone !== null) return gone;
    const parsed = parseBody(changeContractorRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { baseRevision, adminUsername: contact, ...body } = parsed.body;
    if (body.isActive === false) {
      const deactivation = denied(may(person, 'contractor.deactivate'));
      if (deactivation !== null) return deactivation;
    }
    const at = { entity: contractorDecider, stream: streamOf('contractor', person.licence.id, id), loaded };
    const wanted = definedOf({ ...body, adminUsername: contact?.adminUsername });
    const merged = await mergeWith(eventStore, session, at, baseRevision, wanted);
    if (merged.kind === 'refused') return merged.problem;
    const { adminUsername: renamed, ...changes } = merged.apply;
    const contactChange = renamed === undefined || contact === undefined ? {} : { contact };
    if (contact !== undefined && renamed !== undefined && contact.nick !== loaded.state.nick) {
      const holder = { licenceId: person.licence.id, id };
      const value = (nick: string) => ({ category: 'nick', licenceId: person.licence.id, value: nick }) as const;
      if ((await claim(session, value(contact.nick), holder)) !== null)
        return { code: 'DUPLICATE', message: messages.nickTaken };
      // A nick that came with somebody else stays theirs to be found by.
      if (!isReceived(loaded.state, loaded.state.nick)) await release(session, value(loaded.state.nick), holder);
    }
    const command = { type: 'ChangeContractor', changes: { ...changes, ...contactChange } } as const;
    return decideOn(context, contractorDecider, id, command, factsOf(context));
  },

  answer: answerChanged(readStore),
});

/**
 * The one of the path becomes a part of the other: both say so, the nicks move with their claims and the notes are told anew. The
 * reply is about the other one.
 */
const mergeContractor = ({ eventStore, readStore }: CommandDeps): ContractorRoute => ({
  target: ({ body }) => ({ entity: contractorDecider, id: intoIdOf(body) }),

  async decide(context, intoId) {
    const { session, person } = context;
    const refused = denied(may(person, 'contractor.merge'));
    if (refused !== null) return refused;
    const id = context.params['id'] ?? '';
    const loaded = await session.load(contractorDecider, id);
    const gone = goneOf(loaded.state);
    if (loaded.state === null || gone !== null) return gone;
    const parsed = parseBody(mergeContractorRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { baseRevision } = parsed.body;
    const at = { entity: contractorDecider, stream: streamOf('contractor', person.licence.id, id), loaded };
    const ahead = aheadOf(loaded, baseRevision);
    if (ahead !== null) return ahead;
    const into = (await session.load(contractorDecider, intoId)).state;
    const facts = { ...factsOf(context), into };
    const decision = contractorDecider.decide(
      { type: 'MergeContractor', contractorId: id, intoId },
      loaded.state,
      facts,
    );
    if (decision.kind === 'rejected') return decision.rejection;
    const conflict = await conflictOfAnyField(eventStore, session, at, baseRevision);
    if (conflict !== null) return conflict;
    const nicks = nicksOf(loaded.state);
    const taken = await moveNicks(context, nicks, id, intoId);
    if (taken !== null) return taken;
    session.emit(contractorDecider, id, decision.events);
    const { notes, verdict } = loaded.state;
    const receive = { type: 'ReceiveContractor', contractorId: id, nicks, notes, verdict } as const;
    return decideOn(context, contractorDecider, intoId, receive, facts);
  },

  answer: answerChanged(readStore),
});

/** As the schema reads it; no name of anybody when it is none. */
const intoIdOf = (body: unknown): string => {
  const parsed = mergeContractorRequest.safeParse(body);
  return parsed.success ? parsed.data.intoId : '';
};

/** A note is found again by the command that made it: its id is derived from the command. */
const addNote: ContractorRoute = {
  target,

  async decide(context, id) {
    const { session, person, newId } = context;
    const refused = denied(may(person, 'note.add'));
    if (refused !== null) return refused;
    const gone = goneOf((await session.load(contractorDecider, id)).state);
    if (gone !== null) return gone;
    const parsed = parseBody(addNoteRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { note } = parsed.body;
    const command = { type: 'AddNote', noteId: newId('note'), note, authorName: person.name } as const;
    return decideOn(context, contractorDecider, id, command, factsOf(context));
  },

  answer: ({ target: { state, revision } }, id) => {
    const note = state?.notes.find((one) => one.revision === revision);
    if (note === undefined) throw new Error(`Contractor ${id} has no note of revision ${revision}`);
    return { note: presentNote({ ...note, contractorId: id }) };
  },
};

const removeNote: ContractorRoute = {
  target,

  async decide(context, id) {
    const { session, person } = context;
    const refusedToAll = denied(may(person, 'note.remove', 'some'));
    if (refusedToAll !== null) return refusedToAll;
    const { state } = await session.load(contractorDecider, id);
    const gone = goneOf(state);
    if (gone !== null) return gone;
    const noteId = context.params['noteId'] ?? '';
    const note = state?.notes.find((one) => one.id === noteId);
    if (note === undefined) return { code: 'NOT_FOUND', message: messages.noteNotFound };
    const refused = denied(may(person, 'note.remove', { authorId: note.authorId }));
    if (refused !== null) return { ...refused, message: messages.noteNotYours };
    return decideOn(context, contractorDecider, id, { type: 'RemoveNote', noteId }, factsOf(context));
  },

  answer: () => ({}),
};

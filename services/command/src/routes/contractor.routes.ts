import { presentContractor, presentNote } from '@zakup/contracts/present';
import { type ContractorRow, noOperands } from '@zakup/contracts/read-models';
import {
  addNoteRequest,
  changeContractorRequest,
  createContractorRequest,
} from '@zakup/contracts/requests/catalog.requests';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import type { ContractorEvent } from '@zakup/domain/contractor/events';
import type { Contractor } from '@zakup/domain/contractor/state';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import type { ReadStore } from '@zakup/read-store/read-store';
import { Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../entity-routes.ts';
import { streamOf } from '../ids.ts';
import { mergeWith } from '../merging.ts';
import { definedOf, denied, parseBody } from '../requests.ts';
import { claim, release } from '../reservations.ts';
import { type TenantCommand, type TenantContext, tenantRoute } from '../tenant-command.ts';

type ContractorRoute = TenantCommand<Contractor, ContractorEvent>;

/** Contractors and their notes: CTR-3, CTR-4, CTR-8, ROLE-12. */
export const contractorRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/contractors', tenantRoute(deps, createContractor));
  router.put('/contractors/:id', tenantRoute(deps, changeContractor(deps)));
  router.post('/contractors/:id/notes', tenantRoute(deps, addNote));
  router.delete('/contractors/:id/notes/:noteId', tenantRoute(deps, removeNote));
  return router;
};

const target: ContractorRoute['target'] = ({ params }) => ({ entity: contractorDecider, id: params['id'] ?? '' });
const factsOf = ({ person }: TenantContext) => ({ actor: { id: person.userId, role: person.role } });

const noTotals: ContractorRow['totals'] = { ...noOperands, days: {}, campaigns: {} };

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
    if (loaded.state === null) return { code: 'NOT_FOUND', message: messages.contractorNotFound };
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
      await release(session, value(loaded.state.nick), holder);
    }
    const command = { type: 'ChangeContractor', changes: { ...changes, ...contactChange } } as const;
    return decideOn(context, contractorDecider, id, command, factsOf(context));
  },

  answer: answerChanged(readStore),
});

/** A note is found again by the command that made it: its id is derived from the command. */
const addNote: ContractorRoute = {
  target,

  async decide(context, id) {
    const { session, person, newId } = context;
    const refused = denied(may(person, 'note.add'));
    if (refused !== null) return refused;
    const { state } = await session.load(contractorDecider, id);
    if (state === null) return { code: 'NOT_FOUND', message: messages.contractorNotFound };
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
    const noteId = context.params['noteId'] ?? '';
    const note = state?.notes.find((one) => one.id === noteId);
    if (note === undefined)
      return { code: 'NOT_FOUND', message: state === null ? messages.contractorNotFound : messages.noteNotFound };
    const refused = denied(may(person, 'note.remove', { authorId: note.authorId }));
    if (refused !== null) return { ...refused, message: messages.noteNotYours };
    return decideOn(context, contractorDecider, id, { type: 'RemoveNote', noteId }, factsOf(context));
  },

  answer: () => ({}),
};

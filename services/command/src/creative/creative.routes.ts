import { presentCreative } from '@zakup/contracts/present';
import { changeCreativeRequest, createCreativeRequest } from '@zakup/contracts/requests/catalog.requests';
import { revisionQuery } from '@zakup/contracts/requests/queries';
import { creativeDecider } from '@zakup/domain/creative/creative.decider';
import type { CreativeEvent } from '@zakup/domain/creative/events';
import type { Creative } from '@zakup/domain/creative/state';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../pipeline/decide-on.ts';
import { streamOf } from '../pipeline/ids.ts';
import { conflictOfAnyField, mergeWith } from '../pipeline/merge-conflicts.ts';
import { definedOf, denied, parseBody } from '../pipeline/requests.ts';
import { type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';

type CreativeRoute = TenantCommand<Creative, CreativeEvent>;

const target: CreativeRoute['target'] = ({ params }) => ({ entity: creativeDecider, id: params['id'] ?? '' });
const answer: CreativeRoute['answer'] = (done, id) => ({ creative: presentCreative(rowOf(done.target, id)) });

/** Creatives: CRV-1. */
export const creativeRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/creatives', tenantRoute(deps, createCreative));
  router.put('/creatives/:id', tenantRoute(deps, changeCreative(deps)));
  router.delete('/creatives/:id', tenantRoute(deps, deactivateCreative(deps)));
  return router;
};

const createCreative: CreativeRoute = {
  target: ({ newId }) => ({ entity: creativeDecider, id: newId('creative') }),

  async decide(context, id) {
    const refused = denied(may(context.person, 'creative.create'));
    if (refused !== null) return refused;
    const parsed = parseBody(createCreativeRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { name, abbreviation = '', type: creativeType = 'TEXT_ONLY', notes = '' } = parsed.body;
    const command = { type: 'CreateCreative', name, abbreviation, creativeType, notes } as const;
    return decideOn(context, creativeDecider, id, command, {});
  },

  answer,
};

const changeCreative = ({ eventStore }: CommandDeps): CreativeRoute => ({
  target,

  async decide(context, id) {
    const { session, person } = context;
    const refused = denied(may(person, 'creative.change'));
    if (refused !== null) return refused;
    const loaded = await session.load(creativeDecider, id);
    if (loaded.state === null) return { code: 'NOT_FOUND', message: messages.creativeNotFound };
    const parsed = parseBody(changeCreativeRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { baseRevision, ...body } = parsed.body;
    const at = { entity: creativeDecider, stream: streamOf('creative', person.licence.id, id), loaded };
    const merged = await mergeWith(eventStore, session, at, baseRevision, definedOf(body));
    if (merged.kind === 'refused') return merged.problem;
    return decideOn(context, creativeDecider, id, { type: 'ChangeCreative', changes: merged.apply }, {});
  },

  answer,
});

const deactivateCreative = ({ eventStore }: CommandDeps): CreativeRoute => ({
  target,

  async decide(context, id) {
    const { session, person } = context;
    const refused = denied(may(person, 'creative.remove'));
    if (refused !== null) return refused;
    const loaded = await session.load(creativeDecider, id);
    if (loaded.state === null || !loaded.state.isActive)
      return { code: 'NOT_FOUND', message: messages.creativeNotFound };
    const parsed = parseBody(revisionQuery, context.query);
    if (parsed.kind === 'refused') return parsed.problem;
    const at = { entity: creativeDecider, stream: streamOf('creative', person.licence.id, id), loaded };
    const conflict = await conflictOfAnyField(eventStore, session, at, parsed.body.baseRevision);
    return conflict ?? decideOn(context, creativeDecider, id, { type: 'DeactivateCreative' }, {});
  },

  answer: () => ({}),
});

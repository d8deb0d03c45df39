import type { Problem } from '@zakup/contracts/problems';
import { revisionQuery } from '@zakup/contracts/requests/queries';
import type { Decider, DomainEvent } from '@zakup/domain/decider';
import type { Fields } from '@zakup/domain/merge';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { z } from 'zod';
import { decideOn, rowOf } from './decide-on.ts';
import type { DecisionSession } from './decision-session.ts';
import { streamOf } from './ids.ts';
import { conflictOfAnyField, type LoadedAt, mergeWith } from './merge-conflicts.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { definedOf, denied, parseBody } from './requests.ts';
import { type TenantCommand, tenantRoute } from './tenant-command.ts';
import type { TenantContext } from './tenant-context.ts';

/** A kind of entity that people create, change and remove, and nothing else. */
export interface CrudEntity<State, Command, Event extends DomainEvent, Facts, Created, Changed> {
  /** Its category, in its rights and its replies. */
  readonly name: 'channel' | 'creative';
  /** Of the collection, e.g. `/channels`. */
  readonly path: string;
  readonly decider: Decider<State, Command, Event, Facts>;
  /** What is said of one that is not there. */
  readonly notFound: string;
  readonly isChangeable: (state: State) => boolean;
  readonly isRemovable: (state: State) => boolean;
  readonly createSchema: z.ZodType<Created>;
  readonly changeSchema: z.ZodType<Changed>;
  readonly create: (body: Created) => Command;
  /** `changes`: the members sent that merging has left. */
  readonly change: (changes: Fields) => Command;
  readonly remove: Command;
  /** What it is created and changed by. */
  readonly facts: Facts;
  readonly removalFacts: (session: DecisionSession, state: State) => Promise<Facts>;
  readonly toWire: (row: ReturnType<typeof rowOf<State>>) => object;
}

/** POST, PUT and DELETE of one kind of entity, in the order of refusals. */
export const crudRoutes = <
  State,
  Command,
  Event extends DomainEvent,
  Facts,
  Created,
  Changed extends { readonly baseRevision?: number | undefined },
>(
  deps: PipelineDeps,
  entity: CrudEntity<State, Command, Event, Facts, Created, Changed>,
): Router => {
  const { name, path, decider } = entity;
  const target: TenantCommand<State, Event>['target'] = ({ params }) => ({ entity: decider, id: params['id'] ?? '' });
  const answer: TenantCommand<State, Event>['answer'] = (done, id) => ({
    [name]: entity.toWire(rowOf(done.target, id)),
  });

  const create: TenantCommand<State, Event> = {
    target: ({ newId }) => ({ entity: decider, id: newId(name) }),

    async decide(context, id) {
      const refused = denied(may(context.person, `${name}.create`));
      if (refused !== null) return refused;
      const parsed = parseBody(entity.createSchema, context.body);
      if (parsed.kind === 'refused') return parsed.problem;
      return decideOn(context, decider, id, entity.create(parsed.body), entity.facts);
    },

    answer,
  };

  const change: TenantCommand<State, Event> = {
    target,

    async decide(context, id) {
      const refused = denied(may(context.person, `${name}.change`));
      if (refused !== null) return refused;
      const there = await loaded(context, entity, id, entity.isChangeable);
      if (there.kind === 'refused') return there.problem;
      const parsed = parseBody(entity.changeSchema, context.body);
      if (parsed.kind === 'refused') return parsed.problem;
      const { baseRevision, ...body } = parsed.body;
      const merged = await mergeWith(deps.eventStore, context.session, there.at, baseRevision, definedOf(body));
      if (merged.kind === 'refused') return merged.problem;
      return decideOn(context, decider, id, entity.change(merged.apply), entity.facts);
    },

    answer,
  };

  const remove: TenantCommand<State, Event> = {
    target,

    async decide(context, id) {
      const refused = denied(may(context.person, `${name}.remove`));
      if (refused !== null) return refused;
      const there = await loaded(context, entity, id, entity.isRemovable);
      if (there.kind === 'refused') return there.problem;
      const parsed = parseBody(revisionQuery, context.query);
      if (parsed.kind === 'refused') return parsed.problem;
      const facts = await entity.removalFacts(context.session, there.state);
      const { baseRevision } = parsed.body;
      const conflict = await conflictOfAnyField(deps.eventStore, context.session, there.at, baseRevision);
      return conflict ?? decideOn(context, decider, id, entity.remove, facts);
    },

    answer: () => ({}),
  };

  const router = Router();
  router.post(path, tenantRoute(deps, create));
  router.put(`${path}/:id`, tenantRoute(deps, change));
  router.delete(`${path}/:id`, tenantRoute(deps, remove));
  return router;
};

type There<State, Event extends DomainEvent> =
  | { readonly kind: 'there'; readonly state: State; readonly at: LoadedAt<State, Event> }
  | { readonly kind: 'refused'; readonly problem: Problem };

const loaded = async <State, Command, Event extends DomainEvent, Facts>(
  { session, person }: TenantContext,
  { decider, notFound }: Pick<CrudEntity<State, Command, Event, Facts, never, never>, 'decider' | 'notFound'>,
  id: string,
  isThere: (state: State) => boolean,
): Promise<There<State, Event>> => {
  const found = await session.load(decider, id);
  const { state } = found;
  if (state === null || !isThere(state)) return { kind: 'refused', problem: { code: 'NOT_FOUND', message: notFound } };
  const stream = streamOf(decider.category, person.licence.id, id);
  return { kind: 'there', state, at: { entity: decider, stream, loaded: found } };
};

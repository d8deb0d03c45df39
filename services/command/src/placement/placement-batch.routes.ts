import { presentPlacement } from '@zakup/contracts/to-wire';
import { type Problem, toProblemBody } from '@zakup/contracts/problems';
import {
  type PlacementBatchItem,
  placementBatchFrame,
  placementBatchItem,
} from '@zakup/contracts/requests/placement.requests';
import type { DomainEvent } from '@zakup/domain/decider';
import { may } from '@zakup/domain/permissions';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import type { Placement } from '@zakup/domain/placement/state';
import { Router } from 'express';
import { createYielder } from '@zakup/async/yielder';
import { withReceiver } from '../contractor/contractor-alias.ts';
import type { CommandDeps } from '../deps.ts';
import { rowOf } from '../pipeline/decide-on.ts';
import { readingOnce, type StreamReader } from '../pipeline/merge-conflicts.ts';
import {
  addPlacement,
  changePlacement,
  openPlacement,
  removePlacement,
  restorePlacement,
  setPayment,
} from './decide-placement.ts';
import { denied, type Parsed, parseBody } from '../pipeline/requests.ts';
import type { Loaded } from '../pipeline/stream-cache.ts';
import { type PerRequest, tenantRoute } from '../pipeline/tenant-command.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

/** Many changes of placements under one command id, in one append: PLC-8. */
export const placementBatchRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/placements/batch', tenantRoute(deps, batch(deps)));
  return router;
};

/** What became of one item: the placement as the item left it, `null` = deleted. */
type ItemOutcome =
  | { readonly kind: 'done'; readonly id: string; readonly placement: Loaded<Placement> | null }
  | { readonly kind: 'refused'; readonly problem: Problem };

const batch =
  (deps: CommandDeps): PerRequest<never, DomainEvent> =>
  () => {
    let outcomes: readonly ItemOutcome[] = [];
    return {
      target: () => null,
      redecides: true,

      async decide(context) {
        const refused = denied(may(context.person, 'placement.add', 'some'));
        if (refused !== null) return refused;
        const frame = parseBody(placementBatchFrame, context.body);
        if (frame.kind === 'refused') return frame.problem;
        const { atomic = true } = frame.body;
        const yieldIfDue = createYielder();
        const items: Parsed<PlacementBatchItem>[] = [];
        for (const item of frame.body.items) {
          items.push(parseBody(placementBatchItem, item));
          await yieldIfDue();
        }
        const misshapen = atomic ? mistakesOf(items) : null;
        if (misshapen !== null) return misshapen;
        const reader = readingOnce(deps.eventStore);
        const found: ItemOutcome[] = [];
        for (const [index, item] of items.entries()) {
          found.push(item.kind === 'refused' ? item : await decideItem(reader, context, index, item.body));
          await yieldIfDue();
        }
        outcomes = found;
        return atomic ? firstRefusal(found) : null;
      },

      async answer({ position }, _id, { session: { licenceId } }) {
        const yieldIfDue = createYielder();
        const results: object[] = [];
        for (const [index, outcome] of outcomes.entries()) {
          results.push(await resultOf(deps, licenceId, outcome, index, position));
          await yieldIfDue();
        }
        return { results };
      },
    };
  };

/** Decides one item on what the ones before it left; a refused one leaves nothing. */
const decideItem = async (
  eventStore: StreamReader,
  context: TenantContext,
  index: number,
  item: PlacementBatchItem,
): Promise<ItemOutcome> => {
  const own: TenantContext = { ...context, newId: (purpose) => context.newId(`${purpose}/${index}`) };
  const id = item.op === 'add' ? own.newId('placement') : item.placementId;
  const problem = await context.session.attempt(() => decideOperation(eventStore, own, id, item));
  if (problem !== null) return { kind: 'refused', problem };
  return {
    kind: 'done',
    id,
    placement: item.op === 'delete' ? null : await context.session.load(placementDecider, id),
  };
};

/** What the person must have the right to do to the item's placement. */
const actions = {
  change: 'placement.change',
  payment: 'placement.change',
  delete: 'placement.remove',
  restore: 'placement.restore',
} as const;

const decideOperation = async (
  eventStore: StreamReader,
  context: TenantContext,
  id: string,
  item: PlacementBatchItem,
): Promise<Problem | null> => {
  if (item.op === 'add') return addPlacement(context, id, item);
  const opened = await openPlacement(context, id, actions[item.op]);
  if (opened.kind === 'refused') return opened.problem;
  switch (item.op) {
    case 'change': {
      const { op: _, placementId: __, ...body } = item;
      return changePlacement(eventStore, context, opened, body);
    }
    case 'payment':
      return setPayment(eventStore, context, opened, item);
    case 'delete':
      return removePlacement(eventStore, context, opened, item);
    case 'restore':
      return restorePlacement(context, opened);
  }
};

/** More mistakes than a person reads. */
const mostErrors = 100;

const inItem = (problem: Problem, index: number): Problem => ({
  ...problem,
  index,
  ...(problem.errors && {
    errors: problem.errors.map((error) => ({ ...error, pointer: `/items/${index}${error.pointer}` })),
  }),
});

/** The shape of all items is asked before any of them is decided (CALL-3); null = all are well shaped. */
const mistakesOf = (items: readonly Parsed<PlacementBatchItem>[]): Problem | null => {
  const problems = items.flatMap((item, index) => (item.kind === 'refused' ? [inItem(item.problem, index)] : []));
  const [first] = problems;
  if (first === undefined) return null;
  return { ...first, errors: problems.flatMap(({ errors = [] }) => errors).slice(0, mostErrors) };
};

/** In the order of refusals: rights, the rules of the body, ids of the body, then all else. */
const rank = ({ code }: Problem): number => {
  if (code === 'ACCESS_DENIED' || code === 'LICENSE_INACTIVE') return 0;
  return code === 'VALIDATION_FAILED' ? 1 : code === 'NOT_FOUND' ? 2 : 3;
};

const firstRefusal = (outcomes: readonly ItemOutcome[]): Problem | null =>
  outcomes
    .flatMap((outcome, index) => (outcome.kind === 'refused' ? [inItem(outcome.problem, index)] : []))
    .toSorted((one, other) => rank(one) - rank(other))[0] ?? null;

/** `instance` names the item, not the request: a repeat answers the same. */
const resultOf = async (
  deps: CommandDeps,
  licenceId: string,
  outcome: ItemOutcome,
  index: number,
  position: number,
): Promise<object> => {
  if (outcome.kind === 'refused')
    return { index, ok: false, problem: toProblemBody(outcome.problem, `${position}/${index}`) };
  const { id, placement } = outcome;
  if (placement === null) return { index, ok: true, placement };
  return { index, ok: true, placement: presentPlacement(await withReceiver(deps, licenceId, rowOf(placement, id))) };
};

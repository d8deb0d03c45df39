import { presentPlacement } from '@zakup/contracts/to-wire';
import {
  addPlacementRequest,
  changePlacementRequest,
  setPaymentRequest,
} from '@zakup/contracts/requests/placement.requests';
import { revisionQuery } from '@zakup/contracts/requests/queries';
import { may } from '@zakup/domain/permissions';
import type { PlacementEvent } from '@zakup/domain/placement/events';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import type { Placement } from '@zakup/domain/placement/state';
import { Router } from 'express';
import { withReceiver } from '../contractor/contractor-alias.ts';
import type { CommandDeps } from '../deps.ts';
import { rowOf } from '../pipeline/decide-on.ts';
import {
  addPlacement,
  changePlacement,
  openPlacement,
  removePlacement,
  restorePlacement,
  setPayment,
} from './decide-placement.ts';
import { denied, parseBody } from '../pipeline/requests.ts';
import { type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';

type PlacementRoute = TenantCommand<Placement, PlacementEvent>;

const target: PlacementRoute['target'] = ({ params }) => ({ entity: placementDecider, id: params['id'] ?? '' });

/** Placements: ADD-1 to ADD-7, PLC-1 to PLC-9, ROLE-8. */
export const placementRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/placements', tenantRoute(deps, add(deps)));
  router.patch('/placements/:id', tenantRoute(deps, change(deps)));
  router.post('/placements/:id/payment', tenantRoute(deps, pay(deps)));
  router.delete('/placements/:id', tenantRoute(deps, remove(deps)));
  router.post('/placements/:id/restore', tenantRoute(deps, restore(deps)));
  return router;
};

const answerOf =
  (deps: CommandDeps): PlacementRoute['answer'] =>
  async (done, id, { session: { licenceId } }) => ({
    placement: presentPlacement(await withReceiver(deps, licenceId, rowOf(done.target, id))),
  });

const add = (deps: CommandDeps): PlacementRoute => ({
  target: ({ newId }) => ({ entity: placementDecider, id: newId('placement') }),

  async decide(context, id) {
    const refusedToAll = denied(may(context.person, 'placement.add', 'some'));
    if (refusedToAll !== null) return refusedToAll;
    const parsed = parseBody(addPlacementRequest, context.body);
    return parsed.kind === 'refused' ? parsed.problem : addPlacement(context, id, parsed.body);
  },

  answer: answerOf(deps),
});

const change = (deps: CommandDeps): PlacementRoute => ({
  target,

  async decide(context, id) {
    const opened = await openPlacement(context, id, 'placement.change');
    if (opened.kind === 'refused') return opened.problem;
    const parsed = parseBody(changePlacementRequest, context.body);
    return parsed.kind === 'refused' ? parsed.problem : changePlacement(deps.eventStore, context, opened, parsed.body);
  },

  answer: answerOf(deps),
});

const pay = (deps: CommandDeps): PlacementRoute => ({
  target,

  async decide(context, id) {
    const opened = await openPlacement(context, id, 'placement.change');
    if (opened.kind === 'refused') return opened.problem;
    const parsed = parseBody(setPaymentRequest, context.body);
    return parsed.kind === 'refused' ? parsed.problem : setPayment(deps.eventStore, context, opened, parsed.body);
  },

  answer: answerOf(deps),
});

const remove = ({ eventStore }: CommandDeps): PlacementRoute => ({
  target,

  async decide(context, id) {
    const opened = await openPlacement(context, id, 'placement.remove');
    if (opened.kind === 'refused') return opened.problem;
    const parsed = parseBody(revisionQuery, context.query);
    return parsed.kind === 'refused' ? parsed.problem : removePlacement(eventStore, context, opened, parsed.body);
  },

  answer: () => ({}),
});

const restore = (deps: CommandDeps): PlacementRoute => ({
  target,

  async decide(context, id) {
    const opened = await openPlacement(context, id, 'placement.restore');
    return opened.kind === 'refused' ? opened.problem : restorePlacement(context, opened);
  },

  answer: answerOf(deps),
});

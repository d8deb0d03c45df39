import { presentLicense } from '@zakup/contracts/present';
import { licenceSettingsRequest } from '@zakup/contracts/requests/auth.requests';
import type { LicenceEvent } from '@zakup/domain/licence/events';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import type { Licence } from '@zakup/domain/licence/state';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../entity-routes.ts';
import { definedOf, denied, parseBody } from '../requests.ts';
import { type TenantCommand, tenantRoute } from '../tenant-command.ts';

/** The licence's switches: decisions.md 18. */
export const licenceRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.put('/license/settings', tenantRoute(deps, changeSettings(deps)));
  return router;
};

const changeSettings = (deps: CommandDeps): TenantCommand<Licence, LicenceEvent> => ({
  target: ({ licenceId }) => ({ entity: licenceDecider, id: licenceId }),

  async decide(context, id) {
    const refused = denied(may(context.person, 'licence.settings'));
    if (refused !== null) return refused;
    const parsed = parseBody(licenceSettingsRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { baseRevision: _, ...switches } = parsed.body;
    const command = { type: 'ChangeLicenceSettings', changes: definedOf(switches) } as const;
    return decideOn(context, licenceDecider, id, command, {});
  },

  answer: (done, id) => ({
    license: presentLicense(rowOf(done.target, id), { now: new Date(deps.now()).toISOString(), reveal: false }),
  }),
});

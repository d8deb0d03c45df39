import { readNotificationsRequest } from '@zakup/contracts/requests/notification.requests';
import { may } from '@zakup/domain/permissions';
import type { PreferencesEvent } from '@zakup/domain/preferences/events';
import { preferencesDecider } from '@zakup/domain/preferences/preferences.decider';
import type { Preferences } from '@zakup/domain/preferences/state';
import { Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn } from '../pipeline/decide-on.ts';
import { denied, parseBody } from '../pipeline/requests.ts';
import { type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';

/** What a person says of what they were told (NTF-5). */
export const notificationRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/notifications/read', tenantRoute(deps, read(deps)));
  return router;
};

const read = (deps: CommandDeps): TenantCommand<Preferences, PreferencesEvent> => ({
  target: ({ userId }) => ({ entity: preferencesDecider, id: userId }),
  async decide(context, id) {
    const refused = denied(may(context.person, 'profile.change'));
    if (refused !== null) return refused;
    const parsed = parseBody(readNotificationsRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const head = await deps.eventStore.head();
    return decideOn(context, preferencesDecider, id, { type: 'ReadNotifications', upTo: parsed.body.upTo, head }, {});
  },
  answer: ({ target: { state } }) => ({ readUpTo: state?.readUpTo ?? 0 }),
});

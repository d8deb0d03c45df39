import { Router } from 'express';
import { activationRoutes } from './auth/activation.routes.ts';
import { adminRoutes } from './auth/admin.routes.ts';
import { loginThrottle } from './auth/login-throttle.ts';
import { secondFactorRoutes } from './auth/second-factor.routes.ts';
import { sessionRoutes } from './auth/session.routes.ts';
import { employeeSecondFactorRoutes } from './employee/employee-second-factor.routes.ts';
import { employeeSessionsRoutes } from './employee/employee-sessions.routes.ts';
import { signInRoutes } from './auth/sign-in.routes.ts';
import type { CommandDeps } from './deps.ts';
import { campaignRoutes } from './campaign/campaign.routes.ts';
import { channelRoutes } from './channel/channel.routes.ts';
import { contractorRoutes } from './contractor/contractor.routes.ts';
import { creativeRoutes } from './creative/creative.routes.ts';
import { employeeRoutes } from './employee/employee.routes.ts';
import { employeeAccessRoutes } from './employee/employee-access.routes.ts';
import { importRoutes } from './import/import.routes.ts';
import { keyRoutes } from './key/key.routes.ts';
import { webhookRoutes } from './webhook/webhook.routes.ts';
import { licenceRoutes } from './licence/licence.routes.ts';
import { notificationRoutes } from './notification/notification.routes.ts';
import { placementRoutes } from './placement/placement.routes.ts';
import { placementBatchRoutes } from './placement/placement-batch.routes.ts';
import { viewRoutes } from './view/view.routes.ts';
import { undoRoutes } from './compensation/undo.routes.ts';

/** Everything under `/api` that is not a GET: mounted by the process that serves it, before the fallback for unknown paths. */
export const commandApp = (deps: CommandDeps): Router => {
  const router = Router();
  router.use((request, _response, next) =>
    next(request.method === 'GET' || request.method === 'HEAD' ? 'router' : undefined),
  );

  const throttle = loginThrottle(deps);
  router.use('/admin', adminRoutes(deps, throttle));
  router.use('/licenses', activationRoutes(deps, throttle));
  router.use('/auth', signInRoutes(deps, throttle), secondFactorRoutes(deps, throttle), sessionRoutes(deps, throttle));

  router.use(placementRoutes(deps));
  router.use(placementBatchRoutes(deps));
  router.use(importRoutes(deps));
  router.use(campaignRoutes(deps));
  router.use(channelRoutes(deps));
  router.use(creativeRoutes(deps));
  router.use(contractorRoutes(deps));
  router.use(employeeRoutes(deps));
  router.use(employeeAccessRoutes(deps));
  router.use(employeeSessionsRoutes(deps));
  router.use(employeeSecondFactorRoutes(deps));
  router.use(keyRoutes(deps));
  router.use(webhookRoutes(deps));
  router.use(licenceRoutes(deps));
  router.use(notificationRoutes(deps));
  router.use(viewRoutes(deps));
  router.use(undoRoutes(deps));
  return router;
};

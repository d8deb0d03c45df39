import { keyThrottle } from '@zakup/credentials/key-throttle';
import { Router } from 'express';
import type { GatewayDeps } from './deps.ts';
import { readGuard } from './http/limits/read-guard.ts';
import { adminRoutes } from './lists/admin.routes.ts';
import { exportRoutes } from './exports/export.routes.ts';
import { historyRoutes } from './history/history.routes.ts';
import { campaignRoutes } from './lists/campaign.routes.ts';
import { contractorRoutes } from './lists/contractor.routes.ts';
import { creativeRoutes } from './lists/creative.routes.ts';
import { keyRoutes } from './lists/key.routes.ts';
import { lineageRoutes } from './lineage/lineage.routes.ts';
import { listRoutes } from './lists/lists.routes.ts';
import { importRoutes } from './lists/import.routes.ts';
import { webhookRoutes } from './lists/webhook.routes.ts';
import { viewRoutes } from './lists/view.routes.ts';
import { notificationRoutes } from './lists/notification.routes.ts';
import { peopleRoutes } from './lists/people.routes.ts';
import { placementRoutes } from './lists/placement.routes.ts';
import { reportRoutes } from './reports/report.routes.ts';
import { searchRoutes } from './lists/search.routes.ts';
import { sessionRoutes } from './lists/session.routes.ts';
import { referenceRoutes } from './http/reference/reference.routes.ts';
import { snapshotCache } from './time-travel/snapshot-cache.ts';
import { historyBundleRoutes } from './exports/history-bundle.routes.ts';

/** What is made here where it is not given. */
type Made = 'past' | 'guard' | 'keyThrottle';

/** Everything under `/api` that is a GET: mounted by the process that serves it, before the fallback for unknown paths. */
export const gatewayApp = (given: Omit<GatewayDeps, Made> & Partial<Pick<GatewayDeps, Made>>): Router => {
  const deps: GatewayDeps = {
    ...given,
    past: given.past ?? snapshotCache(given),
    guard: given.guard ?? readGuard(),
    keyThrottle: given.keyThrottle ?? keyThrottle({ now: () => performance.now() }),
    routes: given.routes ?? [],
  };
  const router = Router();
  router.use((request, _response, next) =>
    next(request.method === 'GET' || request.method === 'HEAD' ? undefined : 'router'),
  );
  router.use(
    adminRoutes(deps),
    sessionRoutes(deps),
    listRoutes(deps),
    peopleRoutes(deps),
    keyRoutes(deps),
    webhookRoutes(deps),
    placementRoutes(deps),
    campaignRoutes(deps),
    contractorRoutes(deps),
    creativeRoutes(deps),
    exportRoutes(deps),
    lineageRoutes(deps),
    reportRoutes(deps),
    searchRoutes(deps),
    importRoutes(deps),
    viewRoutes(deps),
    notificationRoutes(deps),
    historyRoutes(deps),
    historyBundleRoutes(deps),
    referenceRoutes(),
  );
  return router;
};

import { presentAdminLicense } from '@zakup/contracts/present';
import type { LicenceRow } from '@zakup/contracts/read-models';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { checkpointOf } from '../reach.ts';
import { adminRoute } from '../read-route.ts';
import { dataOf } from '../rows.ts';

/** What the platform admin sees: licences and the state of the system, never a tenant's data (AUTH-30). */
export const adminRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  const { readStore, credentials, eventStore, metrics, now } = deps;

  const licenceWire = async (row: LicenceRow) => ({
    ...presentAdminLicense(row, {
      now: new Date(now()).toISOString(),
      pendingCode: await credentials.pendingActivationCode(row.id, now()),
    }),
    openSessions: await credentials.countSessions(row.id, now()),
  });

  router.get(
    '/admin/licenses',
    adminRoute(deps, async () => {
      const { docs } = await readStore.query('license', { sort: [{ field: 'createdAt', direction: 'desc' }] });
      return { licenses: await Promise.all(docs.map((doc) => licenceWire(dataOf('license', doc)))) };
    }),
  );

  router.get(
    '/admin/health',
    adminRoute(deps, async () => {
      const [position, head, sockets] = await Promise.all([
        checkpointOf(deps),
        eventStore.head(),
        metrics.sockets.get(),
      ]);
      const counts = deps.positionsCountEvents === true;
      const freeBytes = deps.freeDiskBytes?.() ?? null;
      const version = deps.version === undefined ? {} : { version: deps.version };
      return {
        services: [{ name: 'gateway', ok: true, ...version }],
        projection: {
          position,
          head,
          ...(counts || head <= position ? { lagEvents: Math.max(0, head - position) } : {}),
        },
        sockets: sockets.values[0]?.value ?? 0,
        ...(counts ? { events: head } : {}),
        ...(freeBytes === null ? {} : { freeBytes }),
        versions: { node: process.versions.node },
      };
    }),
  );

  return router;
};

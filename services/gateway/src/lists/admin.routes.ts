import { yieldToEventLoop } from '@zakup/async/event-loop';
import { presentAdminLicense } from '@zakup/contracts/to-wire';
import type { LicenceRow } from '@zakup/contracts/read-models';
import { adminAccount } from '@zakup/credentials/device-book';
import { noBackups, presentBackup } from '@zakup/service-kit/backups';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { checkpointOf } from '../http/wait-for-position.ts';
import { adminRoute } from '../http/admin-route.ts';
import { dataOf } from '../read-models/rows.ts';
import { withCodes } from '../read-models/shown-codes.ts';
import { lastActivity } from '../read-models/last-activity.ts';
import { lastHour } from '../read-models/last-hour.ts';
import { sessionsOfLicence } from './session.routes.ts';
import { readModelStatus } from '../read-models/read-model-status.ts';

/** Milliseconds. */
const patience = 1_000;

/** Licences looked up at once; between them others have their turn. */
const licencesAtOnce = 20;

/** When the first event after a position was recorded, UTC milliseconds; null when the log has none, or does not tell in time. */
const recordedAfter = async (eventStore: GatewayDeps['eventStore'], position: number): Promise<number | null> => {
  const following = { after: position, maxBatch: 1, signal: AbortSignal.timeout(patience) };
  for await (const message of eventStore.subscribe?.(following) ?? [])
    if (message.kind === 'events') return Date.parse(message.events[0].recordedAt);
  return null;
};

const clockAlarms = ({ clockAlarm }: Pick<GatewayDeps, 'clockAlarm'>) => {
  const alarm = clockAlarm?.() ?? null;
  if (alarm === null) return [];
  const { since, milliseconds } = alarm;
  return [{ kind: 'clock' as const, since: new Date(since).toISOString(), milliseconds: Math.round(milliseconds) }];
};

/** How many imports of all licences are written, and how many taken back. */
const importCounts = async (readStore: GatewayDeps['readStore']) => {
  const count = async (where: Readonly<Record<string, string>>): Promise<number> =>
    (await readStore.query('import', { where, limit: 1 })).total;
  const [running, undoing] = await Promise.all([count({ status: 'running' }), count({ 'undo.status': 'running' })]);
  return { running, undoing };
};

/** What the platform admin sees: licences and the state of the system, never a tenant's data (AUTH-30). */
export const adminRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  const { readStore, credentials, codes, eventStore, metrics, now } = deps;

  const licenceWire = async (row: LicenceRow) => {
    const activeAt = await lastActivity(deps, row.id);
    return {
      ...presentAdminLicense(withCodes(codes, row), {
        now: new Date(now()).toISOString(),
        pendingCode: await credentials.pendingActivationCode(row.id, now()),
      }),
      ...(await sessionsOfLicence(deps, row.id)),
      ownerSecondFactor: row.ownerId !== null && (await credentials.secondFactorOf(row.ownerId)) !== null,
      lastActiveAt: activeAt === null ? null : new Date(activeAt).toISOString(),
    };
  };

  router.get(
    '/admin/licenses',
    adminRoute(deps, async () => {
      const { docs } = await readStore.query('license', { sort: [{ field: 'createdAt', direction: 'desc' }] });
      const licenses: Awaited<ReturnType<typeof licenceWire>>[] = [];
      for (let from = 0; from < docs.length; from += licencesAtOnce) {
        const some = docs.slice(from, from + licencesAtOnce);
        licenses.push(...(await Promise.all(some.map((doc) => licenceWire(dataOf('license', doc))))));
        await yieldToEventLoop();
      }
      return { licenses };
    }),
  );

  router.get(
    '/admin/second-factor',
    adminRoute(deps, async (login) => {
      const found = await credentials.secondFactorOf(adminAccount(login));
      return {
        since: found === null ? null : new Date(found.since).toISOString(),
        recoveryCodesLeft: found?.recoveryCodesLeft ?? 0,
        wanted: deps.adminSecondFactor ?? 'optional',
      };
    }),
  );

  router.get(
    '/admin/sign-ins',
    adminRoute(deps, async () => {
      const entries = await credentials.adminEntries();
      const iso = (instant: number): string => new Date(instant).toISOString();
      return { signIns: entries.map((one) => ({ ...one, since: iso(one.since), until: iso(one.until) })) };
    }),
  );

  router.get(
    '/admin/health',
    adminRoute(deps, async () => {
      const [position, head, sockets, services, keys] = await Promise.all([
        checkpointOf(deps),
        eventStore.head(),
        metrics.sockets.get(),
        deps.services?.() ?? [{ name: 'gateway', ok: true } as const],
        deps.seals.keys(),
      ]);
      const counts = deps.positionsCountEvents === true;
      const behindSince = head <= position ? null : await recordedAfter(deps.eventStore, position);
      const freeBytes = deps.freeDiskBytes?.() ?? null;
      const { alarms, ...status } = await readModelStatus(readStore, now(), deps.eventsUpTo);
      const [hour, storeBytes] = await Promise.all([lastHour(readStore, now()), deps.storeBytes?.()]);
      const version = deps.version === undefined ? {} : { version: deps.version };
      return {
        services: services.map((one) => (one.name === 'gateway' ? { ...one, ...version } : one)),
        projection: {
          position,
          head,
          ...(counts || head <= position ? { lagEvents: Math.max(0, head - position) } : {}),
          ...(head <= position ? { lagMilliseconds: 0 } : {}),
          ...(behindSince === null ? {} : { lagMilliseconds: Math.max(0, now() - behindSince) }),
          ...(hour !== null && { lastHour: hour }),
        },
        sockets: sockets.values[0]?.value ?? 0,
        sealKeys: keys.map(({ fingerprint, since }) => ({ fingerprint, since })),
        ...(counts ? { events: head } : {}),
        ...(freeBytes === null ? {} : { freeBytes }),
        ...(storeBytes !== undefined && { storeBytes }),
        ...status,
        alarms: [...clockAlarms(deps), ...alarms],
        webhooks: await credentials.webhooks.counts(),
        imports: await importCounts(readStore),
        backup: presentBackup((await deps.backups?.status()) ?? noBackups),
        versions: { node: process.versions.node },
      };
    }),
  );

  return router;
};

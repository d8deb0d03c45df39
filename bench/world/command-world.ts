import { hidingCodes } from '@zakup/command/pipeline/hidden-codes';
import { codeCipher } from '@zakup/credentials/code-cipher';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessJournal } from '@zakup/command/auth/access-journal';
import { partialWrites } from '@zakup/command/compensation/partial-writes';
import type { CommandDeps } from '@zakup/command/deps';
import { streamCache } from '@zakup/command/pipeline/stream-cache';
import { takenCodes } from '@zakup/command/employee/taken-codes';
import { webhookTests } from '@zakup/command/webhook/webhook-tests';
import { declaredFields } from '@zakup/contracts/read-models';
import { accessTokens } from '@zakup/credentials/access-token';
import { keyThrottle } from '@zakup/credentials/key-throttle';
import { sqliteCredentials } from '@zakup/credentials/sqlite/sqlite-credentials';
import { openForReading } from '@zakup/event-store/sqlite/log-file';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { jsonLog } from '@zakup/service-kit/log';
import { appMetrics } from '@zakup/service-kit/metrics';
import { rateLimit } from '@zakup/service-kit/rate-limit';
import { openCallers, seedLicence } from './seeded-licence.ts';

/** Callers at once in every figure of commands. */
export const callerCount = 64;

/** Everything the command service is given, on real SQLite files in a folder of their own; its limit of changes is raised. */
export const commandWorld = async ({ sessions = callerCount }: { readonly sessions?: number } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'zakup-bench-'));
  const events = join(folder, 'events.db');
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const kept = await sqliteEventStore({ file: events });
  const eventStore = hidingCodes(kept, codeCipher(randomBytes(32)));
  const readStore = sqliteReadStore({ file: join(folder, 'read-models.db'), declared: declaredFields });
  const credentials = sqliteCredentials({ file: join(folder, 'credentials.db'), key: randomBytes(32), random });
  const licence = await seedLicence(eventStore, { licenceId: '3f00', buyers: 8, contractors: 32 });
  const callers = await openCallers(credentials, licence, sessions);
  const log = jsonLog({ level: 'warn' });
  const metrics = appMetrics();
  const readOnly = (): null => null;
  const access = accessJournal({ eventStore, metrics, log, now: Date.now, newId: randomUUID, readOnly });
  const deps: CommandDeps = {
    eventStore,
    cache: streamCache(eventStore),
    partialWrites,
    readStore,
    credentials,
    tokens: accessTokens({ secret: randomBytes(32).toString('hex'), clock: Date.now }),
    access,
    now: Date.now,
    random,
    keyThrottle: keyThrottle({ now: () => performance.now() }),
    changes: rateLimit({ now: () => performance.now(), perSecond: 1e6, burst: 1e6 }),
    readOnly,
    takenCodes: takenCodes(() => performance.now()),
    webhooks: { changed: () => undefined, allowPrivate: false, tests: webhookTests(() => performance.now()) },
    log,
    metrics,
  };
  return {
    folder,
    deps,
    /** The log as it is kept. */
    kept,
    licence,
    callers,
    /** Stored bytes of the newest events, so that the yardstick writes rows of the same size. */
    newestPayloads(count: number): readonly Uint8Array[] {
      const reader = openForReading(events);
      try {
        const rows = reader.prepare('SELECT payload FROM events ORDER BY position DESC LIMIT ?').all(count);
        return (rows as unknown as readonly { readonly payload: Uint8Array }[]).map(({ payload }) => payload.slice());
      } finally {
        reader.close();
      }
    },
    async close() {
      await access.stop();
      await eventStore.close();
      await readStore.close();
      await credentials.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

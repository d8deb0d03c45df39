import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type {
  CampaignWire,
  ChannelWire,
  ContractorWire,
  CreativeWire,
  DeliveryTryWire,
  DeliveryWire,
  KeyWire,
  LicenseWire,
  NoteWire,
  PersonWire,
  PlacementWire,
  ViewWire,
  WebhookWire,
} from '@zakup/contracts/wire-entities';
import type { Problem, ProblemBody, ProblemCode } from '@zakup/contracts/problems';
import type { ImportReport, ImportWire } from '@zakup/contracts/imports';
import { declaredFields } from '@zakup/contracts/read-models';
import { accessTokens } from '@zakup/credentials/access-token';
import { testCodes } from '@zakup/credentials/testing/test-codes';
import { keyThrottle } from '@zakup/credentials/key-throttle';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import { inMemoryCredentials } from '@zakup/credentials/in-memory';
import type { EventStore } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { noBackups } from '@zakup/service-kit/backups';
import { httpLog } from '@zakup/service-kit/http-log';
import { listening } from '@zakup/service-kit/listening';
import { jsonLog } from '@zakup/service-kit/log';
import { appMetrics } from '@zakup/service-kit/metrics';
import { notFound, problemHandler } from '@zakup/service-kit/problem-middleware';
import { rateLimit } from '@zakup/service-kit/rate-limit';
import express, { type Express } from 'express';
import { commandApp } from '../app.ts';
import { accessJournal } from '../auth/access-journal.ts';
import { adminRefusals } from '../auth/admin-refusals.ts';
import { partialWrites } from '../compensation/partial-writes.ts';
import type { CommandDeps } from '../deps.ts';
import { takenCodes } from '../employee/taken-codes.ts';
import { hidingCodes } from '../pipeline/hidden-codes.ts';
import { streamCache } from '../pipeline/stream-cache.ts';
import { testClock } from './test-clock.ts';

/** Members of `data` by name: a call answers some of them, and a test that names another one finds it undefined. */
export interface ReplyData {
  readonly placement: PlacementWire;
  readonly campaign: CampaignWire;
  readonly channel: ChannelWire;
  readonly creative: CreativeWire;
  readonly contractor: ContractorWire;
  readonly note: NoteWire;
  readonly view: ViewWire;
  readonly user: PersonWire;
  readonly license: LicenseWire & { readonly pendingCode?: { readonly code: string } | null };
  readonly token: string;
  readonly refreshToken: string;
  readonly authCode: string;
  readonly temporaryPassword: string;
  readonly passwordChangeRequired: boolean;
  readonly secondFactorRequired: boolean;
  readonly secondFactorSetUpRequired: boolean;
  readonly expiresAt: string;
  readonly secret: string;
  readonly key: KeyWire;
  readonly webhook: WebhookWire;
  readonly webhooks: readonly WebhookWire[];
  readonly delivery: DeliveryTryWire;
  readonly deliveries: readonly DeliveryWire[];
  readonly url: string;
  readonly recoveryCodes: readonly string[];
  readonly activationCode: string;
  readonly ceoLoginCode: string;
  readonly ownerName: string;
  readonly ownerTelegram: string;
  readonly ended: number;
  readonly results: readonly {
    readonly index: number;
    readonly ok: boolean;
    readonly placement?: PlacementWire | null;
    readonly problem?: ProblemBody;
  }[];
  readonly import: ImportWire;
  readonly imports: readonly ImportWire[];
  readonly report: ImportReport;
  readonly undone: string;
  readonly changed: readonly { readonly kind: string; readonly id: string; readonly revision: number }[];
}

export interface Reply {
  readonly status: number;
  readonly body: {
    readonly success: boolean;
    readonly error: string | null;
    readonly data: ReplyData;
    readonly position: number;
    readonly revision: number;
    readonly commandId: string;
    readonly code?: ProblemCode;
    readonly errors?: Problem['errors'];
    readonly conflicts?: Problem['conflicts'];
    readonly index?: number;
    readonly sessions?: Problem['sessions'];
  };
  readonly headers: Headers;
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  options?: {
    readonly token?: string;
    readonly key?: string;
    readonly headers?: Record<string, string>;
    readonly raw?: string;
  },
) => Promise<Reply>;

/** The command service alone, behind what its calls need of a front. */
const alone = (deps: CommandDeps): Express => {
  const app = express();
  app.use(httpLog({ log: deps.log }));
  app.use('/api', commandApp(deps), notFound);
  app.use(problemHandler(deps.log));
  return app;
};

/** A log by the clock of the test. */
export type OpenEventStore = (clock: () => number) => EventStore | Promise<EventStore>;

/**
 * The command service over HTTP on in-memory stores, with a clock that tests move. `front`: what is served on them instead, `kept` the log as
 * it is kept;
 * `open`: another log, closed with the service.
 */
export const commandService = async (
  front: (deps: CommandDeps, kept: EventStore) => Express = alone,
  open: OpenEventStore = (clock) => inMemoryEventStore({ clock }),
  codes: CodeCipher = testCodes,
) => {
  const time = testClock('2026-11-21T09:00:00.000Z');
  const clock = time.now;
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const eventStore = await open(clock);
  const commandLog = hidingCodes(eventStore, codes);
  const credentials = inMemoryCredentials({ key: randomBytes(32), random, hashing: { memoryCost: 8, timeCost: 1 } });
  await credentials.setAdmin('admin', 'admin-password');
  const log = jsonLog({ level: 'silent' });
  const readStore = inMemoryReadStore({ declared: declaredFields });
  let cache = streamCache(commandLog);
  const changes = rateLimit({ now: clock });
  let readOnly: string | null = null;
  const metrics = appMetrics();
  const refusals = adminRefusals({ credentials, log, now: clock, newId: randomUUID });
  const access = accessJournal({
    eventStore,
    metrics,
    log,
    now: clock,
    newId: randomUUID,
    onAdminRefused: refusals.refused,
    readOnly: () => readOnly,
    wait: time.wait,
  });
  let changedWebhooks = (_licenceId: string): void => undefined;
  const deps: CommandDeps = {
    eventStore: commandLog,
    cache: {
      codes,
      load: (entity, stream, fresh) => cache.load(entity, stream, fresh),
      remember: (events) => cache.remember(events),
      endsAt: (stream, revision) => cache.endsAt(stream, revision),
      settle: (stream) => cache.settle(stream),
    },
    partialWrites,
    readStore,
    credentials,
    tokens: accessTokens({ secret: randomUUID() + randomUUID(), clock }),
    access,
    now: clock,
    random,
    keyThrottle: keyThrottle({ now: clock }),
    changes,
    readOnly: () => readOnly,
    backups: { begin: () => 'begun', status: async () => noBackups },
    takenCodes: takenCodes(clock),
    webhooks: {
      changed: (licenceId) => changedWebhooks(licenceId),
      allowPrivate: true,
      tests: rateLimit({ now: clock, burst: 10_000 }),
    },
    log,
    metrics,
  };
  const app = front(deps, eventStore);
  const server = createServer(app);
  const address = await listening(server, { port: 0, host: '127.0.0.1' });

  const call: Call = async (method, path, body, { token, key, headers = {}, raw } = {}) => {
    const response = await fetch(`${address}/api${path}`, {
      method,
      headers: {
        ...(body !== undefined || raw !== undefined ? { 'Content-Type': 'application/json' } : {}),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        ...headers,
      },
      ...(raw !== undefined ? { body: raw } : body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Reply['body'], headers: response.headers };
  };

  return {
    call,
    address,
    /** The log as it is kept. */
    eventStore,
    /** The same, as commands are decided on it. */
    commandLog,
    readStore,
    credentials,
    changes,
    /** UTC milliseconds. */
    clock,
    /** Id of the person's oldest open session. */
    sessionOf: async (userId: string): Promise<string> => (await credentials.sessionsOf(userId, clock()))[0]?.id ?? '',
    /** As a process that has just started: nothing is remembered of the log. */
    forget: (): void => {
      cache = streamCache(commandLog);
    },
    closeForChanges: (reason: string | null): void => {
      readOnly = reason;
    },
    /** UTC milliseconds. */
    now: clock,
    advance: (milliseconds: number): void => time.advance(milliseconds),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await access.stop();
      await eventStore.close();
      await credentials.close();
    },
    access,
    metrics,
    /** What the processes of this service are given. */
    deps,
    time,
    onWebhooksChanged: (told: (licenceId: string) => void): void => {
      changedWebhooks = told;
    },
  };
};

export type CommandService = Awaited<ReturnType<typeof commandService>>;

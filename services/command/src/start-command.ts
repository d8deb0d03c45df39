import { randomBytes, randomUUID } from 'node:crypto';
import { unrefDelay } from '@zakup/async/delay';
import { accessTokens } from '@zakup/credentials/access-token';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import { keyThrottle } from '@zakup/credentials/key-throttle';
import type { Credentials } from '@zakup/credentials/credentials';
import type { EventStore } from '@zakup/event-store/event-store';
import type { Leases } from '@zakup/read-store/leases';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { Backups } from '@zakup/service-kit/backups';
import type { NamedServer } from '@zakup/service-kit/opening';
import { type RateLimit, rateLimit } from '@zakup/service-kit/rate-limit';
import { type Service, type ServiceContext, type ServiceStart, startService } from '@zakup/service-kit/service';
import { reportingDamage } from '@zakup/service-kit/stores/damage-reports';
import { onServers } from '@zakup/service-kit/stores/on-servers';
import type { Router } from 'express';
import { commandApp } from './app.ts';
import { accessJournal } from './auth/access-journal.ts';
import { adminRefusals } from './auth/admin-refusals.ts';
import { AdminPasswordRefused, prepareAdmin } from './auth/prepare-admin.ts';
import { telegramSender } from './auth/telegram-sender.ts';
import { tellTakings } from './auth/tell-takings.ts';
import { partialWrites } from './compensation/partial-writes.ts';
import { hidingCodes, refuseOtherKey } from './pipeline/hidden-codes.ts';
import { keyNameOf } from './pipeline/key-name.ts';
import { runProcesses } from './processes/run-processes.ts';
import { takenCodes } from './employee/taken-codes.ts';
import { runWebhooks } from './webhook/run-webhooks.ts';
import { webhookTests } from './webhook/webhook-tests.ts';
import { streamCache } from './pipeline/stream-cache.ts';

export interface CommandServers {
  readonly eventStore: NamedServer;
  /** Read models and credentials. */
  readonly readStore: NamedServer;
}

export interface CommandStores {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly credentials: Credentials;
  /** Among everything that may write the credentials. */
  readonly leases: Leases;
}

export interface CommandSettings {
  readonly jwtSecret: string;
  /** Hides access codes and licence keys in the log. */
  readonly codes: CodeCipher;
  /** Why nothing may be changed now; absent = nothing but the stores forbids it. */
  readonly readOnly?: () => string | null;
  /** Changes per session. */
  readonly changes?: RateLimit | undefined;
  /** In a demo: a wrong code is answered with these (AUTH-23). */
  readonly demoCodes?: readonly [string, string] | undefined;
  /** Makes backups of the data folder; absent = there is none. */
  readonly backups?: Backups | undefined;
  /** Told the admin's password when one was made, this once. */
  readonly onMadeAdmin: (password: string) => void;
}

const random = (bytes: number): Uint8Array => randomBytes(bytes);

/** What the command side serves on these stores, with its processes; the admin is prepared when it resolves. `credentialsServer`: null = they are embedded. */
export const commandOn = async (
  { config, log, metrics, steps, stopping, whenThere, atEnd }: ServiceContext,
  stores: CommandStores,
  { jwtSecret, codes, readOnly = () => null, changes, demoCodes, backups, onMadeAdmin }: CommandSettings,
  credentialsServer: NamedServer | null,
): Promise<Router> => {
  const { credentials, leases } = stores;
  const eventStore = hidingCodes(stores.eventStore, codes);
  const readStore = reportingDamage({ readStore: stores.readStore, log });
  const prepare = async () => {
    await refuseOtherKey(stores.readStore, codes);
    return prepareAdmin(stores, config, random, stopping);
  };
  const admin = await (credentialsServer === null ? prepare() : whenThere(credentialsServer, prepare));
  if (admin.kind === 'refused')
    throw new AdminPasswordRefused('The password of the settings is among the first to be tried');
  if (admin.made !== null) onMadeAdmin(admin.made);
  const cache = streamCache(eventStore);
  const processes = runProcesses({
    eventStore,
    readStore,
    leases,
    cache,
    partialWrites,
    now: Date.now,
    log,
    signal: stopping,
    readOnly,
    onAppend: (milliseconds) => metrics.appendLatency.observe({ outcome: 'appended' }, milliseconds / 1000),
    metrics,
  });
  // Registered after the stores, so that it ends before them.
  atEnd({ name: 'processes', run: () => processes.stop() });
  const allowPrivate = config.webhookPrivate;
  const webhooks = runWebhooks({
    eventStore,
    cache,
    partialWrites,
    log: stores.eventStore,
    book: credentials.webhooks,
    codes,
    leases,
    now: Date.now,
    wait: unrefDelay,
    readOnly,
    allowPrivate,
    signal: stopping,
    metrics,
    steps,
    warn: (about, message) => log.warn(about, message),
  });
  atEnd({ name: 'webhooks', run: () => webhooks.stop() });
  const codeSender = await telegramSender({ credentials, leases, log, stopping }, config.telegramBotToken);
  if (codeSender !== null) atEnd({ name: 'Telegram', run: () => codeSender.stop() });
  const atTheAdmins = adminRefusals({ credentials, log, now: Date.now, newId: randomUUID });
  atEnd({ name: 'refusals of the admin', run: () => atTheAdmins.settled() });
  const access = accessJournal({
    eventStore,
    metrics,
    log,
    now: Date.now,
    newId: randomUUID,
    onAdminRefused: atTheAdmins.refused,
    readOnly,
  });
  atEnd({ name: 'audit', run: () => access.stop() });
  const takings = tellTakings({
    credentials,
    eventStore,
    keyNameOf: (licenceId, userId) => keyNameOf({ cache }, licenceId, userId),
    log,
    now: Date.now,
    readOnly,
  });
  atEnd({ name: 'audit of what is taken along', run: () => takings.stop() });
  return commandApp({
    eventStore,
    cache,
    partialWrites,
    readStore,
    credentials,
    tokens: accessTokens({ secret: jwtSecret, clock: Date.now }),
    access,
    now: Date.now,
    random,
    publicHttps: config.publicHttps,
    changes: changes ?? rateLimit({ now: () => performance.now() }),
    keyThrottle: keyThrottle({ now: () => performance.now() }),
    readOnly,
    ...(demoCodes !== undefined && { demoCodes }),
    adminSecondFactor: config.adminSecondFactor,
    codeSender: codeSender ?? undefined,
    backups,
    takenCodes: takenCodes(() => performance.now()),
    webhooks: {
      changed: (licenceId) => webhooks.changed(licenceId),
      allowPrivate,
      tests: webhookTests(() => performance.now()),
    },
    log,
    metrics,
    steps,
  });
};

/** The command side as a process of its own. Ready: the stores answer, and the log is the one it was. */
export const startCommand = (
  start: ServiceStart,
  settings: CommandSettings,
  servers: CommandServers,
  open: (context: ServiceContext) => Promise<CommandStores>,
): Promise<Service> =>
  startService({
    ...start,
    services: ['command'],
    async begin(context) {
      const { stores, watch } = await onServers(context, servers, await open(context), { models: false });
      const router = await commandOn(context, stores, settings, servers.readStore);
      await watch();
      return [router];
    },
  });

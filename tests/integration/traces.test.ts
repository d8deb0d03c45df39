import { randomBytes, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { startCommand } from '@zakup/command/start-command';
import { declaredFields } from '@zakup/contracts/read-models';
import { traceOf } from '@zakup/contracts/trace-context';
import { inMemoryCredentials } from '@zakup/credentials/in-memory';
import { testCodes } from '@zakup/credentials/testing/test-codes';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { startGateway } from '@zakup/gateway/start-gateway';
import { startProjector } from '@zakup/projector/start-projector';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { inMemoryLeases } from '@zakup/read-store/in-memory-leases';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { readConfig } from '@zakup/service-kit/config';
import { jsonLog } from '@zakup/service-kit/log';
import type { ServiceStart } from '@zakup/service-kit/service';
import { startStandalone } from '@zakup/standalone/standalone';
import { otlpReceiver, type ReceivedSpan } from '@zakup/tracing/testing/otlp-receiver';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { addPlacement, call, type Team, team } from '../support/api.ts';
import { startProxy } from '../support/edition-proxy.ts';
import { liveClient } from '../support/live-client.ts';
import { adminLogin, adminPassword, temporaryDataDir } from '../support/zakup-process.ts';

interface Running {
  readonly address: string;
  /** Lines of the log, of all services. */
  readonly logged: readonly string[];
  readonly stop: () => Promise<void>;
}

const startOf = (logged: string[], settings: Readonly<Record<string, string>>): ServiceStart => {
  const checked = readConfig({ PORT: '0', ADMIN_LOGIN: adminLogin, ADMIN_PASSWORD: adminPassword, ...settings });
  if (checked.kind === 'invalid') throw new Error(checked.problems.join('\n'));
  const destination = { write: (line: string) => void logged.push(line) };
  const log = jsonLog({ level: checked.config.logLevel, destination });
  return { config: checked.config, log, signals: new EventEmitter(), exit: () => undefined };
};

const asOne = async (settings: Readonly<Record<string, string>>): Promise<Running> => {
  const folder = await temporaryDataDir();
  onTestFinished(() => folder.remove());
  const logged: string[] = [];
  const zakup = await startStandalone({
    ...startOf(logged, { DATA_DIR: folder.path, ...settings }),
    webDist: folder.path,
  });
  const stop = async (): Promise<void> => void (await zakup.shutdown.stop('the test ends'));
  onTestFinished(stop);
  await zakup.ready;
  return { address: zakup.address, logged, stop };
};

/** Three services as they are in processes of their own, over stores that they share. */
const asThree = async (settings: Readonly<Record<string, string>>): Promise<Running> => {
  const servers = {
    eventStore: { setting: 'EVENTSTOREDB_URL', url: 'esdb://events:2113' },
    readStore: { setting: 'MONGODB_URL', url: 'mongodb://mongo/zakup' },
  };
  const stores = {
    eventStore: inMemoryEventStore({ clock: Date.now }),
    readStore: inMemoryReadStore({ declared: declaredFields }),
    credentials: inMemoryCredentials({
      key: randomBytes(32),
      random: randomBytes,
      hashing: { memoryCost: 8, timeCost: 1 },
    }),
    leases: inMemoryLeases(),
    seals: inMemorySealStore(),
    heads: [],
  };
  const jwtSecret = 'x'.repeat(32);
  const sealKey = Buffer.alloc(32, 7).toString('base64url');
  const logged: string[] = [];
  const start = (): ServiceStart => startOf(logged, settings);
  const own = { jwtSecret, codes: testCodes };
  const command = await startCommand(start(), { ...own, onMadeAdmin: () => undefined }, servers, async () => stores);
  const projector = await startProjector(start(), { sealKey }, servers, async () => stores);
  const gateway = await startGateway(start(), own, servers, async () => stores);
  const services = [gateway, projector, command];
  const stop = async (): Promise<void> => {
    await Promise.all(services.map(({ shutdown }) => shutdown.stop('the test ends')));
  };
  onTestFinished(stop);
  await Promise.all(services.map(({ ready }) => ready));
  const proxy = await startProxy({ command: command.address, gateway: gateway.address });
  onTestFinished(() => proxy.close());
  return { address: proxy.address, logged, stop };
};

/** A buyer's placement that somebody else watches; resolves with the command's id once it has been pushed, and everything has ended. */
const lived = async ({ address, stop }: Running): Promise<{ readonly crew: Team; readonly commandId: string }> => {
  const crew = await team(address);
  const [anna, ilya] = crew.buyers;
  const watcher = await liveClient(address, ilya.token);
  const scope = `campaign:${crew.campaign.id}`;
  await watcher.subscribe(scope);
  const commandId = randomUUID();
  const placement = {
    campaignId: crew.campaign.id,
    contractor: '@kitchen_ads',
    price: 31_415,
    comment: 'Тайна сделки',
  };
  const added = await addPlacement(address, anna, placement, { key: commandId });
  await watcher.reached(scope, added.position);
  await call(address, 'GET', `/campaigns/${crew.campaign.id}/placements?search=kitchen`, undefined, {
    token: anna.token,
  });
  watcher.close();
  await stop();
  return { crew, commandId };
};

const stepsIn = (logged: readonly string[], commandId: string) =>
  logged
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter((line) => line['correlationId'] === commandId)
    .map(({ step, msg }) => step ?? msg);

/** Of what a socket was told to connect to. */
const portOf = (given: unknown): string => {
  const options: unknown = Array.isArray(given) ? given[0] : given;
  return typeof options === 'object' && options !== null && 'port' in options ? String(options.port) : 'none';
};

const isLoaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('@opentelemetry/sdk-trace'));

const allowed = /^(?:http\.(?:request\.method|route|response\.status_code)|zakup\.\w+)$/u;

/** By what it is: nothing of it may stand in a span. */
const personal = ({ licenseKey, owner, buyers }: Team): readonly string[] => [
  'Лапин',
  'lapin',
  'Соколова',
  'vkus.media',
  'Вкусная',
  'Кухня',
  'kitchen',
  '31415',
  'Тайна',
  'Подписчики',
  licenseKey,
  owner.token,
  ...buyers.map(({ token }) => token),
];

const byName = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.name === name);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} spans ${name}`);
  return found[0];
};

describe('a change from the call to the screens of others', () => {
  // Goes first: nothing of this process has asked for traces yet.
  test('TRC-3622 without the setting no tracer is loaded, and nothing is sent to anybody', async () => {
    const connect = vi.spyOn(Socket.prototype, 'connect');
    onTestFinished(() => connect.mockRestore());
    const zakup = await asOne({ LOG_LEVEL: 'warn' });
    const own = new URL(zakup.address).port;
    await lived(zakup);
    const ports = connect.mock.calls.map(([given]: readonly unknown[]) => portOf(given));
    expect(new Set(ports)).toEqual(new Set([own]));
    expect(isLoaded()).toBe(false);
  });

  test.each([
    ['one process', asOne, ['zakup', 'zakup', 'zakup']],
    ['three services', asThree, ['zakup-command', 'zakup-projector', 'zakup-gateway']],
  ] as const)('TRC-3623 in %s its spans are one trace, and its lines have one id', async (_name, install, services) => {
    const receiver = await otlpReceiver();
    onTestFinished(() => receiver.close());
    const zakup = await install({ LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint });
    const { crew, commandId } = await lived(zakup);
    expect(isLoaded()).toBe(true);

    const click = traceOf(commandId);
    const spans = receiver.spans.filter(({ traceId }) => traceId === click?.traceId);
    expect(new Set(spans.map(({ name }) => name))).toEqual(
      new Set(['POST /api/placements', 'command', 'append', 'project', 'push']),
    );
    const [http, command, append] = ['POST /api/placements', 'command', 'append'].map((name) => byName(spans, name));
    expect([http?.parentSpanId, command?.parentSpanId, append?.parentSpanId]).toEqual([
      click?.spanId,
      http?.spanId,
      command?.spanId,
    ]);
    for (const name of ['project', 'push'])
      for (const span of spans.filter((one) => one.name === name)) expect(span.parentSpanId).toBe(click?.spanId);
    expect(['command', 'project', 'push'].map((name) => spans.find((span) => span.name === name)?.service)).toEqual(
      services,
    );
    for (const { attributes } of spans)
      expect(attributes).toMatchObject({ 'zakup.correlationId': commandId, 'zakup.commandId': commandId });

    expect(stepsIn(zakup.logged, commandId)).toEqual(
      expect.arrayContaining(['append', 'command', 'request completed', 'project', 'push']),
    );

    const names = receiver.spans.flatMap(({ attributes }) => Object.keys(attributes));
    expect(names.filter((name) => !allowed.test(name))).toEqual([]);
    const sent = receiver.bodies.join('\n');
    for (const text of personal(crew)) expect(sent).not.toContain(text);
  });
});

import { randomBytes } from 'node:crypto';
import { mongoProcessRegistry } from '@zakup/read-store/mongodb/mongo-process-registry';
import { readiness } from '@zakup/service-kit/health';
import { jsonLog } from '@zakup/service-kit/log';
import type { NamedServer } from '@zakup/service-kit/opening';
import type { ServiceFigures } from '@zakup/service-kit/service-figures';
import type { ServiceName } from '@zakup/service-kit/service-names';
import type { ShutdownStep } from '@zakup/service-kit/shutdown';
import { openProcessRegistry } from '@zakup/service-kit/stores/process-registry';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type MongoDbServer, mongoDbServer } from '../support/mongodb-server.ts';

let server: MongoDbServer;
beforeAll(async () => {
  server = await mongoDbServer();
});
afterAll(() => server.stop());

const database = (): string => {
  const url = server.url(`zakup_roster_${randomBytes(6).toString('hex')}`);
  onTestFinished(async () => {
    if (server.kind === 'stand-in') return;
    const client = new MongoClient(url);
    await client.db().dropDatabase();
    await client.close();
  });
  return url;
};

/** A process that has opened the roster, as far as the roster needs one. */
const started = async (url: string, service: ServiceName, figures?: () => Promise<ServiceFigures>) => {
  const state = readiness({ start: 'starts' });
  const steps: ShutdownStep[] = [];
  const atEnd = (step: ShutdownStep): void => void steps.push(step);
  const opened = async <Store extends { close(): Promise<void> }>(_: NamedServer, open: () => Promise<Store>) => {
    const store = await open();
    atEnd({ name: 'roster', run: () => store.close() });
    return store;
  };
  const context = { opened, atEnd, readiness: state, log: jsonLog({ level: 'silent' }) };
  const services = await openProcessRegistry(context, { setting: 'MONGODB_URL', url }, service, figures);
  const stop = async (): Promise<void> => {
    for (const { run } of steps.splice(0).toReversed()) await run(new AbortController().signal);
  };
  onTestFinished(stop);
  const ok = async () => Object.fromEntries((await services()).map(({ name, ok: isOk }) => [name, isOk]));
  return { state, ok, services, stop };
};

describe('which processes work on a database', () => {
  test('ROST-1 each service is well while a process of it says that it is ready', async () => {
    const url = database();
    const gateway = await started(url, 'gateway');
    expect(await gateway.ok()).toEqual({ command: false, projector: false, gateway: false });
    gateway.state.release('start');
    expect(await gateway.ok()).toEqual({ command: false, projector: false, gateway: true });
    const command = await started(url, 'command');
    command.state.release('start');
    await expect.poll(gateway.ok).toEqual({ command: true, projector: false, gateway: true });
    command.state.hold('MONGODB_URL', 'away');
    await expect.poll(gateway.ok).toEqual({ command: false, projector: false, gateway: true });
    command.state.release('MONGODB_URL');
    await expect.poll(gateway.ok).toMatchObject({ command: true });
    await command.stop();
    expect(await gateway.ok()).toMatchObject({ command: false });
  });

  test('ROST-3427 the figures of a service are those of all its processes, those of one that ended are gone', async () => {
    const url = database();
    const command = await started(url, 'command', async () => ({ changesPerMinute: 3, p99Milliseconds: 6 }));
    const elsewhere = await mongoProcessRegistry({ url, holder: 'elsewhere', service: 'command' });
    await elsewhere.tell(false, { changesPerMinute: 5, p99Milliseconds: 10 });
    const gateway = await started(url, 'gateway', async () => ({ connections: 7 }));
    const told = async () => Object.fromEntries((await gateway.services()).map(({ name, ...one }) => [name, one]));
    await expect.poll(told).toEqual({
      command: { ok: false, changesPerMinute: 8, p99Milliseconds: 10 },
      projector: { ok: false },
      gateway: { ok: false, connections: 7 },
    });
    await command.stop();
    expect(await told()).toMatchObject({ command: { changesPerMinute: 5, p99Milliseconds: 10 } });
    await elsewhere.close();
    expect(await told()).toMatchObject({ command: { ok: false } });
  });

  test('ROST-2 of several processes the list tells each, how old its word is, and forgets who was killed a day ago', async () => {
    const url = database();
    const open = (holder: string) => mongoProcessRegistry({ url, holder, service: 'command' });
    const [one, two, killed] = await Promise.all([open('one'), open('two'), open('killed')]);
    await killed.tell(true);
    const client = new MongoClient(url);
    const processes = client.db().collection<{ _id: string; at: Date }>('processes');
    await processes.updateOne({ _id: 'command/killed' }, { $set: { at: new Date(Date.now() - 25 * 60 * 60_000) } });
    await one.tell(true);
    const seen = await two.seen(false);
    expect(seen.map(({ service, ready }) => [service, ready])).toEqual(
      expect.arrayContaining([
        ['command', true],
        ['command', false],
      ]),
    );
    expect(seen).toHaveLength(2);
    expect(seen.every(({ age }) => age >= 0 && age < 10_000)).toBe(true);
    expect(await processes.countDocuments({})).toBe(2);
    await Promise.all([one.close(), two.close()]);
    expect((await processes.find({}).toArray()).length).toBe(0);
    await killed.close();
    await client.close();
  });
});

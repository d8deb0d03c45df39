import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { addPlacement, call, type Team, team } from '../support/api.ts';
import { selfSignedCertificate } from '../support/eventstoredb-standin/self-signed.ts';
import { type EventStoreDbStandIn, startEventStoreDbStandIn } from '../support/eventstoredb-standin/stand-in.ts';
import { readModelsAndFold } from '../support/fold-from-scratch.ts';
import { begunIn, type Entry, judge, write } from '../support/journal.ts';
import { type LiveClient, liveClient } from '../support/live-client.ts';
import { type MongoDbStandIn, startMongoDbStandIn } from '../support/mongodb-standin/mongodb-standin.ts';
import { printedChance } from '../support/seeded.ts';
import { temporaryDataDir } from '../support/zakup-process.ts';
import {
  jwtSecret,
  refusedService,
  sealKey,
  startZakupServices,
  type ZakupServices,
} from '../support/zakup-services.ts';

/** Milliseconds within which a change must be answered, whatever is away: the longest deadline of an adapter and a little. */
const fewSeconds = 8_000;

const freshName = (): string => `t${randomBytes(6).toString('hex')}`;

const readyz = async (address: string): Promise<{ status: number; reasons: Readonly<Record<string, string>> }> => {
  const response = await fetch(`${address}/readyz`);
  const { reasons = {} } = (await response.json()) as { reasons?: Readonly<Record<string, string>> };
  return { status: response.status, reasons };
};

const each = ({ command, projector, gateway }: ZakupServices) => [command, projector, gateway];

/** Real servers cannot be ordered to misbehave: what is shown here is shown with stand-ins, whatever the environment names. */
describe('Servers that are away at the start (stand-ins)', () => {
  test('AWAY-1 all three services wait for each server, name it in readiness, answer 503 meanwhile, and are ready when it comes', async () => {
    const events = await startEventStoreDbStandIn();
    await events.faults.away();
    const early = await startMongoDbStandIn();
    const { port } = early;
    await early.stop();
    const name = freshName();
    const services = await startZakupServices({
      eventStoreDbUrl: events.url,
      mongoDbUrl: early.url(name),
      namespace: name,
      until: 'listen',
    });
    let documents: MongoDbStandIn | undefined;
    onTestFinished(async () => {
      await Promise.all(each(services).map((one) => one.kill()));
      await services.stop();
      await events.stop();
      await documents?.stop();
    });

    for (const { address } of each(services)) {
      await expect
        .poll(() => readyz(address), { timeout: fewSeconds })
        .toMatchObject({
          status: 503,
          reasons: { MONGODB_URL: expect.stringContaining(`127.0.0.1:${port}`) as string },
        });
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
    }
    const sent = call(services.address, 'POST', '/admin/login', { login: 'admin', password: 'admin-password' });
    await expect(sent).rejects.toMatchObject({
      status: 503,
      problem: { code: 'UNAVAILABLE' },
      retryAfter: expect.stringMatching(/^[1-9]\d*$/u) as string,
    });

    documents = await startMongoDbStandIn({ port });
    for (const { address } of each(services)) {
      await expect
        .poll(() => readyz(address))
        .toMatchObject({
          status: 503,
          reasons: { EVENTSTOREDB_URL: expect.stringContaining(`127.0.0.1:${events.port}`) as string },
        });
    }
    await events.faults.back();
    await Promise.all(each(services).map((one) => one.ready()));
    const crew = await team(services.address);
    await addPlacement(services.address, crew.buyers[0], {
      campaignId: crew.campaign.id,
      contractor: '@came_late',
      price: 1,
    });
  });

  test('AWAY-2 refused credentials end the start with a sentence that names the setting and hides the password', async () => {
    const certificate = selfSignedCertificate(Date.now());
    const [user, password] = ['zakup', 'right-password'];
    const events = await startEventStoreDbStandIn({ tls: certificate, credentials: { username: user, password } });
    const documents = await startMongoDbStandIn({ credentials: { user, password } });
    const open = await startMongoDbStandIn();
    onTestFinished(async () => {
      await Promise.all([events.stop(), documents.stop(), open.stop()]);
    });
    const folder = await temporaryDataDir();
    const authority = join(folder.path, 'authority.pem');
    await writeFile(authority, certificate.certificate);
    onTestFinished(() => folder.remove());
    const name = freshName();
    const wrongLogin = (url: string, end: string): string => url.replace('://', '://zakup:wrong-password@') + end;
    const refusals = await Promise.all([
      refusedService('command', {
        JWT_SECRET: jwtSecret,
        EVENTSTOREDB_URL: events.url,
        MONGODB_URL: wrongLogin(documents.url(name), '&authSource=admin'),
      }),
      refusedService('projector', {
        JWT_SECRET: jwtSecret,
        SEAL_KEY: sealKey,
        EVENTSTOREDB_URL: wrongLogin(events.url, `&tlsCAFile=${encodeURIComponent(authority)}`),
        MONGODB_URL: open.url(name),
      }),
    ]);
    const settings = ['MONGODB_URL', 'EVENTSTOREDB_URL'];
    for (const [index, { code, output }] of refusals.entries()) {
      expect(code).toBe(1);
      expect(output).toContain(`${settings[index]}: сервер`);
      expect(output).toContain('не принял имя или пароль');
      expect(output).not.toContain('wrong-password');
    }
  });

  test('AWAY-3 a URL that leads to another server is waited for and named: nothing is served, and nothing crashes @deep', async () => {
    const events = await startEventStoreDbStandIn();
    const documents = await startMongoDbStandIn();
    onTestFinished(async () => {
      await Promise.all([events.stop(), documents.stop()]);
    });
    const name = freshName();
    const services = await startZakupServices({
      eventStoreDbUrl: `esdb://127.0.0.1:${documents.port}?tls=false`,
      mongoDbUrl: documents.url(name),
      namespace: name,
      until: 'listen',
    });
    onTestFinished(async () => {
      await Promise.all(each(services).map((one) => one.kill()));
      await services.stop();
    });
    for (const { address } of each(services)) {
      await expect
        .poll(() => readyz(address))
        .toMatchObject({
          status: 503,
          reasons: { EVENTSTOREDB_URL: `EVENTSTOREDB_URL: сервер 127.0.0.1:${documents.port} не отвечает` },
        });
    }
    await expect.poll(() => services.output()).toContain('does not answer, trying again');
  });
});

describe('Servers that misbehave under work (stand-ins)', () => {
  const writers = 3;
  const perFault = 10;
  const chance = printedChance('AWAY-4');
  const journal: Entry[] = [];
  let events: EventStoreDbStandIn;
  let documents: MongoDbStandIn;
  let services: ZakupServices;
  let crew: Team;
  let watchers: readonly LiveClient[] = [];
  const name = freshName();

  beforeAll(async () => {
    [events, documents] = await Promise.all([startEventStoreDbStandIn(), startMongoDbStandIn()]);
    const mongoDbUrl = documents.url(name);
    services = await startZakupServices({ eventStoreDbUrl: events.url, mongoDbUrl, namespace: name });
    crew = await team(services.address);
    watchers = await Promise.all(crew.buyers.map(({ token }) => liveClient(services.address, token)));
    for (const watcher of watchers) await watcher.subscribe(`campaign:${crew.campaign.id}`);
  });

  afterAll(async () => {
    for (const watcher of watchers) watcher.close();
    await services.stop();
    await Promise.all([events.stop(), documents.stop()]);
  });

  /** What is done in the middle of the work; resolves when it is over. `isAway`: changes must have been refused meanwhile; `isOnlyDeep`: what an adapter makes good by itself, as its own tests hold. */
  interface Fault {
    readonly fault: string;
    readonly does: () => Promise<unknown> | void;
    readonly isAway?: true;
    readonly isOnlyDeep?: true;
  }
  /** Until a change is refused: what is away must be noticed before it comes back. */
  const untilRefused = (): Promise<void> => {
    const before = refusals();
    return expect.poll(refusals, { timeout: fewSeconds, interval: 20 }).toBeGreaterThan(before);
  };
  const refusals = (): number => journal.reduce((sum, { unavailable }) => sum + unavailable.length, 0);

  const faults: readonly Fault[] = [
    {
      fault: 'EventStoreDB is gone',
      isAway: true,
      does: async () => {
        await events.faults.away();
        await untilRefused();
        await events.faults.back();
      },
    },
    {
      fault: 'EventStoreDB refuses',
      isAway: true,
      isOnlyDeep: true,
      does: async () => {
        events.faults.refuse();
        await untilRefused();
        events.faults.allow();
      },
    },
    {
      fault: 'MongoDB is gone',
      does: async () => {
        // Changes need the log alone as long as sessions are remembered; whoever reads must be told.
        const gone = documents.faults.restart(6_000);
        const read = call(services.address, 'GET', '/campaigns', undefined, crew.owner);
        await expect(read).rejects.toMatchObject({
          status: 503,
          problem: { code: 'UNAVAILABLE' },
          retryAfter: expect.stringMatching(/^[1-9]\d*$/u) as string,
        });
        await gone;
      },
    },
    { fault: 'EventStoreDB restarts', isOnlyDeep: true, does: () => events.faults.restart() },
    { fault: 'MongoDB restarts', isOnlyDeep: true, does: () => documents.faults.restart() },
    { fault: 'the primary of MongoDB changes', does: () => documents.faults.stepDown(300) },
    {
      fault: 'connections to EventStoreDB are reset in the middle of a message',
      isOnlyDeep: true,
      does: () => events.faults.reset(3),
    },
    { fault: 'connections to MongoDB are cut', isOnlyDeep: true, does: () => documents.faults.drop() },
    {
      fault: 'a subscription is dropped in the middle',
      does: () => events.faults.drop('subscriptions', 'unavailable'),
    },
    {
      fault: 'a subscription ends as if complete',
      isOnlyDeep: true,
      does: () => events.faults.drop('subscriptions', 'complete'),
    },
    { fault: 'a subscription falls behind', isOnlyDeep: true, does: () => events.faults.fallBehind() },
    { fault: 'the answer to an append is lost', does: () => events.faults.loseAnswer(1, 'cut') },
    {
      fault: 'a commit of the projector is carried out but not answered, so that its events come twice',
      does: () => documents.faults.dropDuring('commitTransaction', 1, 'carried out'),
    },
    {
      fault: 'a commit of the projector is neither carried out nor answered',
      isOnlyDeep: true,
      does: () => documents.faults.dropDuring('commitTransaction', 1),
    },
    { fault: 'transactions meet write conflicts', isOnlyDeep: true, does: () => documents.faults.conflict(5) },
    { fault: 'change streams end', isOnlyDeep: true, does: () => documents.faults.endChangeStreams() },
    { fault: 'change streams lose their history', does: () => documents.faults.endChangeStreams('history lost') },
  ];
  test.each(faults.filter(({ isOnlyDeep = false }) => inject('isDeep') || !isOnlyDeep))(
    'AWAY-4 $fault: what is acknowledged stays, refusals say when to come again, watchers catch up',
    async (fault) => {
      const { signal } = new AbortController();
      const { address } = services;
      const allowance = { left: perFault };
      const own: Entry[] = [];
      const push = own.push.bind(own);
      own.push = (...entries) => {
        journal.push(...entries);
        return push(...entries);
      };
      const options = { address, crew, chance, signal, allowance };
      const writing = Promise.all(Array.from({ length: writers }, () => write(options, own)));
      await begunIn(own, chance.between(1, 4), signal);
      await fault.does();
      await writing;
      events.faults.allow();

      const refused = own.flatMap(({ unavailable }) => unavailable);
      for (const { after, retryAfter } of refused) {
        expect(after).toBeLessThan(fewSeconds);
        expect(Number(retryAfter)).toBeGreaterThan(0);
      }
      expect(refused.length).toBeGreaterThanOrEqual(fault.isAway === true ? 1 : 0);
      const position = Math.max(...own.map(({ acknowledged }) => acknowledged?.position ?? Number.NaN));
      for (const watcher of watchers) await watcher.reached(`campaign:${crew.campaign.id}`, position);
    },
  );

  test('AWAY-5 both servers answer 300 ms late: changes are acknowledged and seen @deep', async () => {
    const { signal } = new AbortController();
    events.faults.delay(300);
    documents.faults.delay(300);
    const began = journal.length;
    await write({ address: services.address, crew, chance, signal, allowance: { left: 2 } }, journal);
    const position = Math.max(...journal.slice(began).map(({ acknowledged }) => acknowledged?.position ?? Number.NaN));
    for (const watcher of watchers) await watcher.reached(`campaign:${crew.campaign.id}`, position);
    expect(journal.length).toBe(began + 2);
    events.faults.delay(0);
    documents.faults.delay(0);
  });

  test('AWAY-6 after all of that: the journal of acknowledged changes, totals, watchers, readiness and the log agree', async () => {
    await judge(services.address, crew, journal, watchers);
    const settings = { EVENTSTOREDB_URL: events.url, MONGODB_URL: documents.url(name), EVENTSTOREDB_NAMESPACE: name };
    const { stored, folded } = await readModelsAndFold(settings);
    expect(stored).toEqual(folded);
    for (const { address } of each(services))
      await expect.poll(() => readyz(address), { timeout: fewSeconds }).toMatchObject({ status: 200 });
  });

  test('AWAY-7 a stream changed by someone else between load and append: the change is decided anew on what is there', async () => {
    const { address } = services;
    const own = await team(address);
    const [anna] = own.buyers;
    const scope = `campaign:${own.campaign.id}`;
    const watcher = await liveClient(address, anna.token);
    await watcher.subscribe(scope);
    const added = await addPlacement(address, anna, { campaignId: own.campaign.id, contractor: '@shared', price: 100 });
    const { id } = added.data.placement;
    const stream = `placement-${own.licenceId}~${id}`;
    const bare = EventStoreDBClient.connectionString(events.url);
    const other = await eventStoreDbEventStore({ url: events.url, namespace: name });
    const held = events.faults.pauseAfter(0, /_command-/u);
    const change = call<{ placement: PlacementWire }>(address, 'PATCH', `/placements/${id}`, { leads: 7 }, anna);
    await held.reached;
    const metadata = {
      licenceId: own.licenceId,
      actorId: anna.userId,
      source: 'api' as const,
      commandId: randomUUID(),
      requestHash: randomBytes(32).toString('hex'),
      at: new Date().toISOString(),
      schemaVersion: 1,
    };
    const price = { id: randomUUID(), type: 'PlacementPriceChanged', data: { price: 25_050 }, metadata };
    const theirs = await other.append([{ stream, expectedRevision: 0, events: [price] }]);
    expect(theirs.kind).toBe('appended');
    await bare.appendToStream(`${name}_${stream}`, jsonEvent({ type: 'Stranger', data: { says: 'hello' } }));
    held.release();

    const changed = await change;
    expect(changed.data.placement).toMatchObject({ leads: 7, price: 250.5 });
    await watcher.reached(scope, changed.position);
    expect(watcher.docs('placement')).toEqual([changed.data.placement]);
    expect(watcher.docs('analytics')[0]?.summary).toMatchObject({ spentBudget: 250.5, totalLeads: 7 });
    watcher.close();
    await Promise.all([other.close(), bare.dispose()]);
  });
});

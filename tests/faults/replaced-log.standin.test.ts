import { randomBytes, randomUUID } from 'node:crypto';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addPlacement, call, team } from '../support/api.ts';
import { type EventStoreDbStandIn, startEventStoreDbStandIn } from '../support/eventstoredb-standin/stand-in.ts';
import { standInLog } from '../support/eventstoredb-standin/stand-in-log.ts';
import { startMongoDbStandIn } from '../support/mongodb-standin/mongodb-standin.ts';
import { adminLogin, adminPassword, startZakup, temporaryDataDir } from '../support/zakup-process.ts';
import { jwtSecret, startZakupServices } from '../support/zakup-services.ts';

/** Milliseconds within which services notice what has happened to their servers, and come back. */
const soon = 15_000;

const readyz = async (address: string): Promise<{ status: number; log?: string }> => {
  const response = await fetch(`${address}/readyz`);
  const { reasons = {} } = (await response.json()) as { reasons?: Readonly<Record<string, string>> };
  return { status: response.status, ...(reasons['log'] === undefined ? {} : { log: reasons['log'] }) };
};

/** A server whose log can be taken out for another one, as when a backup is restored, or a volume is lost. */
const server = async () => {
  const right = standInLog({});
  let standIn: EventStoreDbStandIn = await startEventStoreDbStandIn({ log: right });
  const { url, port } = standIn;
  onTestFinished(() => standIn.stop());
  return {
    url,
    right,
    async begin(log: ReturnType<typeof standInLog>) {
      await standIn.stop();
      standIn = await startEventStoreDbStandIn({ port, log });
    },
  };
};

/** Writes more events than any test here has made, as another installation of that name. */
const filled = async (url: string, namespace: string): Promise<void> => {
  const store = await eventStoreDbEventStore({ url, namespace });
  for (let made = 0; made < 100; made += 1) {
    const id = randomUUID();
    const at = new Date().toISOString();
    const metadata = {
      licenceId: 'aa',
      actorId: 'a',
      source: 'api',
      commandId: id,
      requestHash: '',
      at,
      schemaVersion: 1,
    } as const;
    const event = { id, type: 'Happened', data: {}, metadata };
    await store.append([{ stream: `thing-aa~${id}`, expectedRevision: 'no_stream', events: [event] }]);
  }
  await store.close();
};

const headOf = async (url: string, namespace: string): Promise<number> => {
  const store = await eventStoreDbEventStore({ url, namespace });
  const head = await store.head();
  await store.close();
  return head;
};

const owner = { ownerName: 'Анна', ownerEmail: 'anna@example.com', ownerTelegram: '@anna' };

const adminToken = async (address: string): Promise<string> => {
  const { data } = await call<{ token: string }>(address, 'POST', '/admin/login', {
    login: adminLogin,
    password: adminPassword,
  });
  return data.token;
};

const issue = async (address: string): Promise<unknown> =>
  call(address, 'POST', '/admin/licenses', owner, { token: await adminToken(address) });

/** Names of the services, and whether they are well. */
const servicesIn = async (address: string): Promise<readonly object[]> => {
  const token = await adminToken(address);
  const { data } = await call<{ services: readonly { readonly name: string; readonly ok: boolean }[] }>(
    address,
    'GET',
    '/admin/health',
    undefined,
    { token },
  );
  return data.services.map(({ name, ok }) => ({ name, ok }));
};

/** What every edition must do: `address` takes calls, `ready` are those that must tell. */
const replacedUnder = async (
  events: Awaited<ReturnType<typeof server>>,
  namespace: string,
  address: string,
  ready: readonly string[],
): Promise<{ before: number; after: number }> => {
  const all = (wanted: object) =>
    Promise.all(ready.map((one) => expect.poll(() => readyz(one), { timeout: soon }).toMatchObject(wanted)));
  const crew = await team(address);
  await all({ status: 200 });
  await expect
    .poll(() => servicesIn(address), { timeout: soon })
    .toEqual(['command', 'projector', 'gateway'].map((name) => ({ name, ok: true })));
  const before = await headOf(events.url, namespace);

  await events.begin(standInLog({}));
  await all({
    status: 503,
    log: expect.stringMatching(/^Журнала EventStoreDB 127\.0\.0\.1:\d+ нет или он пуст, а по /u),
  });
  await expect(issue(address)).rejects.toMatchObject({ status: 503, problem: { code: 'UNAVAILABLE' } });
  expect(await headOf(events.url, namespace)).toBe(0);

  const other = standInLog({});
  await events.begin(other);
  await filled(events.url, namespace);
  await all({ status: 503, log: expect.stringContaining('Модели чтения собраны по другому журналу') });
  await expect(issue(address)).rejects.toMatchObject({ status: 503, problem: { code: 'UNAVAILABLE' } });

  await events.begin(events.right);
  await all({ status: 200 });
  const after = await headOf(events.url, namespace);
  const added = await addPlacement(address, crew.buyers[0], {
    campaignId: crew.campaign.id,
    contractor: '@still_here',
    price: 1,
  });
  const { id } = added.data.placement;
  const seen = call<{ placement: PlacementWire }>(
    address,
    'GET',
    `/placements/${id}?after=${added.position}`,
    undefined,
    {
      token: crew.buyers[0].token,
    },
  );
  await expect(seen).resolves.toMatchObject({ data: { placement: { id } } });
  return { before, after };
};

describe('A log that is replaced while services run (stand-ins)', () => {
  test('AWAY-8 three services notice an empty and another one: nothing is acknowledged into it, and all goes on with the right one', async () => {
    const events = await server();
    const documents = await startMongoDbStandIn();
    const namespace = `t${randomBytes(6).toString('hex')}`;
    const services = await startZakupServices({
      eventStoreDbUrl: events.url,
      mongoDbUrl: documents.url(namespace),
      namespace,
    });
    onTestFinished(async () => {
      await services.stop();
      await documents.stop();
    });
    const { command, projector, gateway } = services;
    const { before, after } = await replacedUnder(
      events,
      namespace,
      services.address,
      [command, projector, gateway].map((one) => one.address),
    );
    expect(after).toBe(before);
    // Asked to end after all that, each ends as one that nothing has happened to.
    expect(await services.stop()).toEqual({ command: 0, projector: 0, gateway: 0 });
  });

  test('AWAY-9 so does the single process with the log on a server @deep', async () => {
    const events = await server();
    const folder = await temporaryDataDir();
    const namespace = `t${randomBytes(6).toString('hex')}`;
    const zakup = await startZakup({
      dataDir: folder.path,
      env: { EVENTSTOREDB_URL: events.url, EVENTSTOREDB_NAMESPACE: namespace, JWT_SECRET: jwtSecret },
    });
    onTestFinished(async () => {
      await zakup.stop();
      await folder.remove();
    });
    const { before, after } = await replacedUnder(events, namespace, zakup.address, [zakup.address]);
    expect(after).toBe(before);
  });
});

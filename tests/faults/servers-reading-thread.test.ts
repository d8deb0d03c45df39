import { randomUUID } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import type { EventToAppend, StreamWrite } from '@zakup/event-store/event-store';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { placementAdded } from '@zakup/projections/testing/given';
import { startOnServers } from '@zakup/gateway/start-on-servers';
import { derivedKey } from '@zakup/service-kit/derived-key';
import type { Service } from '@zakup/service-kit/service';
import { testStart } from '@zakup/service-kit/testing/started';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { call, type Team, team } from '../support/api.ts';
import { type Installation, threeProcesses } from '../support/editions.ts';
import { jwtSecret } from '../support/zakup-services.ts';
import { allTaken, spentHere, threadsAreTold, watchedTurns } from './held-turns.ts';

/** Milliseconds of processor time that nothing may hold the thread that serves beyond. */
const bound = 50;
const placements = 1_500;
/** Looks at most: memory that others use up and a collection of garbage make single ones longer. */
const looks = 5;

const edition = threeProcesses();

describe(`the thread that makes costly answers of ${edition.name}`, { timeout: 600_000 }, () => {
  let zakup: Installation;
  let crew: Team;
  const running: Service[] = [];

  beforeAll(async () => {
    zakup = await edition.install();
    await zakup.start();
    crew = await team(zakup.address);
    const position = await givenPlacements();
    while ((await asked(zakup.address, `/campaigns?after=${position}`)).status === 503);
  }, 600_000);
  afterEach(async () => {
    for (const service of running.splice(0)) await service.shutdown.stop('The test is over');
  });
  afterAll(async () => {
    await zakup.remove();
    await edition.end();
  });

  /** Twenty as a person adds them, each of a new contractor, and the others straight into the log: nothing here is said of commands. */
  const givenPlacements = async (): Promise<number> => {
    const { campaign, buyers, owner, licenceId } = crew;
    const item = { op: 'add', campaignId: campaign.id, buyerId: buyers[0].userId, category: 'Кулинария', price: 7 };
    const items = Array.from({ length: 20 }, (_, index) => ({ ...item, contractor: `@kitchen_${index}` }));
    const { data } = await call<{ results: readonly { readonly placement: PlacementWire }[] }>(
      zakup.address,
      'POST',
      '/placements/batch',
      { items },
      { token: owner.token },
    );
    const metadata = {
      licenceId,
      actorId: owner.userId,
      source: 'api',
      commandId: randomUUID(),
      requestHash: '00',
      at: new Date().toISOString(),
      schemaVersion: 1,
    } as const;
    const writes = Array.from({ length: placements - items.length }, (_, index): StreamWrite => {
      const contractor = data.results[index % items.length]?.placement.contractorId ?? '';
      const added = placementAdded({ campaign: campaign.id, contractor, buyer: buyers[0].userId });
      const event: EventToAppend = { ...added, id: randomUUID(), metadata };
      return { stream: `placement-${licenceId}~${randomUUID()}`, expectedRevision: 'no_stream', events: [event] };
    });
    const { EVENTSTOREDB_URL: url = '', EVENTSTOREDB_NAMESPACE: namespace = '' } = zakup.settings;
    const eventStore = await eventStoreDbEventStore({ url, namespace });
    const appended = await eventStore.append(writes as [StreamWrite, ...StreamWrite[]]);
    await eventStore.close();
    if (appended.kind !== 'appended') throw new Error(`The placements were not added: ${appended.kind}`);
    return appended.position;
  };

  /** One more gateway on the same servers, in this process. */
  const gateway = async (readsBeside: boolean, onWorker: (worker: Worker) => void = () => undefined) => {
    const { EVENTSTOREDB_URL = '', MONGODB_URL = '' } = zakup.settings;
    const { logged, ...start } = testStart({ ...zakup.settings, JWT_SECRET: jwtSecret });
    const workers: Worker[] = [];
    const service = await startOnServers(
      start,
      {
        events: { setting: 'EVENTSTOREDB_URL', url: EVENTSTOREDB_URL },
        documents: { setting: 'MONGODB_URL', url: MONGODB_URL },
        jwtSecret,
        accessCodesKey: derivedKey(jwtSecret, 'access codes'),
        credentialsKey: derivedKey(jwtSecret, 'credentials'),
      },
      {
        readsBeside,
        onWorker(worker) {
          workers.push(worker);
          onWorker(worker);
        },
      },
    );
    running.push(service);
    await service.ready;
    return { address: service.address, workers, logged, service };
  };
  const inCampaign = (path: string): string => `/campaigns/${crew.campaign.id}/${path}`;
  const asked = (address: string, path: string): Promise<Response> =>
    fetch(`${address}/api${path}`, { headers: { Authorization: `Bearer ${crew.owner.token}` } });

  test('THR-2764 makes what its gateway without one would answer, in every byte; it starts with the first costly answer', async () => {
    const beside = await gateway(true);
    const here = await gateway(false);
    expect((await asked(beside.address, inCampaign('analytics'))).status).toBe(200);
    expect(beside.workers).toHaveLength(0);
    const { position } = await call(here.address, 'GET', '/campaigns', undefined, { token: crew.owner.token });
    for (const path of [
      inCampaign('lineage?figure=spent&pageSize=100'),
      inCampaign('earnings'),
      inCampaign('export?format=xlsx'),
      inCampaign('export?format=csv'),
      inCampaign('lineage/export?figure=spent&format=csv'),
      inCampaign('events'),
      inCampaign(`analytics?at=${position}`),
      inCampaign(`placements?at=${position - 700}`),
      inCampaign(`earnings?at=${position}`),
      '/reports/salary',
      '/license/export',
      '/license/history-bundle',
      '/campaigns/nobody/lineage?figure=spent',
    ]) {
      const told = await Promise.all(
        [here, beside].map(async ({ address }) => {
          const response = await asked(address, path);
          const bytes = Buffer.from(await response.arrayBuffer());
          // A problem names the request that it is of.
          const named = ['content-type', 'content-disposition', 'zakup-at', ...(response.ok ? ['etag'] : [])];
          const headers = named.map((name) => response.headers.get(name));
          const body = response.ok ? bytes.toString('base64') : { ...JSON.parse(bytes.toString()), instance: '' };
          return { path, status: response.status, headers, body };
        }),
      );
      expect(told[1]).toEqual(told[0]);
      expect([path, told[0]?.status]).toEqual([path, path.includes('nobody') ? 404 : 200]);
    }
    expect(beside.workers).toHaveLength(1);
    // A look at a server that a busy machine answers late is said too, and says nothing of the answers.
    const said = [...beside.logged, ...here.logged].filter((line) => !/Not ready|Ready again/u.test(line));
    expect([said, here.workers]).toEqual([[], []]);
  });

  test.runIf(threadsAreTold)(
    'THR-2765 takes the work off the thread that serves, and what is left holds that one never for long',
    async () => {
      const { address } = await gateway(true);
      const { token } = crew.owner;
      let fresh = 0;
      const costly = (): readonly string[] => {
        fresh += 1;
        return [
          inCampaign(`lineage?figure=spent&priceTo=${fresh}`),
          inCampaign('export?format=xlsx'),
          inCampaign(`earnings?after=${fresh}`),
        ].map((path) => `${address}/api${path}`);
      };
      const succeed = async (addresses: readonly string[]): Promise<void> => {
        for (const { status } of await allTaken(addresses, token)) expect(status).toBe(200);
      };
      // The first ones compile what the thread runs.
      await succeed([...costly(), ...costly()]);
      const some = Array.from({ length: 6 }, costly).flat();
      const [here, all] = [spentHere(), process.cpuUsage()];
      await succeed(some);
      const { user, system } = process.cpuUsage(all);
      expect(here.stop()).toBeLessThan((user + system) / 1000 / 3);
      let least = Number.POSITIVE_INFINITY;
      for (let look = 0; look < looks && least >= bound; look += 1) {
        const turns = watchedTurns();
        await succeed(costly());
        least = Math.min(least, turns.stop());
      }
      expect(least).toBeLessThan(bound);
    },
  );

  test('THR-2766 that ends leaves who waits to come again and the process ready, is told and counted, and another one answers', async () => {
    let isFirst = true;
    const { address, workers, logged } = await gateway(true, (worker) => {
      if (isFirst) worker.once('online', () => void worker.terminate());
      isFirst = false;
    });
    const refused = await asked(address, inCampaign('lineage?figure=spent'));
    const { code } = (await refused.json()) as { readonly code: string };
    expect([refused.status, refused.headers.get('retry-after'), code]).toEqual([503, '2', 'UNAVAILABLE']);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect((await asked(address, inCampaign('lineage?figure=spent'))).status).toBe(200);
    expect(workers).toHaveLength(2);
    expect(logged.join()).toContain('is started anew');
  });

  test('THR-2767 of a process as it is built works, and is ended with it while it works', async () => {
    const [, , address = ''] = zakup.addresses();
    const lineage = (priceTo: number) => asked(address, inCampaign(`lineage?figure=spent&priceTo=${priceTo}`));
    expect((await lineage(100)).status).toBe(200);
    // As many as a team may have made at once: a third would be refused where the machine is slow.
    const lineages = [lineage(101), lineage(102)];
    expect((await Promise.race(lineages)).status).toBe(200);
    expect(await zakup.stop()).toEqual([0, 0, 0]);
    await Promise.allSettled(lineages);
    expect(zakup.output()).not.toContain('"level":50');
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declaredFields } from '@zakup/contracts/read-models';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { sqliteSealStore } from '@zakup/seals/sqlite/sqlite-seal-store';
import { appMetrics } from '@zakup/service-kit/metrics';
import { testStart } from '@zakup/service-kit/testing/started';
import { storeFiles } from '@zakup/standalone/data-dir/store-files';
import { readingThread } from '@zakup/standalone/reading/reading-thread';
import { startStandalone } from '@zakup/standalone/standalone';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addPlacement, call, team } from '../support/api.ts';
import { allTaken, spentHere, taken, threadsAreTold } from './held-turns.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zakup-thread-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the thread that makes costly answers', () => {
  const started = async () => {
    const webDist = join(folder, 'web');
    await mkdir(webDist);
    await writeFile(join(webDist, 'index.html'), '<!doctype html><title>Zakup</title>');
    await writeFile(join(webDist, 'csp.json'), JSON.stringify({ scriptHashes: [] }));
    const start = testStart({ DATA_DIR: join(folder, 'data') });
    const zakup = await startStandalone({ ...start, webDist });
    await zakup.ready;
    return { ...start, zakup };
  };

  test('THR-1627 a costly answer has in it what was acknowledged before it was asked for, however it is asked, and what came since', async () => {
    const { zakup, logged } = await started();
    const { owner, buyers, campaign } = await team(zakup.address);
    const get = async (path: string, position: number) =>
      (
        await call<{ readonly counted: { readonly total: number }; readonly totalPlacements: number }>(
          zakup.address,
          'GET',
          `/campaigns/${campaign.id}/lineage?figure=spent&${path}=${position}`,
          undefined,
          { token: owner.token },
        )
      ).data.counted.total;
    for (let count = 1; count <= 20; count += 1) {
      const placement = { campaignId: campaign.id, contractor: '@kitchen_ads', price: 1_000 + count };
      const { position } = await addPlacement(zakup.address, buyers[0], placement);
      expect([await get('after', position), await get('at', position)]).toEqual([count, count]);
    }
    await zakup.shutdown.stop('The test is over');
    expect(logged).toEqual([]);
  });

  test.runIf(threadsAreTold)(
    'THR-1628 what is costly takes next to nothing of the thread that serves @deep',
    async () => {
      const { zakup } = await started();
      const { owner, buyers, campaign } = await team(zakup.address);
      const item = { op: 'add', campaignId: campaign.id, buyerId: buyers[0].userId, category: 'Кулинария', price: 7 };
      let position = 0;
      for (let from = 0; from < 1_500; from += 500) {
        const items = Array.from({ length: 500 }, (_, index) => ({ ...item, contractor: `@kitchen_${from + index}` }));
        ({ position } = await call(zakup.address, 'POST', '/placements/batch', { items }, { token: owner.token }));
      }
      const of = `${zakup.address}/api/campaigns/${campaign.id}`;
      const lineage = (priceTo: number) => `${of}/lineage?figure=spent&priceTo=${priceTo}&after=${position}`;
      // The first ones compile what the thread runs; the read models may be late.
      while ((await taken(lineage(1), owner.token)).status === 503);
      await allTaken([lineage(2), lineage(3)], owner.token);
      const asked = Array.from({ length: 20 }, (_, index) => lineage(100 + index));
      const [here, all] = [spentHere(), process.cpuUsage()];
      for (const { status } of await allTaken(asked, owner.token)) expect(status).toBe(200);
      const { user, system } = process.cpuUsage(all);
      expect(here.stop()).toBeLessThan((user + system) / 1000 / 3);
      await zakup.shutdown.stop('The test is over');
    },
  );

  test('THR-1629 one that cannot open its stores, or died, is told and counted, and the next question starts another', async () => {
    const { log, logged, config } = testStart({ DATA_DIR: folder });
    const metrics = appMetrics();
    const files = storeFiles(folder);
    const asked = { by: 'position', position: 1 } as const;
    const note = async (): Promise<void> => undefined;
    const context = { log, metrics, config, atEnd: () => undefined };
    const thread = readingThread(context, { files, accessCodesKey: Buffer.alloc(32, 1), readStore: { note } });
    await expect(thread.past.isNear('licence', asked)).rejects.toThrow('The thread that reads has ended');
    const ends = async (): Promise<number | undefined> => (await metrics.readingThreadEnds.get()).values[0]?.value;
    expect(await ends()).toBe(1);
    expect(logged.join()).toContain('is started anew');
    const stores = [
      await sqliteEventStore({ file: files.events }),
      sqliteReadStore({ file: files.readModels, declared: declaredFields }),
      sqliteSealStore({ file: files.seals }),
    ];
    expect(await thread.past.isNear('licence', asked)).toBe(false);
    await thread.close();
    await expect(thread.past.isNear('licence', asked)).rejects.toThrow('is closed');
    expect(await ends()).toBe(1);
    for (const store of stores) await store.close();
  });
});

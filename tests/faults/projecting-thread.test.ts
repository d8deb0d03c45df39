import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { CampaignWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { declaredFields } from '@zakup/contracts/read-models';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { rebuildAll } from '@zakup/projector/rebuild';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { testStart } from '@zakup/service-kit/testing/started';
import { storeFiles } from '@zakup/standalone/data-dir/store-files';
import { startStandalone } from '@zakup/standalone/standalone';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { addPlacement, call, Refused, type Team, team } from '../support/api.ts';
import { readModelsOf } from '../support/fold-from-scratch.ts';
import { liveClient } from '../support/live-client.ts';

let folder: string;
/** Threads of this process, as they were started. */
let workers: Worker[] = [];
const startedWorker = (worker: Worker): void => void workers.push(worker);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zakup-thread-'));
  workers = [];
  process.on('worker', startedWorker);
});
afterEach(async () => {
  process.off('worker', startedWorker);
  await rm(folder, { recursive: true, force: true });
});

describe('the thread that projects', () => {
  const started = async () => {
    const webDist = join(folder, 'web');
    await mkdir(webDist, { recursive: true });
    await writeFile(join(webDist, 'index.html'), '<!doctype html><title>Zakup</title>');
    await writeFile(join(webDist, 'csp.json'), JSON.stringify({ scriptHashes: [] }));
    const start = testStart({ DATA_DIR: join(folder, 'data'), METRICS: 'open' });
    const zakup = await startStandalone({ ...start, webDist });
    await zakup.ready;
    return { ...start, zakup };
  };
  const items = ({ campaign, buyers }: Team, round: number) =>
    Array.from({ length: 20 }, (_, index) => ({
      op: 'add',
      campaignId: campaign.id,
      buyerId: buyers[index % 2 === 0 ? 0 : 1].userId,
      contractor: `@kitchen_${(round * 7 + index) % 30}`,
      category: 'Кулинария',
      price: 1_000 + round * 20 + index,
    }));
  /** Of a fault of its own, between two steps: a thread that is ended from outside while SQLite works in it may take the process along. */
  const killed = async (worker: Worker | undefined): Promise<void> => {
    if (worker === undefined) throw new Error('There is no thread');
    const ended = new Promise<number>((resolve) => void worker.once('exit', resolve));
    worker.postMessage(null, []);
    expect(await ended).toBe(1);
  };
  /** The answer that is complete up to the position, however long the read models take to come there. */
  const complete = async <Data>(address: string, path: string, position: number, token: string): Promise<Data> => {
    for (;;) {
      try {
        return (await call<Data>(address, 'GET', `${path}?after=${position}`, undefined, { token })).data;
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 503) throw error;
      }
    }
  };

  test('THR-2757 killed again and again under load, it goes on where it was: watchers get everything in order, and the read models are a fold of the log', async () => {
    const { zakup, logged } = await started();
    const { address } = zakup;
    // The first thread of all is the one that projects; those that follow it are told from others by when they come.
    let [projecting] = workers;
    const whole = await team(address);
    const { owner, campaign } = whole;
    const watcher = await liveClient(address, owner.token);
    const scope = `campaign:${campaign.id}`;
    await watcher.subscribe(scope);

    let position = 0;
    const kills = inject('isDeep') ? 3 : 2;
    const load = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        const added = { items: items(whole, round) };
        ({ position } = await call(address, 'POST', '/placements/batch', added, { token: owner.token }));
      }
    };
    for (let count = 0; count < kills; count += 1) {
      const before = workers.length;
      const loaded = load(12);
      // Some of it is folded then, and some is not.
      const head = watcher.messages.length;
      await expect.poll(() => watcher.messages.length).toBeGreaterThan(head);
      await killed(projecting);
      await expect.poll(() => workers.length).toBeGreaterThan(before);
      projecting = workers.at(-1);
      await loaded;
      await complete(address, '/campaigns', position, owner.token);
    }

    const { placement } = (
      await addPlacement(address, whole.buyers[0], { campaignId: campaign.id, contractor: '@last', price: 5 })
    ).data;
    const { campaigns } = await complete<{ readonly campaigns: readonly CampaignWire[] }>(
      address,
      '/campaigns',
      position + 1,
      owner.token,
    );
    expect(campaigns.length).toBe(1);
    await expect.poll(() => watcher.docs('placement').some(({ id }) => id === placement.id)).toBe(true);
    const fresh = await liveClient(address, owner.token);
    await fresh.subscribe(scope);
    await fresh.reached(scope, watcher.position(scope));
    const byId = (docs: readonly PlacementWire[]) => docs.toSorted((a, b) => a.id.localeCompare(b.id));
    expect(byId(watcher.docs('placement'))).toEqual(byId(fresh.docs('placement')));
    expect(watcher.docs('placement').length).toBe(kills * 12 * 20 + 1);
    const positions = watcher.messages.filter((message) => message.scope === scope).map((message) => message.position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    watcher.close();
    fresh.close();

    const figures = await (await fetch(`${address}/metrics`)).text();
    expect(figures).toContain(`zakup_projecting_thread_ends_total ${kills}`);
    expect(logged.filter((line) => line.includes('The thread that projects has ended')).length).toBe(kills);
    expect(await zakup.shutdown.stop('The test is over')).toBe(0);

    const files = storeFiles(join(folder, 'data'));
    const eventStore = await sqliteEventStore({ file: files.events });
    const stored = sqliteReadStore({ file: files.readModels, declared: declaredFields });
    const folded = inMemoryReadStore({ declared: declaredFields });
    await rebuildAll({ eventStore, readStore: folded, now: Date.now });
    expect((await stored.checkpoint('all'))?.position).toBe(await eventStore.head());
    expect(await readModelsOf(stored)).toEqual(await readModelsOf(folded));
    for (const store of [eventStore, stored, folded]) await store.close();
  });

  test('THR-2758 told to stop under load, the process waits for the batch under way and ends in order; the next start goes on', async () => {
    const first = await started();
    const whole = await team(first.zakup.address);
    const { token } = whole.owner;
    const [projecting] = workers;
    if (projecting === undefined) throw new Error('There is no thread');
    const ended = once(projecting, 'exit');
    const added = { items: items(whole, 1) };
    const { position } = await call(first.zakup.address, 'POST', '/placements/batch', added, { token });
    expect(await first.zakup.shutdown.stop('The test is over')).toBe(0);
    expect(await ended).toEqual([0]);
    expect(first.logged).toEqual([]);

    const next = await started();
    const path = `/campaigns/${whole.campaign.id}/placements`;
    const { placements } = await complete<{ readonly placements: readonly PlacementWire[] }>(
      next.zakup.address,
      path,
      position,
      token,
    );
    expect(placements.length).toBe(20);
    expect(await next.zakup.shutdown.stop('The test is over')).toBe(0);
    expect(next.logged).toEqual([]);
  });
});

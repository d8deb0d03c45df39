import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { declaredFields } from '@zakup/contracts/read-models';
import { kopecks } from '@zakup/domain/money';
import { campaignRow, contractorRow, docOf, placementRow } from '@zakup/gateway/testing/rows';
import { licenceId, startWorld, type World } from '@zakup/gateway/testing/world';
import type { Query } from '@zakup/read-store/read-store';
import { sqliteReadStore, type SqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const rows = inject('isDeep') ? 100_000 : 25_000;
/** Megabytes: as objects all rows are above twice as much. */
const smallPart = inject('isDeep') ? 40 : 10;
const perContractor = rows / 300;
const doc = docOf(licenceId);
const megabyte = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is held now, on and off the heap, in megabytes. */
const held = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / megabyte;
};

/** Counts how often others would get their turn. */
const counting = (): { readonly stop: () => number } => {
  let turns = 0;
  let running = true;
  const next = (): void => {
    turns += 1;
    if (running) setImmediate(next);
  };
  setImmediate(next);
  return {
    stop: () => {
      running = false;
      return turns;
    },
  };
};

describe(`exports of ${rows} rows`, { timeout: 240_000 }, () => {
  let folder = '';
  let readStore: SqliteReadStore;
  let world: World;
  let token = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'exports-'));
    readStore = sqliteReadStore({ file: join(folder, 'read.db'), declared: declaredFields });
    world = await startWorld({ deps: { readStore } });
    const seeded = await world.readStore.query('user', {});
    const licences = await world.readStore.query('license', {});
    const commit = (position: number, docs: readonly ReturnType<ReturnType<typeof doc.placement>>[]) =>
      readStore.commit({ docs, checkpoint: { partition: 'all', position, fence: 1 } });
    await commit(1, [
      ...seeded.docs,
      ...licences.docs,
      doc.campaign(campaignRow({ id: 'campaign' }))(1),
      ...Array.from({ length: 300 }, (_, index) =>
        doc.contractor(contractorRow({ id: `c${index}`, nick: `nick${index}`, adminUsername: `@nick${index}` }))(1),
      ),
    ]);
    for (let from = 0; from < rows; from += 1000) {
      const drafts = Array.from({ length: 1000 }, (_, index) => {
        const number = from + index;
        const row = placementRow({
          id: `placement-0000-0000-${String((number * 7919) % rows).padStart(12, '0')}`,
          contractorId: `c${Math.floor(number / perContractor)}`,
          price: kopecks((number * 37) % 1_000_000),
          leads: number % 50,
          date: `2026-${String(1 + (number % 12)).padStart(2, '0')}-${String(1 + (number % 28)).padStart(2, '0')}`,
          createdAt: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
        });
        return doc.placement(row)(2 + from / 1000);
      });
      await commit(2 + from / 1000, drafts);
    }
    token = (await world.signIn('owner')).token;
  }, 240_000);
  afterAll(async () => {
    await world.stop();
    await readStore.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const begun = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}` };
      get(`${world.address}/api${path}`, { headers }, resolve).once('error', reject);
    });

  /** Takes the whole file without keeping it, `between` its parts. */
  const taken = async (response: IncomingMessage, between?: () => Promise<void>) => {
    let bytes = 0;
    let lines = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) lines += 1;
      await between?.();
    }
    return { status: response.statusCode, bytes, lines };
  };

  // The first file of each kind: what is made once and kept is made here.
  test.each(['csv', 'xlsx'])('EXP-41 %s waits for a client who takes nothing, and others go on', async (format) => {
    const response = await begun(`/campaigns/campaign/export?format=${format}`);
    response.pause();
    const others = async (): Promise<void> => {
      for (let asked = 0; asked < 20; asked += 1) expect((await world.get('/channels', token)).status).toBe(200);
    };
    // By then what lies between the two is full.
    await others();
    const before = held();
    await others();
    expect(held() - before).toBeLessThan(5);
    const { lines, bytes } = await taken(response);
    expect(format === 'csv' ? lines : bytes).toBeGreaterThan(rows);
  });

  test.each(['csv', 'xlsx'])(
    'EXP-40 %s holds a small part of its rows, and gives others their turn all the while',
    async (format) => {
      const path = `/campaigns/campaign/export?format=${format}&sortBy=contractorId&sortOrder=desc`;
      const before = held();
      let most = 0;
      let parts = 0;
      const turns = counting();
      const response = await begun(path);
      const turnsTaken = turns.stop();
      const { status, bytes, lines } = await taken(response, async () => {
        parts += 1;
        if (parts % 40 === 1) most = Math.max(most, held());
      });
      expect([status, format === 'csv' ? lines : rows + 1]).toEqual([200, rows + 1]);
      expect(bytes).toBeGreaterThan(megabyte);
      expect(most - before).toBeLessThan(smallPart);
      // Everything is read and sorted by then: in small steps, whatever each of them takes here.
      expect(turnsTaken).toBeGreaterThan(rows / 500);
    },
  );

  test('EXP-42 a client who goes away in the middle leaves nothing behind', async () => {
    const before = held();
    for (let round = 0; round < 2; round += 1) {
      const response = await begun('/campaigns/campaign/export?format=xlsx');
      response.destroy();
    }
    await expect.poll(() => held() - before).toBeLessThan(10);
  });

  test('EXP-43 everything of the licence is taken along as steadily', async () => {
    const before = held();
    let most = 0;
    let parts = 0;
    const { status, bytes } = await taken(await begun('/license/export'), async () => {
      parts += 1;
      if (parts % 40 === 1) most = Math.max(most, held());
    });
    expect([status, bytes > rows * 20]).toEqual([200, true]);
    expect(most - before).toBeLessThan(smallPart);
  });

  test(`SRCH-10 among 300 contractors and ${rows} placements the palette answers without looking at them all`, async () => {
    const looked: Query[] = [];
    const query = readStore.query.bind(readStore);
    readStore.query = (kind, asked) => {
      if (kind === 'placement') looked.push(asked);
      return query(kind, asked);
    };
    const { body } = await world.get('/search?q=nick29', token);
    readStore.query = query;
    const hits = body.data['hits'] as readonly { readonly kind: string }[];
    expect(hits.filter(({ kind }) => kind === 'placement')).toHaveLength(5);
    expect(looked.length).toBeGreaterThan(0);
    expect(looked.every(({ where, limit = Infinity }) => where?.['contractorId'] !== undefined && limit <= 20)).toBe(
      true,
    );
  });
});

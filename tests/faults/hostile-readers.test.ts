import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { historyId } from '@zakup/contracts/history';
import { declaredFields } from '@zakup/contracts/read-models';
import { sampleEvent } from '@zakup/event-store/contract-suite';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { campaignRow, contractorRow, docOf, licenceRow, placementRow } from '@zakup/gateway/testing/rows';
import { licenceId, startWorld, type World } from '@zakup/gateway/testing/world';
import type { ReadDocument } from '@zakup/read-store/read-store';
import { keptConnections } from '@zakup/read-store/sqlite/spare-connections';
import { sqliteReadStore, type SqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { jsonLog } from '@zakup/service-kit/log';
import { openDatabase } from '@zakup/sqlite/engine';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';

const rows = 6_000;
/** In each, every file is left in one of four ways, and in another one in the next. */
const isDeep = inject('isDeep');
const leavings = isDeep ? 23 : 8;
/** At once. */
const searches = isDeep ? 200 : 100;
const doc = docOf(licenceId);
const agent = new Agent({ keepAlive: false, maxSockets: 500 });

describe('readers who do not read', { timeout: 200_000 }, () => {
  let folder = '';
  let readStore: SqliteReadStore;
  let world: World;
  let token = '';
  let said = '';
  let onSlice = async (): Promise<void> => undefined;
  const reads: ('whole' | 'cut')[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'readers-'));
    readStore = sqliteReadStore({ file: join(folder, 'read.db'), declared: declaredFields });
    const eventStore = inMemoryEventStore({ clock: () => 0 });
    for (let from = 0; from < rows; from += 1_000) {
      const event = () => sampleEvent(licenceId, 'CreativeNotesChanged', { notes: 'x'.repeat(300) });
      const events = [event(), ...Array.from({ length: 999 }, event)] as const;
      await eventStore.append([{ stream: `creative-${licenceId}~${from}`, expectedRevision: 'any', events }]);
    }
    const destination = {
      write: (line: string) => {
        said += line;
      },
    };
    const watched: typeof readStore = {
      ...readStore,
      async readEach(kind, query, take) {
        const read = readStore.readEach(kind, query, async (docs) => {
          await onSlice();
          await take(docs);
        });
        await read.then(
          () => reads.push('whole'),
          () => reads.push('cut'),
        );
        return read;
      },
    };
    world = await startWorld({
      deps: { readStore: watched, eventStore, log: jsonLog({ level: 'warn', destination }) },
    });
    const seeded = await world.readStore.query('user', {});
    const licence = doc.license(licenceRow({ id: licenceId }));
    let position = await eventStore.head();
    const commit = async (docs: readonly ReadDocument[]) => {
      position += 1;
      await readStore.commit({ docs, checkpoint: { partition: 'all', position, fence: 1 } });
    };
    await commit([
      ...seeded.docs,
      licence(1),
      doc.campaign(campaignRow({ id: 'campaign' }))(1),
      doc.campaign(campaignRow({ id: 'empty' }))(1),
      doc.contractor(contractorRow({ id: 'kot', nick: 'kot', adminUsername: '@kot' }))(1),
    ]);
    for (let from = 0; from < rows; from += 1_000)
      await commit(
        Array.from({ length: 1_000 }, (_, index) =>
          doc.placement(placementRow({ id: `p${from + index}`, campaignId: 'campaign', contractorId: 'kot' }))(
            position + 1,
          ),
        ),
      );
    const entry = (number: number): ReadDocument => ({
      kind: 'history',
      id: historyId(number),
      licenceId,
      scopes: [],
      left: [],
      position: number,
      deleted: false,
      data: {
        revision: number - 1,
        at: '2026-03-01T10:00:00.123Z',
        actorId: 'owner',
        commandId: 'c',
        source: 'screen',
        event: 'CampaignRenamed',
        entity: 'campaign:campaign',
        campaignId: 'campaign',
        changes: [{ field: 'name', from: 'а', to: `имя ${number}` }],
      },
    });
    for (let from = 0; from < 3_000; from += 500)
      await commit(Array.from({ length: 500 }, (_, index) => entry(from + index + 1)));
    ({ token } = await world.signIn('owner'));
  }, 120_000);
  afterAll(async () => {
    await world.stop();
    await readStore.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const downloads = [
    '/campaigns/campaign/export?format=csv',
    '/campaigns/campaign/export?format=xlsx&sortBy=buyerId',
    '/license/export',
    '/license/history-bundle',
    '/campaigns/campaign/events',
    '/audit?limit=200&search=нет',
    '/contractors/kot/lineage?figure=spent',
    '/search?q=kot',
    '/reports/salary',
  ].map((path) => encodeURI(path));

  /** Whether somebody reads a snapshot of the store: then its journal, in which something stands, cannot be begun anew. */
  const isRead = async (): Promise<boolean> => {
    await readStore.note('probe', {});
    const database = openDatabase(join(folder, 'read.db'));
    try {
      database.exec('PRAGMA busy_timeout = 0');
      const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { readonly busy: number };
      return busy !== 0;
    } finally {
      database.close();
    }
  };

  /** Connections to the store, by their journals. 0 where the system does not tell. */
  const connections = (): number => {
    try {
      return readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === join(folder, 'read.db-wal');
        } catch {
          return false;
        }
      }).length;
    } catch {
      return 0;
    }
  };

  const asked = (path: string): ReturnType<typeof get> =>
    get(`${world.address}/api${path}`, { agent, headers: { Authorization: `Bearer ${token}` } });
  const answered = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      asked(path).once('response', resolve).once('error', reject);
    });
  const quick = async (path: string): Promise<readonly [number, number]> => {
    const began = scheduledTime();
    const { status } = await world.get(path, token);
    return [status, began.stop()];
  };
  const settled = async (is: () => boolean | Promise<boolean>, patience = 20_000): Promise<boolean> => {
    for (const deadline = performance.now() + patience; performance.now() < deadline; await after(20))
      if (await is()) return true;
    return is();
  };

  test('RATK-20 whoever goes away at any moment leaves nothing open, and is no error', async () => {
    const before = connections();
    said = '';
    for (let count = 0; count < leavings; count += 1)
      await Promise.all(
        downloads.map(
          (path, index) =>
            new Promise<void>((resolve) => {
              const request = asked(path);
              request.once('error', () => resolve()).once('close', () => resolve());
              const kind = (count + index) % 4;
              if (kind === 0) setTimeout(() => request.destroy(), (count * 7 + index) % 40);
              else
                request.once('response', (response) => {
                  response.once('error', () => undefined);
                  if (kind === 1) request.destroy();
                  else if (kind === 2) response.once('data', () => request.destroy());
                  else response.once('data', () => setTimeout(() => request.destroy(), count)).resume();
                });
            }),
        ),
      );
    expect(await settled(async () => !(await isRead()))).toBe(true);
    expect(connections() - before).toBeLessThanOrEqual(keptConnections);
    expect((await quick('/campaigns'))[0]).toBe(200);
    expect(said).toBe('');
  });

  test('RATK-21 while many take nothing of their files, others are answered', async () => {
    const slow = await Promise.all(Array.from({ length: 40 }, (_, index) => answered(downloads[index % 5] as string)));
    for (const response of slow) response.pause();
    await after(500);
    for (let count = 0; count < 10; count += 1) {
      const [status, took] = await quick('/campaigns/campaign/placements?pageSize=5');
      expect([status, took < 3_000]).toEqual([200, true]);
    }
    expect(await settled(async () => !(await isRead()))).toBe(true);
    for (const response of slow) {
      response.once('error', () => undefined);
      response.destroy();
    }
  });

  test(`RATK-22 ${searches} searches at once are all answered`, async () => {
    const statuses = await Promise.all(
      Array.from(
        { length: searches },
        async (_, index) => (await quick(`/search?q=${index % 2 === 0 ? 'kot' : 'k'}&limit=50`))[0],
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('RATK-23 a cursor of which one byte is another is refused, or is none', async () => {
    const { body } = await world.get('/audit?limit=5', token);
    const cursor = String(body.data['nextCursor']);
    for (let at = 0; at < cursor.length; at += 1)
      for (const byte of ['0', 'f', '-', '9', '\0', 'é'].filter((one) => one !== cursor[at])) {
        const edited = `${cursor.slice(0, at)}${byte}${cursor.slice(at + 1)}`;
        const { status } = await world.get(`/audit?limit=5&cursor=${encodeURIComponent(edited)}`, token);
        expect([edited, status]).toEqual([edited, 422]);
      }
  });

  test('RATK-24 no query makes a read fail', async () => {
    const wild = [
      '%00',
      '%ED%A0%80',
      '%ED%B0%80x',
      '%FF',
      '%',
      '%E0%A4%A',
      '%F0%9F%90%88',
      '%EF%BF%BF',
      '%E2%80%AE',
      'a'.repeat(201),
      '%00kot',
      "'%20OR%201=1",
      '$where',
      '__proto__',
      '{"$gt":""}',
      '1e999',
      '-1',
      'NaN',
    ];
    const shapes = (name: string, value: string) => [
      `${name}=${value}`,
      `${name}[]=${value}`,
      `${name}[x]=${value}`,
      `${name}=${value}&${name}=${value}`,
    ];
    const targets = [
      ['/search', ['q', 'limit']],
      [
        '/audit',
        ['search', 'person', 'entity', 'field', 'campaign', 'command', 'source', 'from', 'to', 'cursor', 'limit'],
      ],
      ['/timeline', ['campaign', 'around']],
      [
        '/campaigns/campaign/placements',
        ['search', 'buyerId', 'contractorId', 'category', 'dateFrom', 'priceFrom', 'page', 'at', 'after'],
      ],
      ['/campaigns/empty/export?format=csv', ['search', 'placementFormat', 'contractorId', 'at']],
      ['/campaigns/empty/lineage?figure=spent', ['userId', 'contractorId', 'creativeId', 'page']],
      ['/reports/salary?campaign=empty', ['campaign', 'userId', 'from', 'page']],
      ['/users', ['includeInactive', 'at']],
      ['/license', ['reveal']],
    ] as const;
    said = '';
    // Each value of each name in every shape, else in one, the next value in the next.
    const shapesOf = (name: string, value: string, turn: number): readonly string[] =>
      isDeep ? shapes(name, value) : shapes(name, value).slice(turn % 4, (turn % 4) + 1);
    for (const [path, names] of targets)
      for (const [index, name] of names.entries())
        for (const [number, value] of wild.entries())
          for (const query of shapesOf(name, value, index + number)) {
            const url = `${path}${path.includes('?') ? '&' : '?'}${query}`;
            const response = await fetch(`${world.address}/api${url}`, {
              headers: { Authorization: `Bearer ${token}` },
            });
            await response.arrayBuffer();
            expect([url, response.status < 500 || (response.status === 503 && name === 'at')]).toEqual([url, true]);
          }
    for (const value of wild)
      for (const path of [
        `/campaigns/${value}/analytics`,
        `/placements/${value}/history`,
        `/contractors/${value}`,
        `/campaigns/${value}/events`,
        `/creatives/${value}/results`,
      ]) {
        const { status } = await fetch(`${world.address}/api${path}`, {
          headers: { Authorization: `Bearer ${token}` },
        });
        expect([path, [400, 404].includes(status)]).toEqual([path, true]);
      }
    expect(said).toBe('');
  });

  test('RATK-25 for whoever has gone nothing more is read', async () => {
    reads.length = 0;
    const request = asked(downloads[0] as string);
    request.once('error', () => undefined);
    const held: boolean[] = [];
    onSlice = async () => {
      held.push(await isRead());
      request.destroy();
      await after(300);
    };
    expect(await settled(() => reads.length > 0)).toBe(true);
    onSlice = async () => undefined;
    expect(reads).toEqual(['cut']);
    expect(held).toEqual([true]);
    expect(await isRead()).toBe(false);
    expect((await quick('/campaigns'))[0]).toBe(200);
  });
});

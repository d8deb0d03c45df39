import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { testStart } from '@zakup/service-kit/testing/started';
import { storeFiles } from '@zakup/standalone/data-dir/store-files';
import { isRight, verifyStores } from '@zakup/standalone/verify/verify-stores';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, team } from '../support/api.ts';
import { type Program, programPath } from '../support/built-programs.ts';
import { begunIn, type Entry, write } from '../support/journal.ts';
import { liveClient } from '../support/live-client.ts';
import { printedChance } from '../support/seeded.ts';
import { refusedStart, startZakup, type ZakupProcess } from '../support/zakup-process.ts';

const writers = 4;
const hung = 60_000;

let folder: string;
let running: ZakupProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zakup-online-'));
});
afterEach(async () => {
  await running?.kill();
  await rm(folder, { recursive: true, force: true });
});

const started = async (name: string): Promise<ZakupProcess> => {
  running = await startZakup({ dataDir: join(folder, name) });
  return running;
};

/** A command of the data folder, as an operator gives it. */
const run = async (
  program: Program,
  dataDir: string,
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> => {
  const path = await programPath(program);
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, dataDir) };
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...argv], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: `${stdout}${stderr}` }),
    );
  });
};

const eventsOf = async (name: string): Promise<readonly RecordedEvent[]> => {
  const store = await sqliteEventStore({ file: storeFiles(join(folder, name)).events });
  const stop = new AbortController();
  const events: RecordedEvent[] = [];
  for await (const message of store.subscribe({ after: 0, signal: stop.signal })) {
    if (message.kind === 'events') events.push(...message.events);
    else stop.abort();
  }
  await store.close();
  return events;
};

const verified = async (name: string) => {
  const { config, log } = testStart({ DATA_DIR: join(folder, name) });
  const signal = new AbortController().signal;
  return verifyStores({ config, log, print: () => undefined, signal, heal: false });
};

describe('npm run backup beside a running server', () => {
  test('BAK-2790 under write load it is a prefix of the log, opens elsewhere, folds equal, and nobody signs in anew (R13)', async () => {
    const chance = printedChance('BAK-2790');
    const zakup = await started('data');
    const { address } = zakup;
    const crew = await team(address);
    const stopped = new AbortController();
    const journal: Entry[] = [];
    const allowance = { left: 400 };
    const options = { address, crew, chance, signal: stopped.signal, allowance };
    const writing = Array.from({ length: writers }, () => write(options, journal));
    await begunIn(journal, 2 * writers, AbortSignal.timeout(hung));
    const acknowledgedBefore = journal.flatMap(({ acknowledged }) => (acknowledged === null ? [] : [acknowledged]));
    const { code, output } = await run('backup', 'data', join(folder, 'backups'));
    expect([code, output]).toEqual([0, expect.stringContaining('Копия сделана')]);
    const [name = ''] = await readdir(join(folder, 'backups'));
    const backup = join(folder, 'backups', name);
    const { head } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as { head: number };
    expect(output).toContain(`позиция журнала  ${head}`);
    expect(head).toBeGreaterThanOrEqual(Math.max(...acknowledgedBefore.map(({ position }) => position)));
    stopped.abort();
    await Promise.all(writing);
    await zakup.kill();

    const restoring = await run('restore', 'restored', backup);
    expect([restoring.code, restoring.output]).toEqual([
      0,
      expect.stringMatching(/событий \d+, 100 %\nМодели чтения собраны/u),
    ]);
    const before = await verified('restored');
    expect(isRight(before)).toBe(true);
    expect(before.skips).toMatchObject([{ reason: 'restored', after: head }]);
    const original = await eventsOf('data');
    const restored = await eventsOf('restored');
    expect(restored.slice(0, -1)).toEqual(original.filter(({ position }) => position <= head));

    const again = await started('restored');
    const { data } = await call<{ placements: readonly PlacementWire[] }>(
      again.address,
      'GET',
      `/campaigns/${crew.campaign.id}/placements?pageSize=500`,
      undefined,
      { token: crew.buyers[0].token },
    );
    const added = original.filter(({ type, position }) => type === 'PlacementAdded' && position <= head);
    expect(data.placements).toHaveLength(added.length);
    const kept = new Set(data.placements.map(({ id }) => id));
    for (const { data: acknowledged } of acknowledgedBefore) expect(kept).toContain(acknowledged.placement.id);
    expect(await again.stop()).toBe(0);
    expect(isRight(await verified('restored'))).toBe(true);
  });

  test('BAK-2791 every scope is reset for who had read what the lost log gave, at once and after new events @deep', async () => {
    const zakup = await started('data');
    const crew = await team(zakup.address);
    const [anna] = crew.buyers;
    const add = (address: string) =>
      call<{ placement: PlacementWire }>(
        address,
        'POST',
        '/placements',
        { campaignId: crew.campaign.id, buyerId: anna.userId, category: 'Юмор', contractor: '@lost', price: 1 },
        { token: anna.token },
      );
    await add(zakup.address);
    expect((await run('backup', 'data', join(folder, 'backups'))).code).toBe(0);
    const [name = ''] = await readdir(join(folder, 'backups'));
    const { position: lost } = await add(zakup.address);
    expect(await zakup.stop()).toBe(0);
    expect((await run('restore', 'restored', join(folder, 'backups', name))).code).toBe(0);

    const again = await started('restored');
    const client = await liveClient(again.address, anna.token);
    const scopes = [`campaign:${crew.campaign.id}`, 'workspace', 'me'];
    try {
      for (const scope of scopes) expect(await client.subscribe(scope, lost)).toMatchObject({ reset: true });
      const { position: next } = await add(again.address);
      expect(next).toBeGreaterThan(1_000_000_000);
      for (const scope of scopes) expect(await client.subscribe(scope, lost)).toMatchObject({ reset: true });
      await client.reached(scopes[0] ?? '', next);
      expect(client.docs('placement')).toHaveLength(2);
      // Whoever has read since goes on as ever.
      const later = await liveClient(again.address, anna.token);
      expect(await later.subscribe(scopes[0] ?? '', next)).toMatchObject({ reset: false });
      later.close();
    } finally {
      client.close();
    }
    expect(await again.stop()).toBe(0);
    expect(isRight(await verified('restored'))).toBe(true);
  });
});

describe('npm run recover', () => {
  test('BAK-2804 ends with 0 for a whole log, 2 for a damaged one, 0 once it was told to go on, 1 beside a server', async () => {
    const zakup = await started('data');
    await team(zakup.address);
    expect(await run('recover', 'data')).toMatchObject({ code: 1, output: expect.stringContaining('другой процесс') });
    await zakup.kill();
    expect(await run('recover', 'data')).toEqual({ code: 0, output: 'Журнал цел.\n' });
    const wal = `${storeFiles(join(folder, 'data')).events}-wal`;
    const content = await readFile(wal);
    const middle = Math.floor(content.length / 2);
    content[middle] = (content[middle] ?? 0) ^ 1;
    await writeFile(wal, content);
    expect((await refusedStart({ dataDir: join(folder, 'data') })).output).toContain('npm run recover');
    const found = await run('recover', 'data');
    expect(found).toMatchObject({ code: 2, output: expect.stringContaining('Ничего не изменено.') });
    expect(found.output).toMatch(/потеряно позиций {3}\d+: \d+–\d+/u);
    expect((await run('recover', 'data')).output).toBe(found.output);
    expect(await run('recover', 'data', '--yes')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Журнал восстановлен'),
    });
    expect(await run('recover', 'data')).toMatchObject({ code: 0 });
    expect(isRight(await verified('data'))).toBe(true);
    const again = await started('data');
    expect(await again.stop()).toBe(0);
    expect(isRight(await verified('data'))).toBe(true);
  });
});

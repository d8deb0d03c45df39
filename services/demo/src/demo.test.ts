import { testCodes } from '@zakup/credentials/testing/test-codes';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { declaredFields } from '@zakup/contracts/read-models';
import type { EventStore } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { runProjector } from '@zakup/projector/run-projector';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { sqliteSealStore } from '@zakup/seals/sqlite/sqlite-seal-store';
import { jsonLog } from '@zakup/service-kit/log';
import { appMetrics } from '@zakup/service-kit/metrics';
import { testStart } from '@zakup/service-kit/testing/started';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDataDir } from '@zakup/standalone/data-dir/data-dir';
import { readDemoMark, writeDemoMark } from '@zakup/standalone/data-dir/demo-mark';
import { storeFiles } from '@zakup/standalone/data-dir/store-files';
import { type Standalone, startStandalone } from '@zakup/standalone/standalone';
import { verifyStores } from '@zakup/standalone/verify/verify-stores';
import { demo, type FillingDemo } from './fill-demo.ts';
import { colleagues } from './live/colleagues.ts';
import { demoPassword } from './logins.ts';
import { shownLogins } from './story/people.ts';
import { story } from './story/story.ts';
import { seedStory } from './seed-story.ts';
import { hashOfLog, lastDay, small } from './testing/small-story.ts';

const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort');
};

const tell = async (
  scale: typeof small | (Omit<typeof small, 'seed'> & { readonly seed: number }) = small,
  { eventStore, told = 0, onDay }: { eventStore?: EventStore; told?: number; onDay?: (days: number) => void } = {},
): Promise<EventStore> => {
  let now = 0;
  const store = eventStore ?? inMemoryEventStore({ clock: () => now });
  await seedStory(story({ ...scale, lastDay }), {
    eventStore: store,
    codes: testCodes,
    readStore: inMemoryReadStore({ declared: declaredFields }),
    log: jsonLog({ level: 'silent' }),
    metrics: appMetrics(),
    told,
    onInstant: (at) => {
      now = Math.max(now, at);
    },
    onDay: (days) => onDay?.(days),
  });
  return store;
};

describe('the story of the demo', () => {
  let first: EventStore;
  beforeAll(async () => {
    first = await tell();
  });

  test('DEMO-1 the same seed tells the same events, to their ids and their order; another seed tells another story', async () => {
    const again = await tell();
    expect(await hashOfLog(again)).toBe(await hashOfLog(first));
    const other = story({ ...small, seed: 8, lastDay }).days.flat();
    expect(other.map(({ commandId }) => commandId)).not.toContain(
      story({ ...small, lastDay }).days.flat()[0]?.commandId,
    );
  });

  test('DEMO-2 broken off at any append and told again from the beginning, it ends the same', async () => {
    const log = inMemoryEventStore({ clock: () => 0 });
    let left = 250;
    const dying: EventStore = {
      ...log,
      append: async (...given) => {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return log.append(...given);
      },
    };
    await expect(tell(small, { eventStore: dying })).rejects.toThrow('The story breaks off');
    expect(await log.head()).toBeGreaterThan(250);
    await tell(small, { eventStore: log });
    expect(await hashOfLog(log)).toBe(await hashOfLog(first));
  });

  test('DEMO-3 totals are those of the rows, campaigns are in all states, and history is spread over the days', async () => {
    const readStore = inMemoryReadStore({ declared: declaredFields });
    const signal = new AbortController().signal;
    const eventStore = first;
    const projector = runProjector({ eventStore, readStore, partition: 'all', fence: 1, now: () => 0, signal });
    await projector.caughtUp;
    await projector.stop();
    const rows = async (kind: string) => (await readStore.query(kind, {})).docs.map(({ data }) => data ?? {});
    const placements = (await rows('placement')).filter(({ removed }) => removed !== true);
    expect(placements).toHaveLength(small.placements);
    const contractors = await rows('contractor');
    expect(contractors).toHaveLength(small.contractors);
    const sum = (items: readonly Record<string, unknown>[], of: (item: never) => number): number =>
      items.reduce((all, item) => all + of(item as never), 0);
    const totals = (of: (item: { totals: { placements: number; spent: number; leads: number } }) => number) =>
      sum(contractors, of);
    expect(totals((one) => one.totals.placements)).toBe(small.placements);
    expect(totals((one) => one.totals.spent)).toBe(sum(placements, ({ price }: { price: number }) => price));
    expect(totals((one) => one.totals.leads)).toBe(sum(placements, ({ leads }: { leads: number }) => leads));
    const campaigns = await rows('campaign');
    const inState = (wanted: string) => campaigns.filter(({ status }) => status === wanted).length;
    expect(['DRAFT', 'ACTIVE', 'COMPLETED'].map(inState)).toEqual([1, 3, 5]);
    expect(await rows('channel')).toHaveLength(4);
    expect(await rows('creative')).toHaveLength(40);
    const days = new Set(
      (await eventStore.readLicence(story({ ...small, lastDay }).ids.licence)).map(({ metadata }) =>
        metadata.at.slice(0, 10),
      ),
    );
    expect(days.size).toBeGreaterThan(60);
    expect([...days].sort((one, other) => one.localeCompare(other)).at(-1)).toBe(lastDay);
  });
});

interface Reply {
  readonly error: string | null;
  /** Of a sign-in that was taken. */
  readonly data: { readonly token: string; readonly user: { readonly id: string } };
}

describe('a demo that is started', () => {
  let dir: string;
  /** The first that was made in it, with what came before: a start on a full disk. */
  let shared: Standalone;
  const scarce = { refused: '', mark: null as Awaited<ReturnType<typeof readDemoMark>> };
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'zakup-demo-'));
    const full = await startStandalone({
      ...testStart({ DATA_DIR: dir }),
      webDist: dir,
      demo: demo({ scale: small, now: Date.now, onProgress: () => undefined }),
      disk: { freeBytesOf: () => Promise.resolve(1_000) },
    });
    scarce.refused = await full.opened.then(
      () => 'opened',
      (error: Error) => error.message,
    );
    await full.shutdown.stop('out of disk');
    scarce.mark = await readDemoMark(dir);
    shared = await start(dir);
    await shared.ready;
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const start = (folder: string, onProgress: FillingDemo['onProgress'] = () => undefined) =>
    startStandalone({
      ...testStart({ DATA_DIR: folder }),
      webDist: folder,
      demo: demo({ scale: small, now: Date.now, onProgress }),
    });
  const post = async (address: string, path: string, body: object) => {
    const answer = await fetch(`${address}/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Reply };
  };
  const signIn = (address: string, role: string, code: string) =>
    role === 'CEO'
      ? post(address, '/auth/ceo-login', { loginCode: code, password: demoPassword })
      : post(address, '/auth/employee-login', { authCode: code, password: demoPassword });

  test('DEMO-19 on a disk with little room it is not made, and the start says what to do', async () => {
    expect(scarce.refused).toContain('Освободите место и запустите снова');
    expect(scarce.mark).toMatchObject({ told: 0, whole: false });
    expect((await readDemoMark(dir))?.whole).toBe(true);
  });

  test('DEMO-20 whoever leads or buys finds unread notifications at the first look, also of what others did', async () => {
    // The analyst takes part in no campaign, and is told of none.
    for (const { role, code } of shownLogins.filter((login) => login.role !== 'ANALYTIC')) {
      const { token, user } = (await signIn(shared.address, role, code)).body.data;
      const answer = await fetch(`${shared.address}/api/notifications`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      const { data } = (await answer.json()) as {
        readonly data: {
          readonly unread: number;
          readonly notifications: readonly { readonly read: boolean; readonly actor: { readonly userId: string } }[];
        };
      };
      const unread = data.notifications.filter(({ read }) => !read);
      const ofOthers = unread.some(({ actor }) => actor.userId !== user.id);
      expect([role, data.unread, ofOthers]).toEqual([role, unread.length, true]);
    }
  });

  test('DEMO-4 is made once, lets every role in, names codes that work, and has colleagues who act as often as they may', async () => {
    for (const { role, code } of shownLogins)
      expect([code, (await signIn(shared.address, role, code)).status]).toEqual([code, 200]);
    const wrong = await post(shared.address, '/auth/login-code', { authCode: 'NOSUCHCODE22' });
    expect([wrong.status, wrong.body.error]).toEqual([
      401,
      'Неверный код авторизации. Попробуйте: DEMOTEAMLEAD или DEMOMEDBUYER',
    ]);
    expect((await post(shared.address, '/auth/login-code', { authCode: 'DEMOMEDBUYER' })).status).toBe(200);
    const { signal } = new AbortController();
    const worked = await colleagues({ address: shared.address, seed: 3, most: 15, signal, wait: () => turn() });
    expect(worked.acts).toBe(15);
    expect(Object.values(worked.byKind).filter((count) => count > 0).length).toBeGreaterThan(2);
    const seals = sqliteSealStore({ file: storeFiles(dir).seals });
    await expect.poll(() => seals.reached()).toBeGreaterThan(small.placements);
    await seals.close();
    await shared.shutdown.stop('looked at');

    const percents: number[] = [];
    const again = await start(dir, (percent) => void percents.push(percent));
    await again.ready;
    expect(percents).toEqual([]);
    expect((await readDemoMark(dir))?.whole).toBe(true);
    await again.shutdown.stop('looked at again');
  });

  test('DEMO-21 its folder verifies, though its seals were made long after the days that its story tells', async () => {
    const { config, log } = testStart({ DATA_DIR: dir });
    const { signal } = new AbortController();
    const verified = await verifyStores({ config, log, print: () => undefined, signal, heal: false });
    expect([verified.licences, verified.checks, verified.seals?.faults]).toEqual([1, [], []]);
    expect(verified.seals?.events).toBeGreaterThan(small.placements);
  });

  test('DEMO-5 an ordinary start refuses its folder, and knows nothing of its codes', async () => {
    await expect(startStandalone({ ...testStart({ DATA_DIR: dir }), webDist: dir })).rejects.toThrow('npm run demo');
    const other = await mkdtemp(join(tmpdir(), 'zakup-ordinary-'));
    try {
      const zakup = await startStandalone({ ...testStart({ DATA_DIR: other }), webDist: other });
      await zakup.ready;
      for (const authCode of ['DEMOMEDBUYER', 'NOSUCHCODE22']) {
        const { status, body } = await post(zakup.address, '/auth/login-code', { authCode });
        expect([status, body.error?.includes('Попробуйте')]).toEqual([403, false]);
      }
      const owner = await post(zakup.address, '/auth/ceo-login', { loginCode: 'DEMOVLADELEC', password: demoPassword });
      expect(owner.status).toBe(401);
      const token = await fetch(`${zakup.address}/api/admin/licenses`);
      expect(token.status).toBe(401);
      await zakup.shutdown.stop('looked at');
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });

  test('DEMO-6 stopped in the middle, the next start goes on with the same story @deep', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zakup-demo-'));
    try {
      const halfway = new AbortController();
      const goOn = new AbortController();
      const zakup = await start(folder, async (percent) => {
        if (percent <= 40) return;
        halfway.abort();
        await aborted(goOn.signal);
      });
      await aborted(halfway.signal);
      const meanwhile = await fetch(`${zakup.address}/readyz`);
      expect([meanwhile.status, await meanwhile.json()]).toMatchObject([
        503,
        { reasons: { demo: expect.stringMatching(/^собираю год работы демо-команды: \d\d %$/u) } },
      ]);
      expect((await post(zakup.address, '/auth/login-code', { authCode: 'DEMOMEDBUYER' })).status).toBe(503);
      const stopped = zakup.shutdown.stop('stopped in the middle');
      goOn.abort();
      expect(await stopped).toBe(0);
      expect((await readDemoMark(folder))?.whole).toBe(false);
      const percents: number[] = [];
      const again = await start(folder, (percent) => void percents.push(percent));
      await again.ready;
      expect(percents[0]).toBeGreaterThan(40);
      expect(percents.at(-1)).toBe(100);
      await again.shutdown.stop('looked at');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('DEMO-15 a story that breaks off ends the start with where and why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zakup-demo-'));
    try {
      (await openDataDir(folder, { use: 'demo' })).close();
      // Nobody founded the licence of which so many days are said to be told.
      await writeDemoMark(folder, { version: 1, seed: small.seed, lastDay, told: 30, whole: false });
      const zakup = await start(folder);
      await expect(zakup.opened).rejects.toThrow(/The story breaks off: .* 401 /u);
      await zakup.shutdown.stop('broken off');
      expect((await readDemoMark(folder))?.whole).toBe(false);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

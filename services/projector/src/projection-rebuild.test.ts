import type { EventStore } from '@zakup/event-store/event-store';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  firstInstant,
  licenceId,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
  testReadStore,
} from '@zakup/projections/testing/given';
import { storedOf } from '@zakup/projections/testing/stored';
import { projectionVersion } from '@zakup/projections/version';
import type { NextGeneration, ReadStore } from '@zakup/read-store/read-store';
import { afterEach, describe, expect, it } from 'vitest';
import { type BuildProgress, type Following, type FollowingOptions, projectionRebuild } from './projection-rebuild.ts';
import { rebuildAll } from './rebuild.ts';
import { foldAll } from './testing/started.ts';

const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };
const placements = 30;

const filledLog = async () => {
  const log = testLog();
  await log.append(['licence', licenceId, licenceIssued]);
  await log.append(['contractor', 'masha', contractorCreated('masha')]);
  await log.append(['employee', 'bob', employeeCreated('bob', { salaryType: 'percentage', salaryRate: 10 })]);
  await log.append(['campaign', 'spring', campaignCreated('Весна')]);
  for (let n = 0; n < placements; n += 1)
    await log.append(['placement', `p${n}`, placementAdded(place, { price: rubles(n) })]);
  return log;
};

const running: AbortController[] = [];
const ends: Promise<unknown>[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) one.abort();
  await Promise.all(ends.splice(0));
});

const following = (
  options: Partial<FollowingOptions> & Pick<FollowingOptions, 'eventStore' | 'readStore'>,
): Following & { readonly kill: () => Promise<void> } => {
  const stop = new AbortController();
  const made = projectionRebuild({
    partition: 'all',
    fence: 1,
    signal: stop.signal,
    now: () => firstInstant,
    wait: () => Promise.resolve(),
    ...options,
  });
  running.push(stop);
  ends.push(made.ended);
  return {
    ...made,
    kill: async () => {
      stop.abort();
      await made.ended;
    },
  };
};

/** A store whose content was folded by a version before, and holds what this one would never write. */
const olderStore = async (eventStore: EventStore): Promise<ReadStore> => {
  const readStore = testReadStore();
  await foldAll({ eventStore, readStore });
  await readStore.noteVersion('before');
  const { position = 0 } = (await readStore.checkpoint('all')) ?? {};
  const data = { of: 'the version before' };
  const old = {
    kind: 'creative',
    id: 'old',
    licenceId,
    scopes: ['workspace'],
    left: [],
    position,
    deleted: false,
    data,
  };
  await readStore.commit({ docs: [old], checkpoint: { partition: 'all', position, fence: 1 }, repair: true });
  return readStore;
};

const fromScratch = async (eventStore: EventStore) => {
  const readStore = testReadStore();
  await foldAll({ eventStore, readStore });
  return storedOf(readStore, licenceId);
};

const isReplaced = async (readStore: ReadStore): Promise<boolean> =>
  (await readStore.generations()).active.version === projectionVersion;

const since = (readStore: ReadStore, position: number) =>
  readStore.changesSince({ licenceId, scope: 'workspace', since: position, partition: 'all' });

/** The store, whose contents beside are watched by the test. */
const withNext = (readStore: ReadStore, change: (next: NextGeneration) => NextGeneration): ReadStore => ({
  ...readStore,
  beginNext: async (version) => change(await readStore.beginNext(version)),
});

describe('a content built beside the one that is read', () => {
  it('RB-1 a store of another version serves what it has and follows the log until the new content takes its place', async () => {
    const { eventStore, append } = await filledLog();
    const readStore = await olderStore(eventStore);
    const head = await eventStore.head();
    const during: unknown[] = [];
    let appended: Promise<unknown> | null = null;
    const meddled = withNext(readStore, (next) => ({
      ...next,
      commit: async (commit) => {
        appended ??= append(['placement', 'during', placementAdded(place)]);
        await appended;
        during.push((await readStore.get('creative', 'old'))?.data);
        return next.commit(commit);
      },
    }));
    const { caughtUp } = following({ eventStore, readStore: meddled });
    await caughtUp;
    await expect.poll(() => isReplaced(readStore)).toBe(true);
    expect(during.length).toBeGreaterThan(0);
    expect(during.every((data) => data !== undefined)).toBe(true);
    expect(await readStore.get('creative', 'old')).toBeNull();
    expect((await since(readStore, head)).reset).toBe(true);
    expect(await storedOf(readStore, licenceId)).toEqual(await fromScratch(eventStore));
    await append(['placement', 'after', placementAdded(place)]);
    await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(await eventStore.head());
    expect(await storedOf(readStore, licenceId)).toEqual(await fromScratch(eventStore));
  });

  it('RB-61 what is read goes on following the log until the new content is near, also when that says early that it caught up', async () => {
    const { eventStore, append } = await filledLog();
    const readStore = await olderStore(eventStore);
    const saidEarly: EventStore = {
      ...eventStore,
      async *subscribe(options) {
        if (options.after === 0) yield { kind: 'caught_up', position: 0 };
        yield* eventStore.subscribe(options);
      },
    };
    let followed: Promise<void> | null = null;
    const meddled = withNext(readStore, (next) => ({
      ...next,
      commit: async (commit) => {
        const isBatch = commit.checkpoint.partition === 'all' && commit.docs.length > 0;
        if (!isBatch) return next.commit(commit);
        followed ??= (async () => {
          await append(['placement', 'during', placementAdded(place)]);
          const head = await eventStore.head();
          await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(head);
        })();
        await followed.catch(() => undefined);
        return next.commit(commit);
      },
    }));
    following({ eventStore: saidEarly, readStore: meddled });
    await expect.poll(() => isReplaced(readStore)).toBe(true);
    await expect(followed).resolves.toBeUndefined();
    expect(await storedOf(readStore, licenceId)).toEqual(await fromScratch(eventStore));
  });

  it('RB-2 an empty store takes the version, and one of this version is left as it is', async () => {
    const { eventStore } = await filledLog();
    const readStore = testReadStore();
    const first = following({ eventStore, readStore });
    await first.caughtUp;
    expect(await readStore.generations()).toEqual({ active: { number: 0, version: projectionVersion }, next: null });
    await first.kill();
    const second = following({ eventStore, readStore });
    await second.caughtUp;
    await second.kill();
    expect((await readStore.generations()).active.number).toBe(0);
  });

  it('RB-3 killed after each commit it goes on where it was, and ends with the same documents', async () => {
    const { eventStore } = await filledLog();
    const readStore = await olderStore(eventStore);
    const from: number[] = [];
    for (let kills = 0; !(await isReplaced(readStore)); kills += 1) {
      let kill = (): Promise<void> => Promise.resolve();
      let commits = 0;
      const killed = new Promise<void>((resolve) => {
        const mortal = withNext(readStore, (next) => ({
          ...next,
          commit: async (commit) => {
            if (commit.docs.length > 2) commits += 1;
            if (commits > 1) void kill().then(resolve);
            return commits > 1 ? Promise.reject(new Error('The process is gone')) : next.commit(commit);
          },
        }));
        const onBuild = ({ events, from: begun, finishedAt }: BuildProgress): void => {
          if (events === 0) from.push(begun);
          if (finishedAt !== null) resolve();
        };
        const slow = {
          ...eventStore,
          subscribe: (options: Parameters<EventStore['subscribe']>[0]) =>
            eventStore.subscribe({ ...options, maxBatch: 8 }),
        };
        ({ kill } = following({ eventStore: slow, readStore: mortal, onBuild }));
      });
      await killed;
      await kill();
      expect(kills).toBeLessThan(20);
    }
    expect(from.length).toBeGreaterThan(2);
    expect(from.every((position, index) => index === 0 || position > (from[index - 1] ?? 0))).toBe(true);
    expect(await storedOf(readStore, licenceId)).toEqual(await fromScratch(eventStore));
  });

  it.each(['before it is done', 'before its answer'])(
    'RB-4 killed while it takes the place, %s: all or nothing',
    async (when) => {
      const { eventStore } = await filledLog();
      const readStore = await olderStore(eventStore);
      let times = 0;
      const failing = withNext(readStore, (next) => ({
        ...next,
        promote: async (fence) => {
          times += 1;
          if (times > 1) return next.promote(fence);
          if (when === 'before its answer') await next.promote(fence);
          throw new Error('The connection is gone');
        },
      }));
      following({ eventStore, readStore: failing });
      await expect.poll(() => isReplaced(readStore)).toBe(true);
      await expect.poll(async () => (await readStore.generations()).next).toBeNull();
      expect(times).toBe(when === 'before its answer' ? 1 : 2);
      expect(await storedOf(readStore, licenceId)).toEqual(await fromScratch(eventStore));
    },
  );

  it('RB-1155 asked for, and the answer to taking the place lost: nothing is built a second time', async () => {
    const { eventStore } = await filledLog();
    const readStore = testReadStore();
    const told: BuildProgress[] = [];
    const failing = withNext(readStore, (next) => ({
      ...next,
      promote: async (fence) => {
        await next.promote(fence);
        throw new Error('The connection is gone');
      },
    }));
    const follower = following({ eventStore, readStore: failing, onBuild: (progress) => told.push(progress) });
    await follower.caughtUp;
    follower.rebuild();
    await expect.poll(() => told.at(-1)?.finishedAt).toBe(firstInstant);
    expect(told.filter(({ events, finishedAt }) => events === 0 && finishedAt === null)).toHaveLength(1);
    expect(await readStore.generations()).toMatchObject({ active: { number: 1 }, next: null });
    expect(await storedOf(readStore, licenceId)).toEqual(await fromScratch(eventStore));
  });

  it('RB-5 asked for while it runs, the read models are built anew under the same version, with what comes meanwhile', async () => {
    const { eventStore, append } = await filledLog();
    const readStore = testReadStore();
    const told: BuildProgress[] = [];
    const follower = following({ eventStore, readStore, onBuild: (progress) => told.push(progress) });
    await follower.caughtUp;
    follower.rebuild();
    for (let n = 0; n < 20; n += 1) await append(['placement', `new${n}`, placementAdded(place)]);
    await expect.poll(() => told.at(-1)?.finishedAt).toBe(firstInstant);
    expect((await readStore.generations()).active.number).toBe(1);
    await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(await eventStore.head());
    expect(await storedOf(readStore, licenceId)).toEqual(await fromScratch(eventStore));
    expect(told[0]).toMatchObject({ events: 0, from: 0, position: 0, finishedAt: null });
    expect(told.at(-1)?.position).toBeGreaterThanOrEqual(placements + 4);
  });

  it('RB-6 what was begun from another log, or from one that reached further, is begun anew', async () => {
    const { eventStore } = await filledLog();
    const other = testLog({ licence: '4f00' });
    await other.append(['licence', '4f00', licenceIssued]);
    for (const begun of [other.eventStore, eventStore]) {
      const readStore = await olderStore(eventStore);
      const next = await readStore.beginNext(projectionVersion);
      await foldAll({ eventStore: begun, readStore: next });
      const position = begun === eventStore ? 1_000 : 1;
      const stray = {
        kind: 'creative',
        id: 'stray',
        licenceId,
        scopes: [],
        left: [],
        position,
        deleted: false,
        data: {},
      };
      await next.commit({ docs: [stray], checkpoint: { partition: 'all', position, fence: 1 }, repair: true });
      const event = (await begun.readLicence(begun === eventStore ? licenceId : '4f00', { limit: 1 }))[0]?.id ?? '';
      const note = { ...stray, kind: 'log', id: 'first_event', licenceId: '', position: 1, data: { event } };
      await next.commit({ docs: [note], checkpoint: { partition: 'log', position: 1, fence: 1 } });
      const follower = following({ eventStore, readStore });
      await expect.poll(() => isReplaced(readStore)).toBe(true);
      expect(await readStore.get('creative', 'stray')).toBeNull();
      expect(await storedOf(readStore, licenceId)).toEqual(await fromScratch(eventStore));
      await follower.kill();
    }
  });

  it('RB-7 by hand: broken off it is gone on with, and readers see what they saw until it has taken the place', async () => {
    const { eventStore } = await filledLog();
    const readStore = await olderStore(eventStore);
    const stop = new AbortController();
    const slow = {
      ...eventStore,
      subscribe: (options: Parameters<EventStore['subscribe']>[0]) => eventStore.subscribe({ ...options, maxBatch: 8 }),
    };
    const broken = rebuildAll({
      eventStore: slow,
      readStore,
      now: () => firstInstant,
      signal: stop.signal,
      onBatch: () => stop.abort(),
    });
    await expect(broken).rejects.toMatchObject({ name: 'ProjectorEnded' });
    expect(await readStore.get('creative', 'old')).not.toBeNull();
    const from: number[] = [];
    await rebuildAll({ eventStore, readStore, now: () => firstInstant, onBegin: (position) => from.push(position) });
    expect(from).toEqual([8]);
    expect(await readStore.get('creative', 'old')).toBeNull();
    expect(await storedOf(readStore, licenceId)).toEqual(await fromScratch(eventStore));
  });
});

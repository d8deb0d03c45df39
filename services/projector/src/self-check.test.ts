import { noticeNames, type RebuildNotice, type SelfCheckNotice } from '@zakup/contracts/notices';
import { declaredFields } from '@zakup/contracts/read-models';
import { licenceChecks } from '@zakup/projections/licence-check';
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
} from '@zakup/projections/testing/given';
import { storedOf } from '@zakup/projections/testing/stored';
import type { EventStore } from '@zakup/event-store/event-store';
import { type ReadDocument, type ReadStore, ReadStoreUnavailable } from '@zakup/read-store/read-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { alterFile } from '@zakup/read-store/sqlite/testing/alter-file';
import { reportingDamage } from '@zakup/service-kit/stores/damage-reports';
import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Following } from './projection-rebuild.ts';
import { type SupervisedProjectorOptions, supervisedProjector } from './supervised-projector.ts';
import { selfCheck } from './self-check.ts';
import { startProjector } from './testing/started.ts';

const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };
const unknown = { type: 'PlacementTeleported', data: {} } as unknown as Parameters<
  ReturnType<typeof testLog>['append']
>[0][2];

const filledLog = async (count = 20) => {
  const log = testLog();
  await log.append(['licence', licenceId, licenceIssued]);
  await log.append(['contractor', 'masha', contractorCreated('masha')]);
  await log.append(['employee', 'bob', employeeCreated('bob', { salaryType: 'percentage', salaryRate: 10 })]);
  await log.append(['campaign', 'spring', campaignCreated('Весна')]);
  for (let n = 0; n < count; n += 1)
    await log.append(['placement', `p${n}`, placementAdded(place, { price: rubles(n) })]);
  return log;
};

let folder = '';
let files = 0;
const open: { close(): Promise<void> }[] = [];
const running: { readonly stop: AbortController; readonly following: Following }[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'self-check-'));
});
afterEach(async () => {
  for (const { stop } of running) stop.abort();
  await Promise.all(running.splice(0).map(({ following }) => following.ended));
  for (const store of open.splice(0)) await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A store in a file, and a hand that changes the file behind its back. */
const storeInFile = () => {
  files += 1;
  const file = join(folder, `read-${files}.db`);
  const readStore = sqliteReadStore({ file, declared: declaredFields });
  open.push(readStore);
  return { readStore, alter: (sql: string): void => alterFile(file, sql) };
};

const followed = (
  options: Partial<SupervisedProjectorOptions> & Pick<SupervisedProjectorOptions, 'eventStore' | 'readStore'>,
) => {
  const stop = new AbortController();
  const following = supervisedProjector({
    partition: 'all',
    fence: 1,
    signal: stop.signal,
    now: () => firstInstant,
    wait: () => Promise.resolve(),
    checkAfter: 1,
    ...options,
  });
  running.push({ stop, following });
  return following;
};

const checked = async (readStore: ReadStore): Promise<SelfCheckNotice> => {
  const notice = (await readStore.notice(noticeNames.selfCheck)) as SelfCheckNotice | null;
  return notice ?? { at: 0, licences: 0, documents: 0, differences: 0, healed: 0, found: [] };
};

const damages = {
  'a changed byte': "UPDATE documents SET data = replace(data, 'masha', 'mAsha') WHERE kind = 'contractor'",
  'a document that is gone': "DELETE FROM documents WHERE kind = 'analytics'",
  'a document that looks deleted': "UPDATE documents SET deleted = 1 WHERE kind = 'placement' AND id = 'p3'",
  'places that cannot be read': "UPDATE documents SET scopes = '[', left_scopes = '' WHERE id = 'p4'",
  'private documents': "UPDATE documents SET data = '{}' WHERE kind IN ('contractor_use', 'history')",
  everything: 'UPDATE documents SET position = position + 1',
};

describe('stored documents compared with their events', () => {
  it('SCK-10 a licence that is as its events say has no differences, and everything present is looked at', async () => {
    const { eventStore } = await filledLog();
    const { readStore } = storeInFile();
    const projector = startProjector({ eventStore, readStore });
    await projector.waitFor(await eventStore.head());
    const checks = licenceChecks({ eventStore, readStore, partition: 'all' });
    const all = await storedOf(readStore, licenceId);
    for (let time = 0; time < 2; time += 1) {
      expect(await checks.check(licenceId)).toEqual({
        licenceId,
        position: 24,
        documents: all.length,
        differences: [],
      });
    }
    expect(await checks.check('4f00')).toMatchObject({ documents: 0, differences: [] });
    await projector.stop();
  });

  it.each(Object.entries(damages))('SCK-11 %s is found and put right, and readers begin anew', async (_, sql) => {
    const { eventStore } = await filledLog();
    const { readStore, alter } = storeInFile();
    const projector = startProjector({ eventStore, readStore });
    await projector.waitFor(await eventStore.head());
    const right = await storedOf(readStore, licenceId);
    alter(sql);
    const checks = licenceChecks({ eventStore, readStore, partition: 'all' });
    const { differences } = await checks.check(licenceId);
    expect(differences.length).toBeGreaterThan(0);
    expect(await checks.heal(projector, licenceId, differences)).toEqual(differences);
    expect(await storedOf(readStore, licenceId)).toEqual(right);
    expect((await checks.check(licenceId)).differences).toEqual([]);
    for (const scope of ['workspace', 'campaign:spring', 'contractor:masha', 'person:bob'])
      expect((await readStore.changesSince({ licenceId, scope, since: 24, partition: 'all' })).reset).toBe(true);
    const shown = await readStore.changesSince({ licenceId, scope: 'campaign:spring', partition: 'all' });
    expect(shown.docs.filter(({ doc }) => doc.kind === 'placement')).toHaveLength(20);
    await projector.stop();
  });

  it('SCK-12 documents that no event speaks of, and another content under a right checksum, are put right too', async () => {
    const { eventStore } = await filledLog();
    const { readStore } = storeInFile();
    const projector = startProjector({ eventStore, readStore });
    await projector.waitFor(await eventStore.head());
    const right = await storedOf(readStore, licenceId);
    const placement = (await readStore.get('placement', 'p1')) as ReadDocument;
    const docs = [
      { ...placement, id: 'nobody' },
      { ...placement, data: { ...placement.data, price: 1 } },
      { ...placement, id: 'p2', scopes: ['workspace'] },
    ];
    await readStore.commit({ docs, checkpoint: { partition: 'all', position: 24, fence: 1 }, repair: true });
    const checks = licenceChecks({ eventStore, readStore, partition: 'all', capacity: 0 });
    const { differences } = await checks.check(licenceId);
    expect(differences).toEqual([
      { kind: 'placement', id: 'nobody', what: 'surplus' },
      { kind: 'placement', id: 'p1', what: 'different' },
      { kind: 'placement', id: 'p2', what: 'different' },
    ]);
    await checks.heal(projector, licenceId, differences);
    expect(await storedOf(readStore, licenceId)).toEqual(right);
    await projector.stop();
  });

  it('SCK-13 what changes while it is looked at is no difference', async () => {
    const { eventStore, append } = await filledLog();
    const { readStore } = storeInFile();
    const projector = startProjector({ eventStore, readStore });
    await projector.waitFor(await eventStore.head());
    let looks = 0;
    const changing: ReadStore = {
      ...readStore,
      scan: async (...args) => {
        looks += 1;
        const last = `n${looks}`;
        await append(
          ['placement', last, placementAdded(place)],
          ['placement', 'p1', { type: 'PlacementPriceChanged', data: { price: rubles(looks) } }],
        );
        await append([
          'placement',
          'p2',
          { type: looks % 2 === 0 ? 'PlacementRestored' : 'PlacementRemoved', data: {} },
        ]);
        await projector.waitFor(await eventStore.head());
        return readStore.scan(...args);
      },
    };
    const checks = licenceChecks({ eventStore, readStore: changing, partition: 'all' });
    for (let time = 0; time < 6; time += 1) expect((await checks.check(licenceId)).differences).toEqual([]);
    expect(looks).toBeGreaterThan(5);
    await projector.stop();
  });

  it('SCK-14 a licence that is parked is true up to where it stands', async () => {
    const { eventStore, append } = await filledLog();
    await append(['placement', 'p1', unknown]);
    await append(['placement', 'p1', { type: 'PlacementPriceChanged', data: { price: rubles(5) } }]);
    const { readStore } = storeInFile();
    const projector = startProjector({ eventStore, readStore });
    await projector.waitFor(await eventStore.head());
    expect((await readStore.query('parked', {})).total).toBe(1);
    const checks = licenceChecks({ eventStore, readStore, partition: 'all' });
    expect((await checks.check(licenceId)).differences).toEqual([]);
    await projector.stop();
  });

  it('SCK-15 however often it looks, it listens for the end no more than it did at first', async () => {
    const { eventStore } = await filledLog(1);
    const { readStore } = storeInFile();
    const stop = new AbortController();
    let looked = (): void => undefined;
    const check = selfCheck({
      eventStore,
      readStore,
      partition: 'all',
      signal: stop.signal,
      now: () => firstInstant,
      after: 0,
      models: () => null,
      before: null,
      comparedTo: 0,
      onState: () => looked(),
      onCompared: () => undefined,
    });
    for (let time = 0; time < 10; time += 1) {
      const done = new Promise<void>((resolve) => {
        looked = resolve;
      });
      check.changed([`4f0${time}`], time);
      await done;
    }
    // One for its waits for a change, one for the rest after a look.
    expect(getEventListeners(stop.signal, 'abort').length).toBeLessThanOrEqual(2);
    stop.abort();
    await check.ended;
  });
});

describe('a projector that is looked after', () => {
  it('SCK-20 after a change it finds damage, puts it right without a restart, and says so', async () => {
    const { eventStore, append } = await filledLog();
    const { readStore, alter } = storeInFile();
    const seen: unknown[] = [];
    const { caughtUp } = followed({ eventStore, readStore, onChecked: (one) => seen.push(one) });
    await caughtUp;
    await expect.poll(async () => (await checked(readStore)).licences).toBeGreaterThan(0);
    alter("UPDATE documents SET data = replace(data, 'Весна', 'Осень') WHERE kind = 'campaign'");
    await append(['placement', 'p1', { type: 'PlacementPriceChanged', data: { price: rubles(77) } }]);
    await expect.poll(async () => (await checked(readStore)).healed).toBe(1);
    expect(await checked(readStore)).toMatchObject({
      at: firstInstant,
      differences: 1,
      found: [
        { at: firstInstant, licenceId, healed: 1, documents: [{ kind: 'campaign', id: 'spring', what: 'damaged' }] },
      ],
    });
    expect(seen).toContainEqual({ differences: 1, healed: 1 });
    expect((await readStore.get('campaign', 'spring'))?.data?.['name']).toBe('Весна');
    await append(['placement', 'p1', { type: 'PlacementPriceChanged', data: { price: rubles(78) } }]);
    await expect.poll(async () => (await readStore.get('placement', 'p1'))?.data?.['price']).toBe(rubles(78));
  });

  it('SCK-24 what another version folded is not put right while it is read, unless it is damaged', async () => {
    const { eventStore, append } = await filledLog();
    const { readStore, alter } = storeInFile();
    const projector = startProjector({ eventStore, readStore });
    await projector.waitFor(await eventStore.head());
    await projector.stop();
    await readStore.noteVersion('before');
    const campaign = (await readStore.get('campaign', 'spring')) as ReadDocument;
    const docs = [{ ...campaign, data: { ...campaign.data, ofTheVersionBefore: true } }];
    await readStore.commit({ docs, checkpoint: { partition: 'all', position: 24, fence: 1 }, repair: true });
    const unfinished: ReadStore = { ...readStore, beginNext: () => Promise.reject(new Error('There is no room yet')) };
    await followed({ eventStore, readStore: unfinished }).caughtUp;
    await append(['placement', 'p1', { type: 'PlacementPriceChanged', data: { price: rubles(77) } }]);
    await expect.poll(async () => (await checked(readStore)).licences).toBeGreaterThan(0);
    expect(await checked(readStore)).toMatchObject({ differences: 0, healed: 0 });
    expect((await readStore.get('campaign', 'spring'))?.data?.['ofTheVersionBefore']).toBe(true);
    alter("UPDATE documents SET data = replace(data, 'masha', 'mAsha') WHERE kind = 'placement' AND id = 'p3'");
    await append(['placement', 'p2', { type: 'PlacementPriceChanged', data: { price: rubles(78) } }]);
    await expect.poll(async () => (await checked(readStore)).healed).toBe(1);
    expect((await readStore.get('campaign', 'spring'))?.data?.['ofTheVersionBefore']).toBe(true);
  });

  it('SCK-21 a damaged document that the next event needs is put right, and the log is followed on', async () => {
    const { eventStore, append } = await filledLog();
    const { readStore, alter } = storeInFile();
    const first = followed({ eventStore, readStore, checkAfter: 60_000 });
    await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(24);
    running.at(-1)?.stop.abort();
    await first.ended;
    alter("UPDATE documents SET data = '{}' WHERE kind IN ('analytics', 'placement')");
    await followed({ eventStore, readStore, checkAfter: 60_000 }).caughtUp;
    await append(['placement', 'p1', { type: 'PlacementPriceChanged', data: { price: rubles(5) } }]);
    await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(25);
    expect((await readStore.get('placement', 'p1'))?.data?.['price']).toBe(rubles(5));
    await expect.poll(async () => (await checked(readStore)).healed).toBe(21);
  });

  it('SCK-1040 what readers find damaged in a licence that nobody changes is put right at once, once for all of them', async () => {
    const { eventStore } = await filledLog();
    const { readStore, alter } = storeInFile();
    await followed({ eventStore, readStore, checkAfter: 600_000 }).caughtUp;
    await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(24);
    const before = await readStore.get('contractor', 'masha');
    let notes = 0;
    const reading = reportingDamage({
      readStore: { ...readStore, note: (...noted) => ((notes += 1), readStore.note(...noted)) },
      log: { error: () => undefined, warn: () => undefined },
    });
    alter(damages['a changed byte']);
    const reads = await Promise.allSettled(Array.from({ length: 20 }, () => reading.get('contractor', 'masha')));
    expect(reads.map((read) => read.status === 'rejected' && read.reason instanceof ReadStoreUnavailable)).toEqual(
      Array(20).fill(true),
    );
    expect(notes).toBe(1);
    await expect.poll(() => readStore.get('contractor', 'masha').catch(() => null)).toEqual(before);
    await expect.poll(() => checked(readStore)).toMatchObject({ differences: 1, healed: 1 });
    expect(await reading.get('contractor', 'masha')).toEqual(before);
  });

  it('SCK-23 what was folded by a process that ended before it was compared is compared by the next one, once', async () => {
    const { eventStore } = await filledLog();
    // What was appended is published in the next turn.
    await turn();
    const { readStore, alter } = storeInFile();
    const afters: number[] = [];
    const told: EventStore = {
      ...eventStore,
      subscribe(options) {
        afters.push(options.after);
        return eventStore.subscribe(options);
      },
    };
    const comparedTo = async () => (await readStore.notice(noticeNames.compared))?.['position'];
    const process = (checkAfter: number) => {
      const following = followed({ eventStore: told, readStore, checkAfter });
      const stop = running.at(-1)?.stop;
      return { ...following, stop: () => (stop?.abort(), following.ended) };
    };

    const first = process(600_000);
    await first.caughtUp;
    await first.stop();
    expect(await checked(readStore)).toMatchObject({ licences: 0 });
    expect(await comparedTo()).toBe(0);

    alter("UPDATE documents SET data = replace(data, 'Весна', 'Осень') WHERE kind = 'campaign'");
    const second = process(1);
    await expect.poll(async () => (await checked(readStore)).healed).toBe(1);
    await expect.poll(comparedTo).toBe(24);
    await second.stop();
    expect(afters.splice(0)).toEqual([0, 24, 0]);

    const third = process(1);
    await third.caughtUp;
    await third.stop();
    expect(afters).toEqual([24]);
    expect(await checked(readStore)).toMatchObject({ licences: 1 });
  });

  it('SCK-22 what changed before it had caught up is compared once it has, and not before', async () => {
    const { eventStore } = await filledLog();
    // What was appended is published in the next turn.
    await turn();
    const { readStore } = storeInFile();
    let catchUp = (): void => undefined;
    const lateEnd = new Promise<void>((resolve) => {
      catchUp = resolve;
    });
    const late: EventStore = {
      ...eventStore,
      async *subscribe(options) {
        for await (const message of eventStore.subscribe(options)) {
          if (message.kind === 'caught_up') await lateEnd;
          yield message;
        }
      },
    };
    onTestFinished(catchUp);
    let looks = 0;
    let caughtUp = Promise.resolve();
    await new Promise<void>((resolve) => {
      ({ caughtUp } = followed({
        eventStore: late,
        readStore,
        onChecked: () => void (looks += 1),
        onBatch: ({ position }) => position === 24 && resolve(),
      }));
    });
    // A look that was due a millisecond after the change would be over before as much again was looked at several times.
    const checks = licenceChecks({ eventStore, readStore, partition: 'all', capacity: 0 });
    for (let time = 0; time < 5; time += 1) await checks.check(licenceId);
    expect(looks).toBe(0);
    catchUp();
    await caughtUp;
    await expect.poll(() => looks).toBeGreaterThan(0);
  });

  it('RB-8 a request that is noted is answered once, with its progress', async () => {
    const { eventStore } = await filledLog();
    const { readStore } = storeInFile();
    const first = followed({ eventStore, readStore });
    await first.caughtUp;
    await readStore.note(noticeNames.rebuildRequest, { id: 'r1', at: firstInstant });
    const done = async () => (await readStore.notice(noticeNames.rebuild)) as RebuildNotice | null;
    await expect.poll(done).toMatchObject({
      request: 'r1',
      finishedAt: firstInstant,
      events: 24,
      from: 0,
      position: 24,
      head: 24,
    });
    expect((await readStore.generations()).active.number).toBe(1);
    running.at(-1)?.stop.abort();
    await first.ended;
    const second = followed({ eventStore, readStore });
    await second.caughtUp;
    await expect.poll(async () => (await checked(readStore)).licences).toBeGreaterThan(0);
    expect((await readStore.generations()).active.number).toBe(1);
  });
});

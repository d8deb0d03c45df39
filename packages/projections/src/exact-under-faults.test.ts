import type { RecordedEvent } from '@zakup/event-store/event-store';
import type { Commit, Query, ReadDocument, ReadStore } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { licenceChecks } from './licence-check.ts';
import { ProjectionRunner } from './projection-runner.ts';
import { foldAll, licenceId, testLog, testReadStore } from './testing/given.ts';
import { differences } from './testing/naive/documents.ts';
import { storedOf } from './testing/stored.ts';
import { attempt, everything, ids, streams } from './testing/random-commands.ts';

/** Byte for byte, but for scopes that were left in between, which depend on where commits ended. */
const content = async (readStore: ReadStore): Promise<readonly ReadDocument[]> =>
  (await storedOf(readStore, licenceId)).map((doc) => ({ ...doc, left: [] }));

/** The store of a process that is killed at its n-th call, before it is carried out or before it is answered. */
const mortal = (readStore: ReadStore, at: number, after: boolean) => {
  let calls = 0;
  const died = (): never => {
    throw new Error('The process is gone');
  };
  const killing =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      calls += 1;
      if (calls > at || (calls === at && !after)) died();
      const result = await call(...args);
      return calls === at ? died() : result;
    };
  const store: ReadStore = {
    ...readStore,
    get: killing((kind: string, id: string) => readStore.get(kind, id)),
    getMany: killing((kind: string, wanted: readonly string[]) => readStore.getMany(kind, wanted)),
    query: killing((kind: string, query: Query) => readStore.query(kind, query)),
    commit: killing((commit: Commit) => readStore.commit(commit)),
    checkpoint: killing((partition: string) => readStore.checkpoint(partition)),
  };
  return { store, calls: () => calls };
};

/** Batches as a broken transport might bring them: each up to three times, from earlier on than it should. */
const delivered = (
  events: readonly RecordedEvent[],
  after: number,
  size: number,
): readonly (readonly RecordedEvent[])[] => {
  const batches: (readonly RecordedEvent[])[] = [];
  const from = Math.max(
    0,
    events.findIndex(({ position }) => position > after),
  );
  for (let start = Math.max(0, from - size); start < events.length; start += size) {
    const batch = events.slice(start, start + size);
    for (let time = 0; time <= start % 3; time += 1) batches.push(batch);
    if (start % 2 === 0) batches.push(events.slice(Math.max(0, start - size), start + size));
  }
  return batches;
};

const process = async (readStore: ReadStore, events: readonly RecordedEvent[], size: number, maxDocs: number) => {
  const models = new ProjectionRunner({
    eventStore: { readLicence: async () => [] },
    readStore,
    partition: 'all',
    fence: 1,
    maxDocs,
    onParked: () => undefined,
  });
  const after = await models.open();
  for (const batch of delivered(events, after, size)) await models.fold(batch);
};

describe('read models', () => {
  it('PJ-60 are what plain recomputation says and what a fold from scratch makes, byte for byte, after any commands in any batches', async () => {
    const chunks = fc.array(
      fc.record({ attempts: fc.array(attempt, { maxLength: 12 }), maxBatch: fc.integer({ min: 1, max: 9 }) }),
      { maxLength: 6 },
    );
    const taken = { single: 0, told: 0, import: 0, merge: 0, separate: 0, undo: 0 };
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 60 }), async (all, maxDocs) => {
        const { eventStore, append, appendBy } = testLog();
        const readStore = testReadStore();
        const known = streams();
        for (const fact of everything) {
          known.begin(fact);
          await append(fact);
        }
        const checks = licenceChecks({ eventStore, readStore, partition: 'all' });
        for (const { attempts: tries, maxBatch } of all) {
          for (const one of tries) {
            const facts = known.take(one);
            if (facts === null) continue;
            taken[one.kind] += 1;
            await appendBy(one.by, ...facts);
          }
          await foldAll({ eventStore, readStore, maxBatch, maxDocs });
          expect((await checks.check(licenceId)).differences).toEqual([]);
          expect(differences(await storedOf(readStore, licenceId), await eventStore.readLicence(licenceId))).toEqual(
            [],
          );
        }
        await foldAll({ eventStore, readStore });
        const scratch = testReadStore();
        await foldAll({ eventStore, readStore: scratch, maxBatch: 1 });
        expect(await content(readStore)).toEqual(await content(scratch));
        expect((await readStore.query('parked', {})).docs).toEqual([]);
      }),
      { numRuns: 150 },
    );
    expect(taken.single).toBeGreaterThan(200);
    for (const kind of ['merge', 'separate', 'undo'] as const) expect([kind, taken[kind] > 0]).toEqual([kind, true]);
  });

  it('PJ-65 what a deleted campaign would pay is by the terms of when it was deleted, wherever batches end', async () => {
    const { eventStore, append } = testLog();
    for (const fact of everything) await append(fact);
    await append(['campaign', 'c', { type: 'CampaignDeleted', data: {} }]);
    await append(['employee', 'b', { type: 'EmployeeTermsChanged', data: { salaryRate: 20 } }]);
    const [one, together] = [testReadStore(), testReadStore()];
    await foldAll({ eventStore, readStore: one, maxBatch: 1 });
    await foldAll({ eventStore, readStore: together });
    expect(await content(together)).toEqual(await content(one));
  });

  it('PJ-61 are the same when the projector is killed at any call, with events up to three times and from earlier on', async () => {
    const cases = fc.record({
      tries: fc.array(attempt, { minLength: 30, maxLength: 40 }),
      size: fc.integer({ min: 2, max: 9 }),
      maxDocs: fc.integer({ min: 1, max: 40 }),
    });
    let kills = 0;
    await fc.assert(
      fc.asyncProperty(cases, async ({ tries, size, maxDocs }) => {
        const { eventStore, append, appendBy } = testLog();
        const known = streams();
        for (const fact of everything) {
          known.begin(fact);
          await append(fact);
        }
        for (const one of tries) {
          const facts = known.take(one);
          if (facts !== null) await appendBy(one.by, ...facts);
        }
        const events = await eventStore.readLicence(licenceId);
        const scratch = testReadStore();
        await foldAll({ eventStore, readStore: scratch, maxBatch: 1 });
        const expected = await content(scratch);
        // What is the same as this, byte for byte, is what plain recomputation says.
        expect(differences(expected, events)).toEqual([]);
        for (const after of [false, true]) {
          for (let at = 1; ; at += 1) {
            const readStore = testReadStore();
            const { store, calls } = mortal(readStore, at, after);
            const killed = await process(store, events, size, maxDocs).then(
              () => false,
              () => true,
            );
            // Another process goes on from what is stored.
            await process(readStore, events, size, maxDocs);
            expect(await content(readStore)).toEqual(expected);
            if (killed) kills += 1;
            if (!killed && calls() < at) break;
          }
        }
      }),
      { numRuns: inject('isDeep') ? 3 : 1 },
    );
    expect(kills).toBeGreaterThan(20);
  }, 120_000);

  it('PJ-62 put back from an older copy, they are folded on to the same state, and who has read further begins anew', async () => {
    const { eventStore, append } = testLog();
    const [yesterday, today] = [testReadStore(), testReadStore()];
    for (const fact of everything) await append(fact);
    await foldAll({ eventStore, readStore: yesterday });
    await foldAll({ eventStore, readStore: today });
    for (const id of ids) await append(['placement', id, { type: 'PlacementMarkedPaid', data: {} }]);
    await foldAll({ eventStore, readStore: today });
    const { position = 0 } = (await today.checkpoint('all')) ?? {};
    const readOn = () => yesterday.changesSince({ licenceId, scope: 'workspace', since: position, partition: 'all' });
    expect((await readOn()).reset).toBe(true);
    await foldAll({ eventStore, readStore: yesterday });
    expect(await readOn()).toEqual({ docs: [], position, reset: false });
    expect(await content(yesterday)).toEqual(await content(today));
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declaredFields } from '@zakup/contracts/read-models';
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
import type { NextGeneration, ReadStore } from '@zakup/read-store/read-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { documentTables } from '@zakup/read-store/sqlite/testing/document-tables';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rebuildAll } from './rebuild.ts';
import { foldAll } from './testing/started.ts';

const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rebuild-kills-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const filledLog = async () => {
  const log = testLog();
  await log.append(['licence', licenceId, licenceIssued]);
  await log.append(['contractor', 'masha', contractorCreated('masha')]);
  await log.append(['employee', 'bob', employeeCreated('bob')]);
  await log.append(['campaign', 'spring', campaignCreated('Весна')]);
  for (let n = 0; n < 30; n += 1) await log.append(['placement', `p${n}`, placementAdded(place, { price: rubles(n) })]);
  return log;
};

class Killed extends Error {
  override readonly name = 'Killed';
}

/** Every write of a rebuild is a step; the one of this number is the last that is done, and whoever asked for it never hears of it. */
const killedAfter = (readStore: ReadStore, most: number, kill: () => void) => {
  let steps = 0;
  const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (steps >= most) throw new Killed();
    steps += 1;
    const result = await work();
    if (steps < most) return result;
    kill();
    throw new Killed();
  };
  const counted = <Store extends ReadStore>(store: Store): Store => ({
    ...store,
    commit: (commit) => step(() => store.commit(commit)),
    note: (name, data) => step(() => store.note(name, data)),
    noteVersion: (version) => step(() => store.noteVersion(version)),
    purge: (options) => step(() => store.purge(options)),
  });
  const withNext = (next: NextGeneration): NextGeneration => ({
    ...counted(next),
    promote: (fence) => step(() => next.promote(fence)),
  });
  const store: ReadStore = {
    ...counted(readStore),
    beginNext: (version, options) => step(async () => withNext(await readStore.beginNext(version, options))),
  };
  return { store, isDone: () => steps < most };
};

describe('a rebuild in a process of its own', () => {
  it('RBD-2656 killed after any of its writes it leaves a file that opens and shows everything, and the next one goes on', async () => {
    const { eventStore } = await filledLog();
    const now = () => firstInstant;
    const file = join(folder, 'read.db');
    const first = sqliteReadStore({ file, declared: declaredFields });
    await foldAll({ eventStore, readStore: first });
    const shown = await storedOf(first, licenceId);
    await first.close();
    let kills = 0;
    for (let isDone = false; !isDone; kills += 1) {
      const readStore = sqliteReadStore({ file, declared: declaredFields });
      const stop = new AbortController();
      const killed = killedAfter(readStore, kills + 1, () => stop.abort());
      const end = rebuildAll({ eventStore, readStore: killed.store, now, signal: stop.signal });
      const reached = await end.catch((error: unknown) => (error as Error).name);
      isDone = killed.isDone();
      expect(isDone ? reached : ['Killed', 'ProjectorEnded'].includes(String(reached))).toBe(
        isDone ? await eventStore.head() : true,
      );
      await readStore.close();
      const reopened = sqliteReadStore({ file, declared: declaredFields });
      expect(await storedOf(reopened, licenceId)).toEqual(shown);
      await rebuildAll({ eventStore, readStore: reopened, now });
      expect(await storedOf(reopened, licenceId)).toEqual(shown);
      expect(documentTables(file)).toHaveLength(1);
      await reopened.close();
    }
    expect(kills).toBeGreaterThan(6);
  });

  it('RBD-2657 commits as much at once as the store takes, and 4,000 documents where it does not say', async () => {
    const { eventStore } = await filledLog();
    const asked: (number | undefined)[] = [];
    const watched: EventStore = {
      ...eventStore,
      subscribe(options) {
        if (options.maxBatch !== 1) asked.push(options.maxBatch);
        return eventStore.subscribe(options);
      },
    };
    const readStore = sqliteReadStore({ file: join(folder, 'sizes.db'), declared: declaredFields });
    await rebuildAll({ eventStore: watched, readStore, now: () => firstInstant });
    await rebuildAll({ eventStore: watched, readStore: testReadStore(), now: () => firstInstant });
    expect(asked).toEqual([8_000, 2_000]);
    await readStore.close();
  });
});

import type { ReadDocument } from '@zakup/read-store/read-store';
import { describe, expect, it } from 'vitest';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  foldAll,
  licenceId,
  licenceIssued,
  placementAdded,
  testLog,
  testReadStore,
} from './testing/given.ts';
import { workingSet } from './working-set.ts';

const key = { kind: 'inbox', id: 'bob', licenceId } as const;
const inbox = { told: 1, last: null };

/** A store that tells what it was asked for. */
const watched = () => {
  const readStore = testReadStore();
  const asked: string[] = [];
  const get = (kind: string, id: string): Promise<ReadDocument | null> => {
    asked.push(`${kind}/${id}`);
    return readStore.get(kind, id);
  };
  return { asked, readStore: { ...readStore, get } };
};

describe('the documents of a fold', () => {
  it('WSET-1 one that begins is not looked for in the store, and one that was there before is kept', async () => {
    const { asked, readStore } = watched();
    const set = workingSet(readStore);
    set.begin(key);
    expect(await set.get(key)).toBeNull();
    await set.put({ ...key, position: 3, scopes: [], data: inbox });
    set.begin(key);
    expect(await set.get(key)).toEqual(inbox);
    set.committed();
    set.begin(key);
    expect(await set.get(key)).toEqual(inbox);
    expect(asked).toEqual([]);
  });

  it('WSET-2 what is not there is looked for once, and again after everything is forgotten', async () => {
    const { asked, readStore } = watched();
    const set = workingSet(readStore);
    expect(await set.get(key)).toBeNull();
    await set.remove(key, 4);
    expect(asked).toEqual(['inbox/bob']);
    set.drop();
    expect(await set.get(key)).toBeNull();
    expect(asked).toEqual(['inbox/bob', 'inbox/bob']);
  });

  it('WSET-3 the row of a stream that begins is not looked for', async () => {
    const { eventStore, append } = testLog();
    await append(['licence', licenceId, licenceIssued]);
    await append(['contractor', 'masha', contractorCreated('masha')]);
    await append(['employee', 'bob', employeeCreated('bob')]);
    await append(['campaign', 'spring', campaignCreated('Весна')]);
    await append(['placement', 'p1', placementAdded({ campaign: 'spring', contractor: 'masha', buyer: 'bob' })]);
    const { asked, readStore } = watched();
    await foldAll({ eventStore, readStore });
    const rows = ['placement/p1', 'contractor/masha', 'user/bob', 'campaign/spring', `license/${licenceId}`];
    const looked = rows.flatMap((row) => [row, `removed_${row}`]).filter((row) => asked.includes(row));
    expect(looked).toEqual([]);
    expect((await readStore.get('placement', 'p1'))?.data).toMatchObject({ id: 'p1' });
  });
});

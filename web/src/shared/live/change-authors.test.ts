import type { Change, PatchedChange } from '@zakup/contracts/socket';
import { describe, expect, it } from 'vitest';
import { memoryReplica } from '../replica/replica.ts';
import { authorKept, changeAuthors } from './change-authors.ts';

const ilya = { userId: 'ilya', name: 'Илья Кравцов' };
const anna = { userId: 'anna', name: 'Анна Соколова' };

const setUp = () => {
  const clock = { now: 1000 };
  const replica = memoryReplica();
  const authors = changeAuthors({ replica, now: () => clock.now });
  const bring = (change: Omit<Change, 'kind'> | Omit<PatchedChange, 'kind'>, scope = 'campaign:c'): void => {
    const docs = [{ kind: 'placement', ...change } as Change];
    authors.hear(docs);
    expect(replica.apply({ scope, position: change.position, docs, last: true })).toBe(true);
  };
  bring({ id: 'p', position: 1, doc: { id: 'p', price: 1, leads: 1 } });
  return { clock, authors, bring };
};

describe('whose hands changed rows', () => {
  it('BY-12 a document and a patch name who changed which member, for a moment', () => {
    const { clock, authors, bring } = setUp();
    bring({ id: 'p', position: 2, doc: { id: 'p', price: 2, leads: 1 }, by: ilya });
    clock.now += 500;
    expect(authors.of('p', 'price')).toEqual({ ...ilya, age: 500 });
    expect([authors.of('p', 'leads'), authors.of('other', 'price')]).toEqual([null, null]);
    bring({ id: 'p', position: 3, base: 2, patch: { leads: [7] }, by: anna });
    expect(authors.of('p', 'leads')).toEqual({ ...anna, age: 0 });
    clock.now += authorKept + 1;
    expect(authors.of('p', 'leads')).toBeNull();
  });

  it('BY-13 the same change in a second scope takes nothing away, and one that nobody is named for leaves no earlier name', () => {
    const { authors, bring } = setUp();
    const changed = { id: 'p', position: 2, doc: { id: 'p', price: 2, leads: 1 }, by: ilya };
    bring(changed);
    bring(changed, 'contractor:k');
    expect(authors.of('p', 'price')).toEqual({ ...ilya, age: 0 });
    bring({ id: 'p', position: 3, doc: { id: 'p', price: 3, leads: 1 } });
    expect(authors.of('p', 'price')).toBeNull();
  });

  it('BY-14 a row that is new here, or gone, is nobody’s change', () => {
    const { authors, bring } = setUp();
    bring({ id: 'q', position: 2, doc: { id: 'q', price: 2 }, by: ilya });
    expect(authors.of('q', 'price')).toBeNull();
    bring({ id: 'p', position: 3, doc: { id: 'p', price: 3, leads: 1 }, by: ilya });
    bring({ id: 'p', position: 4, doc: null });
    expect(authors.of('p', 'price')).toBeNull();
  });

  it('GRD-3008 two changes of one hand that are drawn at once are both told, whichever member each was of', () => {
    const { clock, authors, bring } = setUp();
    bring({ id: 'p', position: 2, doc: { id: 'p', price: 2, leads: 1 }, by: ilya });
    clock.now += 5;
    bring({ id: 'p', position: 3, base: 2, patch: { leads: [7] }, by: ilya });
    expect([authors.of('p', 'price'), authors.of('p', 'leads')]).toEqual([
      { ...ilya, age: 0 },
      { ...ilya, age: 0 },
    ]);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesOf, fieldValue, mergeChange, mergeRemoval, mergeUndo } from './merge.ts';

const at = '2030-01-02T03:04:05.000Z';
const touch = (...touched: readonly string[]) => ({ touched, actorId: 'boris', at });
const person = (userId: string, budget: number) => ({ userId, budget, salaryType: null });

describe('merge', () => {
  it('MG-1 lets a field that nobody touched through', () => {
    const merged = mergeChange({
      base: { price: 1, leads: 2 },
      current: { price: 5, leads: 2 },
      eventsSince: [touch('price')],
      wanted: { leads: 3 },
    });
    expect(merged).toEqual({ kind: 'merged', apply: { leads: 3 } });
  });

  it('MG-2 refuses a field that somebody touched, even if it is back, with the latest hand', () => {
    const later = { touched: ['price'], actorId: 'vera', at: '2030-01-02T03:05:00.000Z' };
    const merged = mergeChange({
      base: { price: 1 },
      current: { price: 1 },
      eventsSince: [touch('price'), later],
      wanted: { price: 2 },
    });
    expect(merged).toEqual({
      kind: 'conflict',
      conflicts: [{ field: 'price', base: 1, theirs: 1, mine: 2, actorId: 'vera', at: later.at }],
    });
  });

  it('MG-3 finds no conflict where mine is theirs', () => {
    const merged = mergeChange({
      base: { price: 1 },
      current: { price: 2 },
      eventsSince: [touch('price')],
      wanted: { price: 2 },
    });
    expect(merged).toEqual({ kind: 'merged', apply: {} });
  });

  it('MG-4 takes a member equal to its value at the base for not sent', () => {
    const merged = mergeChange({
      base: { price: 1, format: '1/24' },
      current: { price: 2, format: '1/24' },
      eventsSince: [touch('price')],
      wanted: { price: 1, format: '1/48', date: undefined },
    });
    expect(merged).toEqual({ kind: 'merged', apply: { format: '1/48' } });
  });

  it('MG-5 applies everything that differs when there is no base', () => {
    const merged = mergeChange({
      base: null,
      current: { price: 2, format: '1/24' },
      eventsSince: [touch('price')],
      wanted: { price: 1, format: '1/24' },
    });
    expect(merged).toEqual({ kind: 'merged', apply: { price: 1 } });
  });

  it('MG-6 merges participants by person: theirs stay, mine come, those I took out go', () => {
    const merged = mergeChange({
      base: { participants: [person('a', 1), person('b', 2)] },
      current: { participants: [person('a', 1), person('b', 2), person('c', 3)] },
      eventsSince: [touch('participants/c')],
      wanted: { participants: [person('a', 10), person('d', 4)] },
    });
    expect(merged).toEqual({
      kind: 'merged',
      apply: { 'participants/a': person('a', 10), 'participants/b': null, 'participants/d': person('d', 4) },
    });
  });

  it('MG-7 names the participant both changed', () => {
    const merged = mergeChange({
      base: { participants: [person('a', 1)] },
      current: { participants: [] },
      eventsSince: [touch('participants/a')],
      wanted: { participants: [person('a', 2)] },
    });
    expect(merged).toEqual({
      kind: 'conflict',
      conflicts: [
        { field: 'participants/a', base: person('a', 1), theirs: null, mine: person('a', 2), actorId: 'boris', at },
      ],
    });
  });

  it('MG-8 replaces a list sent without a base', () => {
    const merged = mergeChange({
      base: null,
      current: { participants: [person('a', 1), person('b', 2)] },
      eventsSince: [],
      wanted: { participants: [person('b', 2)] },
    });
    expect(merged).toEqual({ kind: 'merged', apply: { 'participants/a': null } });
  });

  it('MG-9 merges permissions by key; null and the empty object clear', () => {
    const base = { permissions: { reports: true, settings: false } };
    const byKey = mergeChange({
      base,
      current: { permissions: { reports: true, settings: true } },
      eventsSince: [touch('permissions/settings')],
      wanted: { permissions: { reports: false, settings: false } },
    });
    expect(byKey).toEqual({ kind: 'merged', apply: { 'permissions/reports': false } });
    for (const permissions of [null, {}]) {
      const cleared = mergeChange({ base, current: base, eventsSince: [], wanted: { permissions } });
      expect(cleared).toEqual({ kind: 'merged', apply: { 'permissions/reports': null, 'permissions/settings': null } });
    }
  });

  it('MG-10 takes a touched whole for touched in every part', () => {
    const merged = mergeChange({
      base: { permissions: null },
      current: { permissions: { reports: true } },
      eventsSince: [touch('permissions')],
      wanted: { permissions: { reports: false } },
    });
    expect(merged.kind).toBe('conflict');
  });

  it('MG-11 refuses a removal when any field was touched since', () => {
    expect(mergeRemoval({ base: { price: 1 }, current: { price: 1 }, eventsSince: [] }).kind).toBe('merged');
    expect(mergeRemoval({ base: { price: 1 }, current: { price: 2 }, eventsSince: [touch('price')] })).toEqual({
      kind: 'conflict',
      conflicts: [{ field: 'price', base: 1, theirs: 2, mine: null, actorId: 'boris', at }],
    });
  });

  it('MG-12 reads single names back', () => {
    expect(entriesOf({ name: 'x', 'permissions/reports': true }, 'permissions')).toEqual({ reports: true });
    expect(fieldValue({ participants: [person('a', 1)] }, 'participants/a')).toEqual(person('a', 1));
    expect(fieldValue({ participants: [] }, 'participants/a')).toBeNull();
  });

  it('MG-14 takes a text for one field, also where lists of that name are merged by key', () => {
    const change = { base: { notes: 'a' }, current: { notes: 'b' }, wanted: { notes: 'c' } };
    expect(mergeChange({ ...change, base: null, eventsSince: [] })).toEqual({ kind: 'merged', apply: { notes: 'c' } });
    expect(mergeChange({ ...change, eventsSince: [touch('notes')] })).toMatchObject({
      conflicts: [{ field: 'notes', base: 'a', theirs: 'b', mine: 'c' }],
    });
  });

  it('MG-15 undoes what a command touched, conflicts where it was touched since, and lets be what is as before', () => {
    const before = { price: 1, leads: 0, notes: { n: 'x' } };
    const after = { price: 2, leads: 5, notes: {} };
    const undo = (current: object, ...touched: readonly string[]) =>
      mergeUndo({
        before,
        after,
        current: { ...after, ...current },
        touched: ['price', 'leads', 'notes/n'],
        eventsSince: [touch(...touched)],
      });
    expect(undo({}, 'format')).toEqual({ kind: 'merged', apply: { price: 1, leads: 0, 'notes/n': 'x' } });
    expect(undo({ price: 3 }, 'price')).toEqual({
      kind: 'conflict',
      conflicts: [{ field: 'price', base: 2, theirs: 3, mine: 1, actorId: 'boris', at }],
    });
    expect(undo({ price: 1 }, 'price')).toEqual({ kind: 'merged', apply: { leads: 0, 'notes/n': 'x' } });
  });

  it('MG-13 never loses another person’s untouched work: what is applied was not touched since', () => {
    const names = ['a', 'b', 'c'] as const;
    const values = fc.record({ a: fc.nat(2), b: fc.nat(2), c: fc.nat(2) });
    const since = fc.array(fc.subarray([...names]).map((touched) => touch(...touched)));
    fc.assert(
      fc.property(values, values, values, since, (base, changed, wanted, eventsSince) => {
        const touched = new Set<string>(eventsSince.flatMap((event) => event.touched));
        const current = Object.fromEntries(names.map((name) => [name, touched.has(name) ? changed[name] : base[name]]));
        const merged = mergeChange({ base, current, eventsSince, wanted });
        const mustConflict = names.filter(
          (name) => touched.has(name) && wanted[name] !== base[name] && wanted[name] !== current[name],
        );
        const refused = merged.kind === 'conflict' ? merged.conflicts.map(({ field }) => field) : [];
        const applied = merged.kind === 'merged' ? Object.keys(merged.apply) : [];
        expect(refused).toEqual(mustConflict);
        expect(applied.filter((name) => touched.has(name))).toEqual([]);
      }),
    );
  });
});

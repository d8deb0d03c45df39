import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterKeeper } from '../../../shared/table/incremental-list.ts';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import { quietRow } from '../rows/predicted-row.ts';
import type { Names, PlacementRow } from '../rows/placement-row.ts';
import { fitsFilters, isInSight, narrowsSight, type PlacementFilters, withoutFilters } from './placement-filters.ts';

const nicks = ['@Ёж', '@еж_и_уж', '@ужин', '@Жук', '@ёжики'];
const named = (nick: string, at: number) => [`k${at}`, { id: `k${at}`, adminUsername: nick, channelName: '' } as never];
const names: Names = {
  contractors: new Map(nicks.map((nick, at) => named(nick, at) as [string, never])),
  users: new Map(),
  creatives: new Map(),
};
const others: Names = { ...names };
const rowOf = (id: number, at: number, of = names): PlacementRow =>
  quietRow(
    placementDocument({
      id: `p${id}`,
      contractorId: `k${at % nicks.length}`,
      category: 'Юмор',
      paymentStatus: at % 2 === 0 ? 'paid' : 'unpaid',
      comment: at % 7 === 0 ? 'Ужины' : '',
    }),
    of,
  );
const sight = (search: string, more: Partial<PlacementFilters> = {}, of = names) =>
  isInSight(fitsFilters({ ...withoutFilters, search, ...more }, null, of));

const typing = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('letter' as const),
      letter: fc.constantFrom('ё', 'е', 'Ж', 'у', 'и', '_', '@', ' '),
    }),
    fc.record({ kind: fc.constant('back' as const), letter: fc.constant('') }),
    fc.record({ kind: fc.constantFrom('change' as const, 'pay' as const), letter: fc.constant('') }),
  ),
  { maxLength: 14 },
);

describe('a search that goes on from what its last letter left', () => {
  it('KR-18 whatever is typed and taken back while rows change, the rows are those of asking all of them', () => {
    fc.assert(
      fc.property(typing, fc.array(fc.nat(59), { minLength: 14, maxLength: 14 }), (acts, places) => {
        const keep = filterKeeper<PlacementRow>(narrowsSight);
        const paid = { paymentStatus: ['paid'] };
        let rows = Array.from({ length: 60 }, (_, id) => rowOf(id, id));
        let [search, more]: [string, Partial<PlacementFilters>] = ['', {}];
        for (const [index, { kind, letter }] of acts.entries()) {
          if (kind === 'letter') search += letter;
          else if (kind === 'back') search = search.slice(0, -1);
          else if (kind === 'pay') more = more === paid ? {} : paid;
          else rows = rows.with(places[index] ?? 0, rowOf(places[index] ?? 0, index * 3 + 1));
          const fits = sight(search, more);
          expect(keep(rows, fits)).toEqual(rows.filter(fits));
        }
      }),
    );
  });

  it('KR-19 a letter more asks those alone that were left, one taken back asks nobody and brings the same array', () => {
    const rows = Array.from({ length: 1000 }, (_, id) => rowOf(id, id * 3));
    let asked = 0;
    const counted = (search: string, of = names) => {
      const fits = sight(search, {}, of);
      const count = (row: PlacementRow): boolean => ((asked += 1), fits(row));
      return Object.assign(count, { fits });
    };
    const keep = filterKeeper<PlacementRow>((fits, wider) =>
      narrowsSight((fits as ReturnType<typeof counted>).fits, (wider as ReturnType<typeof counted>).fits),
    );
    const look = (search: string, of = names) => {
      asked = 0;
      return { shown: keep(rows, counted(search, of)), asked };
    };
    expect(look('').asked).toBe(1000);
    const one = look('у');
    const two = look('уж');
    expect([one.asked, two.asked]).toEqual([1000, one.shown.length]);
    expect(two.shown.length).toBeLessThan(one.shown.length);
    const back = look('у');
    expect(back.shown).toBe(one.shown);
    expect([back.asked, look('').asked]).toEqual([0, 0]);
    expect(look('у', others).asked).toBe(1000);
  });
});

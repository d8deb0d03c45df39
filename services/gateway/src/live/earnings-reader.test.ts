import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EarningsToPresent, wireLines } from '@zakup/contracts/to-wire';
import type { EarningsRow, PlacementRow } from '@zakup/contracts/read-models';
import { declaredFields } from '@zakup/contracts/read-models';
import { earningsOf, resolveTerms } from '@zakup/domain/analytics/earnings';
import { kopecks } from '@zakup/domain/money';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { ReadStore } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { docOf, earningsRow, placementRow } from '../testing/rows.ts';
import { type LinesReader, readLines } from './campaign-lines.ts';
import { scopeOf } from './scope.ts';
import type { Read } from './scope-read.ts';
import { scopeReader } from './scope-reader.ts';

const licenceId = '1a00';
const doc = docOf(licenceId);
const buyers = ['ann', 'bob'];
const placements = ['p0', 'p1', 'p2', 'p3', 'p4'];

/** One change of a placement, after which its buyers' earnings stand at a new position; or a row that no earnings tell of. */
const write = fc.record({
  id: fc.constantFrom(...placements),
  buyerId: fc.constantFrom(...buyers),
  price: fc.nat(50),
  leads: fc.nat(3),
  removed: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  rate: fc.option(fc.nat(50)),
  floor: fc.integer({ min: 0, max: 60 }).map((n) => n === 7),
});
type Write = typeof write extends fc.Arbitrary<infer One> ? One : never;

const without = (rows: ReadonlyMap<string, PlacementRow>, id: string): Map<string, PlacementRow> => {
  const others = new Map(rows);
  others.delete(id);
  return others;
};

/** A store, and what every person's earnings were at each position. */
const newWorld = () => {
  const store = inMemoryReadStore({ declared: declaredFields });
  const told = new Map<string, EarningsToPresent>();
  const changed = new Map(buyers.map((userId) => [userId, 0]));
  let rows = new Map<string, PlacementRow>();
  let rate = 10;
  let position = 0;

  const rowOf = (userId: string): EarningsRow => {
    const person = { salaryType: 'performance', salaryRate: rate, performanceThreshold: kopecks(20) };
    return earningsRow({ campaignId: 'k', userId, terms: resolveTerms(null, person), countZeroLeads: rate % 2 === 0 });
  };
  const byLine = (userId: string): EarningsToPresent => {
    const row = rowOf(userId);
    const own = [...rows.values()]
      .filter(({ buyerId }) => buyerId === userId)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, price, leads }) => ({ placementId: id, price, leads }));
    const { counted, leftOut, ...sums } = earningsOf(row.terms, own, row);
    const { campaignId, budget } = row;
    return {
      campaignId,
      userId,
      budget,
      ...sums,
      counted: counted.map(wireLines.counted),
      leftOut: leftOut.map(wireLines.leftOut),
    };
  };

  const commit = async ({ id, buyerId, price, leads, removed, rate: other, floor }: Write): Promise<void> => {
    const before = rows.get(id);
    if (removed && before === undefined) return;
    position += 1;
    const row = placementRow({ id, campaignId: 'k', buyerId, price: kopecks(price), leads });
    rows = removed ? without(rows, id) : new Map(rows).set(id, row);
    rate = other ?? rate;
    const moved = other === null ? new Set([before?.buyerId, buyerId]) : new Set(buyers);
    const drafts = buyers.filter((userId) => moved.has(userId)).map((userId) => doc.earnings(rowOf(userId)));
    const scopes = [`campaign:k`, 'contractor:contractor'];
    const placed = removed ? doc.gone('placement', id, scopes) : doc.placement(row);
    for (const userId of moved) if (userId !== undefined) changed.set(userId, position);
    for (const [userId, at] of changed) if (at === position) told.set(`k:${userId} ${position}`, byLine(userId));
    await store.commit({
      docs: [placed, ...drafts].map((draft) => draft(position)),
      checkpoint: { partition: 'all', position, fence: 1 },
      floors: floor ? [{ licenceId, scope: 'campaign:k' }] : [],
    });
  };
  return { store, told, commit };
};

/** The store, with something committed before and after each read of it; an answer may come later than the next one. */
const interrupted = (store: ReadStore, between: () => Promise<void>, late: () => Promise<void>): ReadStore => ({
  ...store,
  async changesSince(request) {
    await late();
    await between();
    const changes = await store.changesSince(request);
    await between();
    await late();
    return changes;
  },
  async readScope(request, { begun, take }) {
    await late();
    await between();
    await store.readScope(request, {
      async begun(content) {
        await begun(content);
        await between();
      },
      take,
    });
    await between();
    await late();
  },
  async readEach(kind, query, take) {
    await between();
    await store.readEach(kind, query, take);
    await between();
  },
});

/** Where another thread reads all of a scope. */
const refuse = async (): Promise<never> => {
  throw new Error('This thread reads no whole scope');
};

describe('earnings in a scope', () => {
  it.each([
    ['LINES-1 in the campaign', 'campaign:k', false],
    ['LINES-2 in one’s own', 'me', false],
    ['LV-2590 in the campaign, its lines read by another thread', 'campaign:k', true],
  ])(
    '%s: the lines are those of the position of the document, whatever is committed while they are read',
    async (_, name, isReadElsewhere) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(write, { maxLength: 3 }), { minLength: 4, maxLength: 30 }),
          fc.array(fc.nat(9), { minLength: 5, maxLength: 25 }),
          fc.array(fc.constantFrom(0, 0, 0, 2, 6), { minLength: 1, maxLength: 20 }),
          async (pauses, asks, delays) => {
            const world = newWorld();
            let step = 0;
            const between = async (): Promise<void> => {
              for (const one of pauses[step % pauses.length] ?? []) await world.commit(one);
              step += 1;
            };
            let answer = 0;
            const late = async (): Promise<void> => {
              answer += 1;
              for (let turn = delays[answer % delays.length] ?? 0; turn > 0; turn -= 1) await nextTurn();
            };
            const readStore = interrupted(world.store, between, late);
            const scope = scopeOf(name, 'ann');
            const lines: LinesReader = (...asked) => readLines({ readStore, partition: 'all' }, ...asked);
            const deps = isReadElsewhere
              ? { readStore: { ...readStore, readScope: refuse }, thread: { lines }, partition: 'all' }
              : { readStore, partition: 'all' };
            const { read, linesTaker } = scopeReader(deps, licenceId, scope, () => true);
            const begun = async (): Promise<Read> => {
              if (!isReadElsewhere) return read(undefined);
              const taker = linesTaker();
              const at = await lines(licenceId, scope, (columns) => taker?.take(columns));
              await late();
              taker?.end(at);
              return { docs: [], position: at, reset: false };
            };
            const look = ({ docs, withoutLines }: Read): void => {
              if (withoutLines === true) return;
              const earned = docs.filter(({ doc: { kind }, gone }) => kind === 'earnings' && !gone);
              const expected = earned.map(({ doc: { id }, position: at }) => world.told.get(`${id} ${at}`));
              expect(earned.map(({ doc: { data } }) => data)).toEqual(expected);
            };
            await between();
            let position = 0;
            for (const ask of asks) {
              // Some begin, some go on from before, some do so at the same time.
              const since = ask === 0 ? undefined : Math.max(0, position - (ask > 6 ? 2 : 0));
              const first = since === undefined ? begun() : read(since, ask !== 5);
              const reads = await Promise.all([first, ...(ask > 7 ? [begun(), read(position)] : [])]);
              for (const one of reads) {
                look(one);
                expect(one.position).toBeGreaterThanOrEqual(since ?? 0);
              }
              position = Math.max(...reads.map((one) => one.position));
            }
          },
        ),
        { numRuns: 60 },
      );
    },
  );
});

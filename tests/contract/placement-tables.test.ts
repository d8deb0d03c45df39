import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declaredFields, type PlacementRow } from '@zakup/contracts/read-models';
import { placementQuery } from '@zakup/contracts/requests/queries';
import { presentPlacementTotals } from '@zakup/contracts/to-wire';
import { kopecks } from '@zakup/domain/money';
import { aliasesOf } from '@zakup/gateway/read-models/aliases';
import { placementPage } from '@zakup/gateway/lists/placement-page';
import { analyticsRow, docOf, placementRow } from '@zakup/gateway/testing/rows';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { mongoReadStore } from '@zakup/read-store/mongodb/mongo-read-store';
import type { ReadStore } from '@zakup/read-store/read-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { mongoDbServer } from '../support/mongodb-server.ts';
import { askedTables, plainTable } from '../support/plain-table.ts';

const licenceId = '00-tables';
const doc = docOf(licenceId);
const server = await mongoDbServer();
const folder = mkdtempSync(join(tmpdir(), 'tables-'));
const opened: ReadStore[] = [];
afterAll(async () => {
  for (const store of opened) await store.close();
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
});

const declared = declaredFields;
const stores = {
  'in memory': async (): Promise<ReadStore> => inMemoryReadStore({ declared }),
  SQLite: async (): Promise<ReadStore> => sqliteReadStore({ file: join(folder, 'read.db'), declared }),
  [`MongoDB (${server.kind})`]: (): Promise<ReadStore> =>
    mongoReadStore({ url: server.url(`zakup_test_${randomUUID().slice(0, 8)}`), declared }),
};

const rows: readonly PlacementRow[] = Array.from({ length: 300 }, (_, index) =>
  placementRow({
    id: `p${(index * 31) % 300}`,
    buyerId: `b${index % 4}`,
    creativeId: index % 3 === 0 ? 'NO_CREATIVE' : `k${index % 5}`,
    category: ['Мемы', 'Юмор', 'Ёлка'][index % 3] ?? '',
    format: index % 2 === 0 ? '1/24' : '1/∞',
    price: kopecks(((index * 7919) % 300_000) + 45),
    leads: (index * 13) % 7,
    date: `2026-11-${String(1 + ((index * 11) % 28)).padStart(2, '0')}`,
    paymentStatus: index % 4 === 0 ? 'paid' : 'unpaid',
    status: index % 5 === 0 ? 'DONE' : 'PENDING',
  }),
);
const of = (some: readonly PlacementRow[], what: 'price' | 'leads'): number =>
  some.reduce((sum, row) => sum + row[what], 0);
const analytics = analyticsRow({
  campaignId: 'campaign',
  total: { spent: kopecks(of(rows, 'price')), leads: of(rows, 'leads'), placements: rows.length },
  paid: kopecks(
    of(
      rows.filter(({ paymentStatus }) => paymentStatus === 'paid'),
      'price',
    ),
  ),
});

describe.each(Object.entries(stores))('a narrowed table on the read store %s', (_, open) => {
  test('RS-1697 has the rows and the sums of plain loops, page by page', async () => {
    const readStore = await open();
    opened.push(readStore);
    const others = [placementRow({ id: 'other', campaignId: 'other' })];
    const drafts = [doc.analytics(analytics), ...[...rows, ...others].map(doc.placement)];
    const docs = drafts.map((draft) => draft(1));
    await readStore.commit({ docs, checkpoint: { partition: 'all', position: 1, fence: 1 } });
    const narrowed = { all: 0, some: 0, none: 0 };
    await fc.assert(
      fc.asyncProperty(askedTables(rows), fc.constantFrom('7', '100', '500'), async (asked, pageSize) => {
        const plain = plainTable(rows, asked);
        const ids: string[] = [];
        for (let page = 1; ids.length < plain.ids.length || page === 1; page += 1) {
          const query = placementQuery.parse({ ...asked, pageSize, page: String(page) });
          const answer = await placementPage({
            readStore,
            licenceId,
            campaignId: 'campaign',
            aliases: await aliasesOf(readStore, licenceId),
            query,
          });
          expect(presentPlacementTotals(answer.totals)).toEqual(plain.totals);
          expect(answer.rows.length).toBe(Math.min(Number(pageSize), plain.ids.length - ids.length));
          ids.push(...answer.rows.map(({ id }) => id));
          if (page === 3) break;
        }
        const isWhole = ids.length === plain.ids.length;
        expect(isWhole ? ids.toSorted() : ids.filter((id) => !plain.ids.includes(id))).toEqual(
          isWhole ? plain.ids : [],
        );
        narrowed[ids.length === 0 ? 'none' : plain.ids.length === rows.length ? 'all' : 'some'] += 1;
      }),
      { numRuns: 60 },
    );
    for (const [how, count] of Object.entries(narrowed)) expect([how, count > 0]).toEqual([how, true]);
  });
});

import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { presentContractor, presentPlacementTotals } from '@zakup/contracts/to-wire';
import { placementQuery } from '@zakup/contracts/requests/queries';
import type { PlacementRow, RowByKind } from '@zakup/contracts/read-models';
import type { EventStore } from '@zakup/event-store/event-store';
import { aliasesOf } from '@zakup/gateway/read-models/aliases';
import { placementPage } from '@zakup/gateway/lists/placement-page';
import { campaignReport } from '@zakup/gateway/reports/campaign-report';
import { earningsByLine } from '@zakup/gateway/reports/earnings-by-line';
import { salaryRows } from '@zakup/gateway/reports/salary';
import { snapshotCache } from '@zakup/gateway/time-travel/snapshot-cache';
import { plainLines } from '@zakup/projections/earnings-lines';
import { foldAll, licenceId, present, testReadStore } from '@zakup/projections/testing/given';
import { nothing, stepsOf, type World } from '@zakup/projections/testing/naive/entities';
import { rowsOfCampaign, rowsOfContractor, wholeOf } from '@zakup/projections/testing/naive/sums';
import { randomLife } from '@zakup/projections/testing/random-life';
import type { DocumentReader, ReadStore } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { plainEarningsLines, plainSalary } from '../faults/plain-pay.ts';
import { plainContractor, plainReport } from '../faults/plain-report.ts';
import { askedTables, plainTable } from '../support/plain-table.ts';

interface Life {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly steps: ReturnType<typeof stepsOf>;
  readonly world: World;
  readonly licence: RowByKind['license'];
}

/** As it is told outside: in roubles, of whoever its contractor is now. */
const shown = (world: World, rows: readonly PlacementRow[]): readonly PlacementWire[] =>
  rows.map((row) => ({
    ...row,
    price: row.price / 100,
    contractorId: wholeOf(world, row.contractorId),
    costPerLead: 0,
  }));

describe('what is told of random histories', () => {
  const lives: Life[] = [];
  /** How many lines each judgement had. */
  const seen = { reports: 0, contractors: 0, counted: 0, leftOut: 0, salaries: 0, withoutBonus: 0, tables: 0 };

  beforeAll(async () => {
    for (let seed = 1; seed <= 80; seed += 1) {
      const { eventStore, events } = await randomLife(seed, 200);
      const readStore = testReadStore();
      await foldAll({ eventStore, readStore });
      const licence = (await present(readStore, 'license'))[licenceId];
      const steps = stepsOf(events);
      const world = steps.at(-1)?.after ?? nothing;
      if (licence !== undefined) lives.push({ eventStore, readStore, steps, world, licence });
    }
  });

  it('PJ-80 a campaign’s report says what plain loops over its placements say, to the kopeck', async () => {
    for (const { readStore, world, licence } of lives) {
      const { analytics } = await aliasesOf(readStore, licenceId);
      for (const row of Object.values(await present(readStore, 'analytics'))) {
        const rows = shown(world, rowsOfCampaign(world, row.campaignId));
        const totalBudget = (world.campaign[row.campaignId]?.totalBudget ?? 0) / 100;
        const { id, ...report } = campaignReport(analytics(row), licence);
        expect([id, report]).toEqual([row.campaignId, plainReport(rows, { totalBudget }, licence.settings.leadValue)]);
        seen.reports += rows.length;
      }
    }
  });

  it('PJ-81 a contractor’s sums, averages, first and last use are those of its placements and its parts’', async () => {
    for (const { readStore, world } of lives)
      for (const row of Object.values(await present(readStore, 'contractor'))) {
        const rows = rowsOfContractor(world, row.id);
        expect(presentContractor(row)).toMatchObject(plainContractor(shown(world, rows)));
        seen.contractors += rows.length;
      }
  });

  it('PJ-82 earnings have the lines that count and those left out, with the reason of each', async () => {
    for (const { readStore, world } of lives)
      for (const { id, deleted } of Object.values(world.campaign)) {
        if (deleted) continue;
        const told = await earningsByLine(readStore, { licenceId, campaignId: id }, plainLines);
        const buyers = new Set(rowsOfCampaign(world, id).map(({ buyerId }) => buyerId));
        expect([...buyers].filter((buyer) => !told.some(({ userId }) => userId === buyer))).toEqual([]);
        for (const { userId, earnings, counted, leftOut } of told) {
          expect({ earnings, counted, leftOut }).toEqual(plainEarningsLines(world, id, userId));
          seen.counted += counted.length;
          seen.leftOut += leftOut.length;
        }
      }
  });

  it('PJ-83 the salary report counts and leaves out what plain loops do', async () => {
    for (const { readStore, world, licence } of lives) {
      const people = Object.values(await present(readStore, 'user'));
      for (const row of await salaryRows(readStore, licence, people, { page: 1, pageSize: 500 })) {
        expect(row).toMatchObject(plainSalary(world, row.userId));
        seen.salaries += row.counted.length;
        seen.withoutBonus += row.leftOut.length;
      }
    }
  });

  it('PJ-1698 a narrowed table has the rows and the sums of plain loops, now and at a past moment', async () => {
    const { signal } = new AbortController();
    for (const { eventStore, readStore, steps, world } of lives) {
      const past = steps[Math.floor(steps.length / 2)];
      if (past === undefined) continue;
      const { position } = past.one;
      const then = await snapshotCache({ eventStore }).at(licenceId, { by: 'position', position }, signal);
      const moments: (readonly [World, DocumentReader])[] = [[world, readStore]];
      if (then.kind === 'found') moments.push([past.after, then.documents]);
      for (const [known, documents] of moments)
        for (const { id, deleted } of Object.values(known.campaign)) {
          const rows = rowsOfCampaign(known, id);
          if (deleted || rows.length === 0) continue;
          for (const asked of [{}, ...fc.sample(askedTables(rows), { seed: steps.length, numRuns: 4 })]) {
            const plain = plainTable(rows, asked);
            for (const pageSize of ['1', '500']) {
              const query = placementQuery.parse({ ...asked, pageSize });
              const { rows: page, totals } = await placementPage({
                readStore: documents,
                licenceId,
                campaignId: id,
                aliases: await aliasesOf(documents, licenceId),
                query,
              });
              expect([asked, presentPlacementTotals(totals)]).toEqual([asked, plain.totals]);
              expect(page.length).toBe(Math.min(Number(pageSize), plain.ids.length));
              expect(page.filter((row) => !plain.ids.includes(row.id))).toEqual([]);
            }
            seen.tables += plain.ids.length;
          }
        }
    }
  });

  it('PJ-84 there was much of each to tell', () => {
    for (const [what, count] of Object.entries(seen)) expect([what, count > 50]).toEqual([what, true]);
  });
});

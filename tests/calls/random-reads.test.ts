import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { presentContractor } from '@zakup/contracts/to-wire';
import type { PlacementRow, RowByKind } from '@zakup/contracts/read-models';
import { aliasesOf } from '@zakup/gateway/read-models/aliases';
import { campaignReport } from '@zakup/gateway/reports/campaign-report';
import { earningsByLine } from '@zakup/gateway/reports/earnings-by-line';
import { salaryRows } from '@zakup/gateway/reports/salary';
import { plainLines } from '@zakup/projections/earnings-lines';
import { foldAll, licenceId, present, testReadStore } from '@zakup/projections/testing/given';
import { nothing, stepsOf, type World } from '@zakup/projections/testing/naive/entities';
import { rowsOfCampaign, rowsOfContractor, wholeOf } from '@zakup/projections/testing/naive/sums';
import { randomLife } from '@zakup/projections/testing/random-life';
import type { ReadStore } from '@zakup/read-store/read-store';
import { beforeAll, describe, expect, it } from 'vitest';
import { plainEarningsLines, plainSalary } from '../faults/plain-pay.ts';
import { plainContractor, plainReport } from '../faults/plain-report.ts';

interface Life {
  readonly readStore: ReadStore;
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
  const seen = { reports: 0, contractors: 0, counted: 0, leftOut: 0, salaries: 0, withoutBonus: 0 };

  beforeAll(async () => {
    for (let seed = 1; seed <= 80; seed += 1) {
      const { eventStore, events } = await randomLife(seed, 200);
      const readStore = testReadStore();
      await foldAll({ eventStore, readStore });
      const licence = (await present(readStore, 'license'))[licenceId];
      if (licence !== undefined) lives.push({ readStore, world: stepsOf(events).at(-1)?.after ?? nothing, licence });
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

  it('PJ-84 there was much of each to tell', () => {
    for (const [what, count] of Object.entries(seen)) expect([what, count > 50]).toEqual([what, true]);
  });
});

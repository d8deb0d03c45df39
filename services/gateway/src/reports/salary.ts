import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import type { EmployeeRow, LicenceRow, PlacementRow } from '@zakup/contracts/read-models';
import type { SalarySelection } from '@zakup/contracts/requests/queries';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { explainSalaryReport, salaryReportReason, salaryReportThreshold } from '@zakup/domain/analytics/salary-report';
import { type Kopecks, kopecks, toRoubles } from '@zakup/domain/money';
import { showCampaignName } from '@zakup/domain/topics';
import { createYielder } from '@zakup/async/yielder';
import { topN } from '@zakup/async/sort-yielding';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { dataOf, rowsOf } from '../read-models/rows.ts';
import { compareNames } from '../read-models/placement-names.ts';

type Line = Pick<PlacementRow, 'id' | 'campaignId' | 'date' | 'createdAt' | 'price' | 'leads'>;

interface Account {
  readonly person: EmployeeRow;
  readonly reasonOf: (line: Line) => string | null;
  readonly counted: Line[];
  readonly leftOut: Line[];
}

const descending = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0);

const newestFirst = (a: Line, b: Line): number =>
  descending(a.date, b.date) || descending(a.createdAt, b.createdAt) || descending(a.id, b.id);

const sumOf = (lines: readonly Line[]): { readonly count: number; readonly price: Kopecks } => ({
  count: lines.length,
  price: kopecks(lines.reduce((sum, { price }) => sum + price, 0)),
});

const within = (date: string, { from, to }: Pick<SalarySelection, 'from' | 'to'>): boolean =>
  (from === undefined || date >= from) && (to === undefined || date <= to);

/**
 * The salary report of these people, by name: who bought nothing is among them too. Deleted placements, and those of deleted campaigns, do
 * not count.
 */
export const salaryRows = async (
  documents: DocumentReader,
  licence: LicenceRow,
  people: readonly EmployeeRow[],
  query: SalarySelection,
): Promise<readonly SalaryRowWire[]> => {
  const { campaign, page, pageSize } = query;
  const names = new Map((await rowsOf(documents, 'campaign', licence.id)).map(({ id, name }) => [id, name]));
  const accounts = new Map<string, Account>(
    people.map((person) => {
      const reasonOf = salaryReportReason(person, licence.settings);
      return [person.id, { person, reasonOf, counted: [], leftOut: [] }];
    }),
  );
  const take = ({ id, campaignId, buyerId, date, createdAt, price, leads }: PlacementRow): void => {
    const account = accounts.get(buyerId);
    if (account === undefined || !names.has(campaignId) || !within(date, query)) return;
    const line = { id, campaignId, date, createdAt, price, leads };
    (account.reasonOf(line) === null ? account.counted : account.leftOut).push(line);
  };
  if (campaign === undefined || names.has(campaign)) {
    const where = campaign === undefined ? {} : { campaignId: campaign };
    await documents.readEach('placement', { licenceId: licence.id, where }, (docs) => {
      for (const doc of docs) take(dataOf('placement', doc));
    });
  }

  const yieldIfDue = createYielder();
  const pageOf = async (lines: readonly Line[]): Promise<readonly Line[]> =>
    (await topN(lines, page * pageSize, newestFirst, yieldIfDue)).slice((page - 1) * pageSize);
  const wireOf = ({ id, campaignId, date, price, leads }: Line) => ({
    placementId: id,
    campaignId,
    campaignName: showCampaignName(names.get(campaignId) ?? ''),
    date,
    price: toRoubles(price),
    leads,
    costPerLead: toRoubles(costPerLead(price, leads)),
  });
  const rowOf = async ({ person, reasonOf, counted, leftOut }: Account): Promise<SalaryRowWire> => {
    const [included, without] = [sumOf(counted), sumOf(leftOut)];
    const { value, formula } = explainSalaryReport(person, included);
    return {
      userId: person.id,
      name: person.name,
      role: person.role,
      isActive: person.isActive,
      salaryType: person.salaryType,
      threshold: toRoubles(salaryReportThreshold(person)),
      salaryReportBonus: toRoubles(value),
      formula,
      countedTotal: { count: included.count, price: toRoubles(included.price) },
      leftOutTotal: { count: without.count, price: toRoubles(without.price) },
      counted: (await pageOf(counted)).map(wireOf),
      leftOut: (await pageOf(leftOut)).map((line) => ({ ...wireOf(line), reason: reasonOf(line) ?? '' })),
    };
  };
  const rows: SalaryRowWire[] = [];
  const byName = [...accounts.values()].toSorted(
    (a, b) => compareNames(a.person.name, b.person.name) || (a.person.id < b.person.id ? -1 : 1),
  );
  for (const account of byName) {
    rows.push(await rowOf(account));
    await yieldIfDue();
  }
  return rows;
};

import type { EarningsByLine, EarningsRow } from '@zakup/contracts/read-models';
import { earningsLines, type LineForms } from '@zakup/projections/earnings-lines';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { dataOf } from '../rows.ts';

/**
 * Earnings of one campaign with their lines, which are the placements there. Sums are of the lines that are found: where placements change
 * between two reads, each answer still adds up.
 */
export const earningsByLine = async <Counted, LeftOut>(
  documents: Pick<DocumentReader, 'readEach'>,
  licenceId: string,
  campaignId: string,
  rows: readonly EarningsRow[],
  forms: LineForms<Counted, LeftOut>,
): Promise<readonly EarningsByLine<Counted, LeftOut>[]> => {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  const linesOf = new Map(rows.map(({ userId }) => [userId, earningsLines(forms)]));
  const where = { campaignId, ...(others.length === 0 && { buyerId: first.userId }) };
  await documents.readEach('placement', { licenceId, where }, (docs) => {
    for (const doc of docs) {
      const row = dataOf('placement', doc);
      linesOf.get(row.buyerId)?.set(row);
    }
  });
  const told: EarningsByLine<Counted, LeftOut>[] = [];
  for (const row of rows) {
    const lines = linesOf.get(row.userId);
    if (lines !== undefined) told.push(await lines.told(row));
  }
  return told;
};

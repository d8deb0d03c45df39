import type { EarningsByLine } from '@zakup/contracts/read-models';
import { EarningsLines, type LineForms } from '@zakup/projections/earnings-lines';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { dataOf, rowsOf } from '../read-models/rows.ts';

/** Whose earnings are asked for: `userId` absent = those of everybody in the campaign. */
export interface EarningsAsked {
  readonly licenceId: string;
  readonly campaignId: string;
  readonly userId?: string;
}

/** So often it is read when a placement is found whose buyer has no earnings yet: it changed hands between the two reads. */
const mostReads = 5;

/**
 * Earnings in one campaign with their lines, which are the placements there. Sums are of the lines that are found: where placements change
 * between two reads, each answer still adds up, and none of them is in nobody's.
 */
export const earningsByLine = async <Counted, LeftOut>(
  documents: DocumentReader,
  { licenceId, campaignId, userId }: EarningsAsked,
  forms: LineForms<Counted, LeftOut>,
): Promise<readonly EarningsByLine<Counted, LeftOut>[]> => {
  const whose = { campaignId, ...(userId !== undefined && { userId }) };
  const bought = { campaignId, ...(userId !== undefined && { buyerId: userId }) };

  const read = async () => {
    const rows = await rowsOf(documents, 'earnings', licenceId, { where: whose });
    const linesOf = new Map(rows.map((row) => [row.userId, new EarningsLines(forms)]));
    let complete = true;
    await documents.readEach('placement', { licenceId, where: bought }, (docs) => {
      for (const doc of docs) {
        const row = dataOf('placement', doc);
        const lines = linesOf.get(row.buyerId);
        if (lines === undefined) complete = false;
        else lines.set(row);
      }
    });
    return { rows, linesOf, complete };
  };

  let found = await read();
  for (let reads = 1; !found.complete && reads < mostReads; reads += 1) found = await read();
  const told: EarningsByLine<Counted, LeftOut>[] = [];
  for (const row of found.rows) {
    const lines = found.linesOf.get(row.userId);
    if (lines !== undefined) told.push(await lines.told(row));
  }
  return told;
};

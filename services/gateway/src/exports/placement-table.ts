import { placementFields } from '@zakup/contracts/placement-fields';
import type { PlacementRow } from '@zakup/contracts/read-models';
import type { PlacementSelection } from '@zakup/contracts/requests/queries';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { compareTexts } from '@zakup/read-store/documents';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { aliasesOf } from '../read-models/aliases.ts';
import { compareNames, type PlacementNames, placementNames, searching } from '../read-models/placement-names.ts';
import { isStored } from '../lists/placement-page.ts';
import { selecting } from '../lists/placement-selection.ts';
import { dataOf } from '../read-models/rows.ts';
import type { Cell } from './csv.ts';
import { externalSort } from './external-sort.ts';
import {
  type ExportedPlacement,
  exportedFields,
  exportedPart,
  placementCells,
  type PlacementCellNames,
} from './placement-cells.ts';
import type { SheetColumn } from './xlsx.ts';

/** A row on its way into the file: what it is sorted by, and what is shown of it. */
type Line = readonly [order: number | string, createdAt: string, row: ExportedPlacement];

/** What a row is sorted by, and how two of that compare. */
const orderOf = (sortBy: PlacementSelection['sortBy'], names: PlacementNames) => {
  const byValue = (a: number | string, b: number | string): number =>
    typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b);
  if (isStored(sortBy)) return { of: (row: PlacementRow) => row[sortBy], compare: byValue };
  if (sortBy === 'costPerLead')
    return { of: (row: PlacementRow) => costPerLead(row.price, row.leads), compare: byValue };
  const compare = (a: number | string, b: number | string): number => compareNames(String(a), String(b));
  return { of: names[sortBy], compare };
};

const cellNames = (names: PlacementNames): PlacementCellNames => ({
  contractor: (contractorId) => names.contractorId({ contractorId }),
  creative: (creativeId) => names.creativeId({ creativeId }),
  user: (buyerId) => names.buyerId({ buyerId }),
});

/** What the table of a campaign shows, in its order. */
export const placementColumns: readonly SheetColumn[] = exportedFields.map((name) =>
  name === 'id'
    ? { title: 'ID', width: 38 }
    : { title: placementFields[name].label, width: placementFields[name].exportWidth },
);

export interface PlacementTable {
  /** How many rows there are. */
  readonly count: number;
  /** In order, once. */
  readonly rows: () => AsyncIterable<readonly Cell[]>;
}

/**
 * A campaign's rows as its table shows them, all of one moment: they are read and sorted at once, and wait packed for as long as they are
 * taken, so that neither the store nor the memory is held by somebody slow.
 */
export const placementTable = async (
  documents: DocumentReader,
  licenceId: string,
  campaignId: string,
  query: PlacementSelection,
): Promise<PlacementTable> => {
  const aliases = await aliasesOf(documents, licenceId);
  const names = await placementNames(documents, licenceId);
  const { contractorId: asked, search = '' } = query;
  const contractorId = asked === undefined ? undefined : aliases.receiver(asked);
  const fits = selecting({ ...query, contractorId }, searching(names, search));
  const { of, compare } = orderOf(query.sortBy, names);
  const sign = query.sortOrder === 'asc' ? 1 : -1;
  const lines = externalSort<Line>(
    (a, b) => sign * (compare(a[0], b[0]) || compareTexts(a[1], b[1]) || compareTexts(a[2].id, b[2].id)),
  );
  await documents.readEach('placement', { licenceId, where: { campaignId } }, async (docs) => {
    const rows = docs.map((doc) => aliases.placement(dataOf('placement', doc))).filter(fits);
    await lines.add(rows.map((row) => [of(row), row.createdAt, exportedPart(row)]));
  });
  return {
    count: lines.count(),
    async *rows() {
      const shown = cellNames(names);
      for await (const [, , line] of lines.sorted())
        yield exportedFields.map((name) => placementCells[name](line, shown));
    },
  };
};

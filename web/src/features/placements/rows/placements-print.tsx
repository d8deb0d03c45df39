import type { GridColumn, GridSorting } from '../../../shared/table/grid-column.ts';
import { useThenSuffix } from '../../../shared/moment/then-name.ts';
import type { PlacementRow } from './placement-row.ts';
import { PrintSheet } from './print-sheet.tsx';
import { usePrinting } from './use-printing.ts';

/** The rows on paper, while the page is being printed; of the past, with its moment in the title. */
export const PlacementsPrint = ({
  title,
  ...sheet
}: {
  readonly title: string;
  readonly rows: readonly PlacementRow[];
  readonly columns: readonly GridColumn<PlacementRow>[];
  readonly sorting: GridSorting;
}) => {
  const printing = usePrinting();
  const suffix = useThenSuffix();
  return printing && <PrintSheet title={`${title}${suffix}`} {...sheet} />;
};

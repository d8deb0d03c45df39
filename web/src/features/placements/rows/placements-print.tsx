import { useThenSuffix } from '../../../shared/moment/then-name.ts';
import type { PlacementRow } from './placement-row.ts';
import { PrintSheet, UnfinishedSheet } from './print-sheet.tsx';
import { usePrinting } from './use-printing.ts';

/** The rows on paper, while the page is being printed; of the past, with its moment in the title. `rows`: null while they are not all here. */
export const PlacementsPrint = ({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: readonly PlacementRow[] | null;
}) => {
  const printing = usePrinting();
  const suffix = useThenSuffix();
  if (!printing) return null;
  const heading = `${title}${suffix}`;
  return rows === null ? <UnfinishedSheet title={heading} /> : <PrintSheet title={heading} rows={rows} />;
};

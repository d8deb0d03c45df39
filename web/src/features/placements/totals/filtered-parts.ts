import type { PlacementRow } from '../rows/placement-row.ts';

/** Which totals there are of the rows that fit a filter. */
export type FilteredFigure = 'placements' | 'spent' | 'leads' | 'cpl' | 'paid' | 'unpaid';

/** A row, and why it does not count or what there is to say of it. */
export interface FilteredLine {
  readonly row: PlacementRow;
  readonly note: string;
}

const newestFirst = ({ row: a }: FilteredLine, { row: b }: FilteredLine): number =>
  a.decided.date === b.decided.date ? (a.id < b.id ? -1 : 1) : a.decided.date < b.decided.date ? 1 : -1;

/** The rows that such a total counts, and all others of the table with the reason; each row is in one of them. Newest first. `whyUnfit`: by what is decided. */
export const partsOf = (
  figure: FilteredFigure,
  fitting: readonly PlacementRow[],
  all: readonly PlacementRow[],
  whyUnfit: (row: PlacementRow) => string | null,
): { readonly counted: readonly FilteredLine[]; readonly leftOut: readonly FilteredLine[] } => {
  const fits = new Set(fitting.map(({ id }) => id));
  const reasonOf = (row: PlacementRow): string | null => {
    const { id, counted, decided } = row;
    if (!counted) return 'Ещё не записано или удаляется';
    if (!fits.has(id)) return whyUnfit({ ...row, placement: decided }) ?? 'Не подходит под фильтр';
    if (figure === 'paid' && decided.paymentStatus !== 'paid') return 'Не оплачено';
    if (figure === 'unpaid' && decided.paymentStatus === 'paid') return 'Оплачено';
    return null;
  };
  const counted: FilteredLine[] = [];
  const leftOut: FilteredLine[] = [];
  for (const row of all) {
    const reason = reasonOf(row);
    if (reason !== null) leftOut.push({ row, note: reason });
    else counted.push({ row, note: row.decided.leads === 0 ? 'лидов пока нет' : '' });
  }
  return { counted: counted.toSorted(newestFirst), leftOut: leftOut.toSorted(newestFirst) };
};

import { explainCostPerLead } from '@zakup/domain/analytics/cpl';
import { type Figure as FigureName, figureTitles } from '@zakup/domain/analytics/figures';
import { kopecks, toRoubles } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { money, roubles } from '../../shared/money/roubles.ts';
import type { GridColumn, TotalsCell } from '../../shared/table/grid-column.ts';
import { Figure } from '../../shared/why/figure.tsx';
import { CplMark, Unsettled } from './placement-marks.tsx';
import type { PlacementRow } from './placement-rows.ts';
import { noSums, shift } from './predicted-totals.ts';

/** Sums over rows, in roubles, from what is decided of them; what is being removed does not count. */
export const sumsOf = (rows: readonly PlacementRow[]) => {
  const sums = noSums();
  for (const { decided, counted } of rows) if (counted) shift(sums, decided, 1);
  const asRoubles = (amount: number): number => toRoubles(kopecks(amount));
  const { spent, paid, leads } = sums;
  return { spent: asRoubles(spent), paid: asRoubles(paid), unpaid: asRoubles(spent - paid), leads };
};

const sumFormula = 'вместе по строкам таблицы, которые прошли фильтр';

/** Of rows that are all on the screen: the calculation is all there is to tell. */
const why = (figure: FigureName, formula: string, shown: ReactNode) => (
  <Figure label={`${figureTitles[figure]} по фильтру`} formula={formula}>
    {shown}
  </Figure>
);

/** The totals row of what the filters let through. */
export const filteredTotals = (shown: readonly PlacementRow[], all: number): readonly TotalsCell[] => {
  const { spent, paid, unpaid, leads } = sumsOf(shown);
  return [
    { columnId: 'date', span: 1, content: <b>Итого по фильтру</b> },
    {
      columnId: 'contractor',
      span: 1,
      content: (
        <span className="z-second">
          {why(
            'placements',
            'строки таблицы, которые прошли фильтр, из всех',
            `${formatNumber(shown.length)} из ${formatNumber(all)}`,
          )}
        </span>
      ),
    },
    { columnId: 'price', span: 1, content: <b>{why('spent', sumFormula, roubles(spent))}</b> },
    { columnId: 'leads', span: 1, content: <b>{why('leads', sumFormula, formatNumber(leads))}</b> },
    {
      columnId: 'cpl',
      span: 1,
      content: (
        <b>{why('cpl', explainCostPerLead(money(spent), leads).formula, <CplMark price={spent} leads={leads} />)}</b>
      ),
    },
    {
      columnId: 'creative',
      span: 6,
      content: (
        <span className="z-second">
          оплачено {why('paid', sumFormula, roubles(paid))} · не оплачено {why('unpaid', sumFormula, roubles(unpaid))}
        </span>
      ),
    },
  ];
};

/** The same totals, their figures marked as not following what was typed. */
export const unsettledTotals = (cells: readonly TotalsCell[]): readonly TotalsCell[] =>
  cells.map((cell) => (cell.columnId === 'date' ? cell : { ...cell, content: <Unsettled>{cell.content}</Unsettled> }));

/** Totals of the whole table laid over the columns that are shown: each cell covers what is left of its columns. */
export const laidTotals = (
  cells: readonly TotalsCell[],
  all: readonly GridColumn<PlacementRow>[],
  shown: readonly GridColumn<PlacementRow>[],
): readonly TotalsCell[] => {
  const visible = new Set(shown.map(({ id }) => id));
  const starts = cells.map((cell) => all.findIndex(({ id }) => id === cell.columnId));
  return cells.flatMap((cell, index) => {
    const own = all.slice(starts[index], starts[index + 1] ?? all.length).filter(({ id }) => visible.has(id));
    const [first] = own;
    return first ? [{ ...cell, columnId: first.id, span: own.length }] : [];
  });
};

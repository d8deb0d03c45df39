import { formatNumber } from '@zakup/domain/russian';
import { showDay } from '../../shared/day/shown-day.ts';
import { showPayment, showTopic } from '@zakup/domain/topics';
import { createPortal } from 'react-dom';
import type { GridColumn, GridSorting } from '../../shared/table/grid-column.ts';
import { useSortedRows } from '../../shared/table/use-sorted-rows.ts';
import { sumsOf } from './filtered-totals.tsx';
import { roubles } from '../../shared/money/roubles.ts';
import { CplMark } from './placement-marks.tsx';
import { byCreation, type PlacementRow } from './placement-row.ts';

/** All rows on paper, in order: takes the place of the page while it is printed. */
export const PrintSheet = ({
  title,
  rows,
  columns,
  sorting,
}: {
  readonly title: string;
  readonly rows: readonly PlacementRow[];
  readonly columns: readonly GridColumn<PlacementRow>[];
  readonly sorting: GridSorting;
}) => {
  const sorted = useSortedRows(rows, columns, byCreation, sorting);
  const { spent, paid, unpaid, leads } = sumsOf(rows);
  return createPortal(
    <div className="z-print">
      <h1>{title}</h1>
      <table>
        <thead>
          <tr>
            <th>Дата</th>
            <th>Контрагент</th>
            <th>Цена</th>
            <th>Приход</th>
            <th>CPL</th>
            <th>Креатив</th>
            <th>Тематика</th>
            <th>Формат</th>
            <th>Байер</th>
            <th>Оплата</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ id, placement, decided, nick, creativeName, buyerName }) => (
            <tr key={id}>
              <td>{showDay(placement.date)}</td>
              <td>{nick}</td>
              <td>{roubles(placement.price)}</td>
              <td>{formatNumber(placement.leads)}</td>
              <td>
                <CplMark price={decided.price} leads={decided.leads} />
              </td>
              <td>{creativeName}</td>
              <td>{showTopic(placement.category)}</td>
              <td>{placement.format}</td>
              <td>{buyerName}</td>
              <td>{showPayment(placement.paymentStatus)}</td>
            </tr>
          ))}
          <tr className="z-print-totals">
            <td>Итого</td>
            <td>{formatNumber(rows.length)}</td>
            <td>{roubles(spent)}</td>
            <td>{formatNumber(leads)}</td>
            <td>
              <CplMark price={spent} leads={leads} />
            </td>
            <td colSpan={5}>
              оплачено {roubles(paid)} · не оплачено {roubles(unpaid)}
            </td>
          </tr>
        </tbody>
      </table>
    </div>,
    document.body,
  );
};

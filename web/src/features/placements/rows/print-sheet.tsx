import { type PlacementFieldName, placementFields } from '@zakup/contracts/placement-fields';
import { formatNumber } from '@zakup/domain/russian';
import { showDay } from '../../../shared/day/shown-day.ts';
import { showPayment, showTopic } from '@zakup/domain/topics';
import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import { sumsOf } from '../totals/filtered-totals.tsx';
import { roubles } from '../../../shared/money/roubles.ts';
import { CplMark } from '../columns/placement-marks.tsx';
import type { PlacementRow } from './placement-row.ts';

type Printed = Exclude<PlacementFieldName, 'campaignId' | 'status'>;

/** What stands on paper, in its order. A field without its line does not compile. */
const cells: { readonly [Name in Printed]: (row: PlacementRow) => ReactNode } = {
  date: ({ placement }) => showDay(placement.date),
  contractorId: ({ nick }) => nick,
  price: ({ placement }) => roubles(placement.price),
  leads: ({ placement }) => formatNumber(placement.leads),
  costPerLead: ({ decided }) => <CplMark price={decided.price} leads={decided.leads} />,
  creativeId: ({ creativeName }) => creativeName,
  category: ({ placement }) => showTopic(placement.category),
  format: ({ placement }) => placement.format,
  buyerId: ({ buyerName }) => buyerName,
  paymentStatus: ({ placement }) => showPayment(placement.paymentStatus),
  comment: ({ placement }) => placement.comment,
  postUrl: ({ placement }) => placement.postUrl?.replace('https://', ''),
};
const printed = Object.keys(cells) as readonly Printed[];
/** Take room only where a row has them. */
const whereThere: ReadonlySet<Printed> = new Set(['comment', 'postUrl']);
const summed = 5;

/** In place of rows that are still on their way: sums of some would look like those of all. */
export const UnfinishedSheet = ({ title }: { readonly title: string }) =>
  createPortal(
    <div className="z-print">
      <h1>{title}</h1>
      <p>Размещения ещё загружаются. Напечатайте их, когда они будут здесь все.</p>
    </div>,
    document.body,
  );

/** All rows on paper, as they stood when it was begun, whatever the width of the paper makes of the page: takes the place of the page while it is printed. */
export const PrintSheet = ({ title, ...given }: { readonly title: string; readonly rows: readonly PlacementRow[] }) => {
  const [rows] = useState(given.rows);
  const { spent, paid, unpaid, leads } = sumsOf(rows);
  const shown = printed.filter((name) => !whereThere.has(name) || rows.some(({ placement }) => placement[name]));
  return createPortal(
    <div className="z-print">
      <h1>{title}</h1>
      <table>
        <thead>
          <tr>
            {shown.map((name) => (
              <th key={name}>{placementFields[name].label}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {shown.map((name) => (
                <td key={name}>{cells[name](row)}</td>
              ))}
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
            <td colSpan={shown.length - summed}>
              оплачено {roubles(paid)} · не оплачено {roubles(unpaid)}
            </td>
          </tr>
        </tbody>
      </table>
    </div>,
    document.body,
  );
};

import { formatNumber } from '@zakup/domain/russian';
import { useState } from 'react';
import { VerdictNote } from '../../../shared/contractor/verdict-note.tsx';
import { showShortDay } from '../../../shared/day/shown-day.ts';
import { NumberField } from '../../../shared/form/number-field.tsx';
import { acceptPrice } from '../../../shared/form/number-input.ts';
import { type DataColumn, DataTable } from '../../../shared/table/data-table.tsx';
import { LoadMore } from '../../../shared/ui/load-more.tsx';
import { fieldText } from '../rows/placement-commands.ts';
import type { Names } from '../rows/placement-row.ts';
import type { RepeatedLine, RepeatedWeek } from './use-repeated-week.ts';

/** More are shown on request. */
const pageSize = 100;

const lineId = ({ row }: RepeatedLine): string => row.id;

const Remarks = ({ line: { verdict, remarks } }: { readonly line: RepeatedLine }) => (
  <>
    {verdict && (
      <span>
        <VerdictNote verdict={verdict} />
      </span>
    )}
    {remarks.length > 0 && <span className="z-mid">{remarks.join('; ')}</span>}
  </>
);

const columnsOf = ({ tick, setPrice }: RepeatedWeek, names: Names): readonly DataColumn<RepeatedLine>[] => [
  {
    id: 'tick',
    header: <span className="z-visually-hidden">Добавить</span>,
    cell: ({ row, form, isTicked }) => (
      <input
        type="checkbox"
        aria-label={`${row.nick}, ${showShortDay(row.placement.date)}`}
        checked={isTicked}
        disabled={form === null}
        onChange={(event) => tick([row.id], event.target.checked)}
      />
    ),
  },
  {
    id: 'contractor',
    header: 'Контрагент',
    isName: true,
    cell: (line) => (
      <>
        <b>{line.row.nick}</b>
        <Remarks line={line} />
      </>
    ),
  },
  { id: 'was', header: 'Куплено', cardLabel: 'Куплено', cell: ({ row }) => showShortDay(row.placement.date) },
  {
    id: 'date',
    header: 'Новая дата',
    cardLabel: 'Новая дата',
    cell: ({ form }) => (form === null ? '—' : showShortDay(form.date)),
  },
  {
    id: 'price',
    header: 'Цена, ₽',
    cardLabel: 'Цена, ₽',
    align: 'right',
    cell: ({ row, form, priceError }) => (
      <NumberField
        label={<span className="z-visually-hidden">{`Цена ${row.nick}, ${showShortDay(row.placement.date)}`}</span>}
        inputMode="decimal"
        accept={acceptPrice}
        disabled={form === null}
        value={form?.price ?? String(row.placement.price)}
        error={priceError}
        onChange={(price) => setPrice(row.id, price)}
      />
    ),
  },
  { id: 'category', header: 'Тематика', cardLabel: 'Тематика', cell: ({ row }) => row.placement.category },
  { id: 'format', header: 'Формат', cardLabel: 'Формат', cell: ({ row }) => row.placement.format },
  {
    id: 'creative',
    header: 'Креатив',
    cardLabel: 'Креатив',
    cell: ({ row, form }) => fieldText('creativeId', form?.creativeId ?? row.placement.creativeId, names),
  },
  {
    id: 'buyer',
    header: 'Байер',
    cardLabel: 'Байер',
    cell: ({ row, form }) => fieldText('buyerId', form?.buyerId ?? row.placement.buyerId, names),
  },
];

/** The purchases of a week, each with its tick and a price that can be changed. */
export const RepeatedLines = ({ repeated, names }: { readonly repeated: RepeatedWeek; readonly names: Names }) => {
  const { lines } = repeated;
  const [limit, setLimit] = useState(pageSize);
  return (
    <>
      <div className="z-table-scroll">
        <DataTable
          className="z-table z-repeat-table"
          label={`Покупки недели: ${formatNumber(lines.length)}`}
          columns={columnsOf(repeated, names)}
          rows={lines.slice(0, limit)}
          rowId={lineId}
          rowClass={({ isTicked }) => (isTicked ? undefined : 'z-repeat-off')}
        />
      </div>
      {lines.length > limit && <LoadMore rest={lines.length - limit} onMore={() => setLimit(limit + pageSize)} />}
    </>
  );
};

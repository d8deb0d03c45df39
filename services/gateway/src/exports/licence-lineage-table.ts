import { dayOf } from '@zakup/domain/calendar';
import { campaignStatusLabels } from '@zakup/domain/topics';
import type { LicenceLineage } from '../lineage/licence-lineage.ts';
import type { Cell } from './csv.ts';
import type { Table } from './table-file.ts';

const columns = [
  { title: 'Засчитано', width: 12 },
  { title: 'Название', width: 36 },
  { title: 'Статус', width: 14 },
  { title: 'Бюджет', width: 16 },
  { title: 'Почему не засчитано', width: 28 },
  { title: 'Удалено', width: 14 },
  { title: 'ID', width: 38 },
] as const;

const empty: Cell = { kind: 'empty' };
const text = (value: string): Cell => ({ kind: 'text', text: value });

/** The campaigns or channels of a figure, those that count first, as a table. */
export const licenceLineageTable = ({ counted, leftOut }: LicenceLineage): Table => ({
  columns,
  count: counted.length + leftOut.length,
  async *rows() {
    for (const { id, name, status, amount } of counted)
      yield [
        text('да'),
        text(name),
        status === null ? empty : text(campaignStatusLabels[status]),
        amount === null ? empty : { kind: 'money', value: amount },
        empty,
        empty,
        text(id),
      ];
    for (const { id, name, reason, at } of leftOut)
      yield [
        text('нет'),
        text(name),
        empty,
        empty,
        text(reason),
        at === null ? empty : { kind: 'day', day: dayOf(at) },
        text(id),
      ];
  },
});

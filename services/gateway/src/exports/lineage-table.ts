import { costPerLead } from '@zakup/domain/analytics/cpl';
import { dayOf } from '@zakup/domain/calendar';
import { toRoubles } from '@zakup/domain/money';
import { showCampaignName } from '@zakup/domain/topics';
import type { DocumentReader } from '@zakup/read-store/read-store';
import type { GoneLine } from '../lineage/figure-history.ts';
import type { Line } from '../lineage/lineage-lines.ts';
import type { Lineage } from '../lineage/lineage-subject.ts';
import { type PlacementNames, placementNames } from '../read-models/placement-names.ts';
import { rowsOf } from '../read-models/rows.ts';
import type { Cell } from './csv.ts';
import type { Table } from './table-file.ts';

const columns = [
  { title: 'Засчитано', width: 12 },
  { title: 'Дата', width: 12 },
  { title: 'Кампания', width: 28 },
  { title: 'Контрагент', width: 24 },
  { title: 'Байер', width: 22 },
  { title: 'Цена', width: 14 },
  { title: 'Приход', width: 10 },
  { title: 'CPL', width: 12 },
  { title: 'Начислено', width: 14 },
  { title: 'Почему не засчитано', width: 36 },
  { title: 'Ушло из цифры', width: 14 },
  { title: 'ID', width: 38 },
] as const;

const empty: Cell = { kind: 'empty' };
const text = (value: string): Cell => ({ kind: 'text', text: value });
const known = <Value>(value: Value | null, cell: (value: Value) => Cell): Cell =>
  value === null ? empty : cell(value);
const money = (kopecks: Parameters<typeof toRoubles>[0]): Cell => ({ kind: 'money', value: toRoubles(kopecks) });
const whole = (value: number): Cell => ({ kind: 'whole', value });
const day = (value: string): Cell => ({ kind: 'day', day: value });

interface Names extends PlacementNames {
  readonly campaign: (id: string) => string;
}

const namesOf = async (documents: DocumentReader, licenceId: string): Promise<Names> => {
  const campaigns = new Map((await rowsOf(documents, 'campaign', licenceId)).map(({ id, name }) => [id, name]));
  return {
    ...(await placementNames(documents, licenceId)),
    campaign: (id) => showCampaignName(campaigns.get(id) ?? id),
  };
};

const cpl = ({ price, leads }: Pick<GoneLine, 'price' | 'leads'>): Cell =>
  price === null || leads === null || leads === 0 ? empty : money(costPerLead(price, leads));

const lineCells = (names: Names, line: Line, amount: Cell): readonly Cell[] => [
  text(line.reason === null ? 'да' : 'нет'),
  day(line.date),
  text(names.campaign(line.campaignId)),
  text(names.contractorId(line)),
  text(names.buyerId(line)),
  money(line.price),
  whole(line.leads),
  cpl(line),
  amount,
  line.reason === null ? empty : text(line.reason),
  empty,
  text(line.id),
];

const goneCells = (names: Names, line: GoneLine): readonly Cell[] => [
  text('нет'),
  known(line.date, day),
  known(line.campaignId, (id) => text(names.campaign(id))),
  known(
    line.name ?? (line.contractorId === null ? null : names.contractorId({ contractorId: line.contractorId })),
    text,
  ),
  known(line.buyerId, (buyerId) => text(names.buyerId({ buyerId }))),
  known(line.price, money),
  known(line.leads, whole),
  cpl(line),
  empty,
  text(line.reason),
  day(dayOf(line.at)),
  text(line.placementId),
];

const cutCells: readonly Cell[] = [
  text('История длиннее: удалённые и переданные раньше строки не показаны'),
  ...columns.slice(1).map(() => empty),
];

/** All lines of a figure, those that count first, as a table. */
export const lineageTable = async (
  { found, gone, historyComplete }: Lineage,
  documents: DocumentReader,
  licenceId: string,
): Promise<Table> => {
  const names = await namesOf(documents, licenceId);
  const { amountOf } = found;
  return {
    columns,
    count: found.counted.count + found.leftOut.count + gone.length + (historyComplete ? 0 : 1),
    async *rows() {
      for await (const line of found.linesOf('counted'))
        yield lineCells(names, line, amountOf === null ? empty : money(amountOf(line)));
      for await (const line of found.linesOf('leftOut')) yield lineCells(names, line, empty);
      for (const line of gone) yield goneCells(names, line);
      if (!historyComplete) yield cutCells;
    },
  };
};

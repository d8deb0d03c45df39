import { placementFields } from '@zakup/contracts/placement-fields';
import {
  presentCampaign,
  presentChannel,
  presentContractor,
  presentCreative,
  presentNote,
  presentPerson,
  presentPlacement,
} from '@zakup/contracts/to-wire';
import type { RowByKind, RowKind } from '@zakup/contracts/read-models';
import { verdictLabels } from '@zakup/domain/contractor/labels';
import { type Kopecks, toRoubles } from '@zakup/domain/money';
import { campaignStatusLabels, creativeTypeLabels, roleLabels, showTopic } from '@zakup/domain/topics';
import type { ReadStore } from '@zakup/read-store/read-store';
import { dataOf } from '../read-models/rows.ts';
import type { Cell } from './csv.ts';
import { exportedFields, placementCells, type PlacementCellNames } from './placement-cells.ts';

/** Names that tables show for ids. */
export interface Names extends PlacementCellNames {
  readonly channel: (id: string) => string;
  readonly campaign: (id: string) => string;
}

type Column<Row> = readonly [title: string, cell: (row: Row, names: Names) => Cell];

/** One kind of things in the export of a licence: a file of NDJSON and one of CSV. */
export interface Part<Row = unknown> {
  /** Without the ending. */
  readonly path: string;
  /** What is in it, for the reader's page. */
  readonly about: string;
  readonly columns: readonly Column<Row>[];
  /** As the calls answer it. */
  readonly wire: (row: Row) => object;
  readonly rows: (readStore: Pick<ReadStore, 'scanIndex'>, licenceId: string) => AsyncGenerator<Row, void, undefined>;
}

const pageSize = 500;

const each = <Kind extends RowKind>(kind: Kind) =>
  async function* (
    readStore: Pick<ReadStore, 'scanIndex'>,
    licenceId: string,
  ): AsyncGenerator<RowByKind[Kind], void, undefined> {
    for (let after: string | undefined; ; ) {
      const page = { licenceId, direction: 'asc', limit: pageSize, ...(after !== undefined && { after }) } as const;
      const docs = await readStore.scanIndex(kind, page);
      for (const doc of docs) yield dataOf(kind, doc);
      after = docs.at(-1)?.id;
      if (docs.length < pageSize || after === undefined) return;
    }
  };

const text = (value: string | null): Cell =>
  value === null || value === '' ? { kind: 'empty' } : { kind: 'text', text: value };
const whole = (value: number): Cell => ({ kind: 'whole', value });
const money = (amount: Kopecks | null): Cell =>
  amount === null ? { kind: 'empty' } : { kind: 'money', value: toRoubles(amount) };
const roubles = (value: number): Cell => ({ kind: 'money', value });
const percent = (value: number | null): Cell => (value === null ? { kind: 'empty' } : { kind: 'money', value });
const day = (value: string | null): Cell => (value === null ? { kind: 'empty' } : { kind: 'day', day: value });
const yes = (value: boolean): Cell => text(value ? 'да' : 'нет');

const part = <Row>(described: Part<Row>): Part => described as unknown as Part;

const placementColumns = exportedFields.flatMap((name): readonly Column<RowByKind['placement']>[] => {
  const column: Column<RowByKind['placement']> = [
    name === 'id' ? 'ID' : placementFields[name].label,
    placementCells[name],
  ];
  const campaign: Column<RowByKind['placement']> = [
    placementFields.campaignId.label,
    ({ campaignId }, names) => text(names.campaign(campaignId)),
  ];
  return name === 'date' ? [column, campaign] : [column];
});

/** Everything that a licence has, apart from its history. What was deleted is in the history alone. */
export const licenceParts: readonly Part[] = [
  part<RowByKind['channel']>({
    path: 'channels',
    about: 'каналы',
    rows: each('channel'),
    wire: presentChannel,
    columns: [
      ['ID', ({ id }) => text(id)],
      ['Название', ({ name }) => text(name)],
      ['Создан', ({ createdAt }) => text(createdAt)],
    ],
  }),
  part<RowByKind['campaign']>({
    path: 'campaigns',
    about: 'кампании; в NDJSON — вместе с участниками и их условиями',
    rows: each('campaign'),
    wire: (row) => presentCampaign(row),
    columns: [
      ['ID', ({ id }) => text(id)],
      ['Название', ({ name }) => text(name)],
      ['Канал', ({ channelId }, names) => text(names.channel(channelId))],
      ['Статус', ({ status }) => text(campaignStatusLabels[status])],
      ['Бюджет', ({ totalBudget }) => money(totalBudget)],
      ['Начало', ({ startDate }) => day(startDate)],
      ['Конец', ({ endDate }) => day(endDate)],
      ['Участники', ({ participants }, names) => text(participants.map(({ userId }) => names.user(userId)).join(', '))],
      ['Создана', ({ createdAt }) => text(createdAt)],
    ],
  }),
  part<RowByKind['creative']>({
    path: 'creatives',
    about: 'креативы, отключённые тоже',
    rows: each('creative'),
    wire: presentCreative,
    columns: [
      ['ID', ({ id }) => text(id)],
      ['Название', ({ name }) => text(name)],
      ['Сокращение', ({ abbreviation }) => text(abbreviation)],
      ['Тип', ({ type }) => text(creativeTypeLabels[type])],
      ['Заметки', ({ notes }) => text(notes)],
      ['Активен', ({ isActive }) => yes(isActive)],
      ['Создан', ({ createdAt }) => text(createdAt)],
    ],
  }),
  part<RowByKind['contractor']>({
    path: 'contractors',
    about: 'контрагенты с итогами, отключённые тоже; в NDJSON — вместе с заметками',
    rows: each('contractor'),
    wire: presentContractor,
    columns: [
      ['ID', ({ id }) => text(id)],
      ['Ник', ({ adminUsername }) => text(adminUsername)],
      ['Другие ники', (row) => text((presentContractor(row).otherUsernames ?? []).join(', '))],
      ['Канал', ({ channelName }) => text(channelName)],
      ['Тематика', ({ category }) => text(showTopic(category))],
      ['Активен', ({ isActive }) => yes(isActive)],
      ['Список', ({ verdict }) => text(verdict === undefined ? null : verdictLabels[verdict.list])],
      ['Причина списка', ({ verdict }) => text(verdict?.reason ?? null)],
      ['Потрачено', ({ totals }) => money(totals.spent)],
      ['Приход', ({ totals }) => whole(totals.leads)],
      ['Размещений', ({ totals }) => whole(totals.placements)],
      ['CPL', (row) => roubles(presentContractor(row).averageCostPerLead)],
      ['Первое размещение', (row) => day(presentContractor(row).firstUsed)],
      ['Последнее размещение', (row) => day(presentContractor(row).lastUsed)],
      ['Создан', ({ createdAt }) => text(createdAt)],
    ],
  }),
  part<RowByKind['note']>({
    path: 'notes',
    about: 'заметки о контрагентах',
    rows: each('note'),
    wire: presentNote,
    columns: [
      ['ID', ({ id }) => text(id)],
      ['Контрагент', ({ contractorId }, names) => text(names.contractor(contractorId))],
      ['Заметка', ({ note }) => text(note)],
      ['Автор', ({ authorName }) => text(authorName)],
      ['Создана', ({ createdAt }) => text(createdAt)],
    ],
  }),
  part<RowByKind['user']>({
    path: 'people',
    about: 'сотрудники, отключённые тоже, без кодов доступа и паролей',
    rows: each('user'),
    wire: (row) => {
      const { authCode: _, ...person } = presentPerson(row, '', false);
      return person;
    },
    columns: [
      ['ID', ({ id }) => text(id)],
      ['Имя', ({ name }) => text(name)],
      ['E-mail', ({ email }) => text(email)],
      ['Роль', ({ role }) => text(roleLabels[role])],
      ['Активен', ({ isActive }) => yes(isActive)],
      ['Схема оплаты', ({ salaryType }) => text(salaryType)],
      ['Ставка, %', ({ salaryRate }) => percent(salaryRate)],
      ['Порог CPL', ({ performanceThreshold }) => money(performanceThreshold)],
      ['Создан', ({ createdAt }) => text(createdAt)],
    ],
  }),
  part<RowByKind['placement']>({
    path: 'placements',
    about: 'размещения',
    rows: each('placement'),
    wire: presentPlacement,
    columns: placementColumns,
  }),
];

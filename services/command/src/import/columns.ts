import type { ImportField, ImportMapping } from '@zakup/contracts/imports';
import { placementFields } from '@zakup/contracts/placement-fields';
import type { Table } from './file/table.ts';
import { textKey } from '@zakup/domain/text-key';

/** What the columns of each field are called: as our own export calls them, and as people do. */
const headings: { readonly [Field in ImportField]: readonly string[] } = {
  id: ['ID', 'Ид', 'ID размещения'],
  date: [placementFields.date.label, 'Дата размещения', 'Дата поста', 'Дата публикации', 'Дата выхода', 'Date'],
  contractor: [
    placementFields.contractorId.label,
    'Ник',
    'Ник контрагента',
    'Канал',
    'Юзернейм',
    'Админ',
    'Продавец',
    'Contractor',
    'Username',
    'Channel',
  ],
  price: [
    placementFields.price.label,
    'Стоимость',
    'Сумма',
    'Расход',
    'Цена, ₽',
    'Цена (₽)',
    'Цена руб',
    'Price',
    'Cost',
  ],
  leads: [placementFields.leads.label, 'Лиды', 'Подписчики', 'Подписок', 'Пришло', 'Leads', 'Subscribers'],
  creative: [placementFields.creativeId.label, 'Крео', 'Креативы', 'Creative'],
  category: [placementFields.category.label, 'Категория', 'Тема', 'Ниша', 'Topic', 'Category'],
  format: [placementFields.format.label, 'Формат размещения', 'Format'],
  buyer: [placementFields.buyerId.label, 'Закупщик', 'Менеджер', 'Медиабайер', 'Медиа-байер', 'Buyer', 'Manager'],
  paymentStatus: [placementFields.paymentStatus.label, 'Статус оплаты', 'Оплачено', 'Payment', 'Paid'],
  status: [placementFields.status.label, 'Статус размещения', 'Status'],
  comment: [placementFields.comment.label, 'Комментарии', 'Примечание', 'Заметка', 'Comment', 'Note'],
  postUrl: [placementFields.postUrl.label, 'Ссылка', 'Пост', 'Post', 'Link', 'URL'],
};

const headingKey = (heading: string): string =>
  textKey(heading)
    .replaceAll(/[*:."«»]/gu, '')
    .trim();

const fieldOfHeading: ReadonlyMap<string, ImportField> = new Map(
  Object.entries(headings).flatMap(([field, names]) =>
    names.map((name) => [headingKey(name), field as ImportField] as const),
  ),
);

export interface ImportColumn {
  readonly index: number;
  readonly header: string;
  readonly field: ImportField | null;
}

const columnsOf = ({ header, rows }: Table): number =>
  rows.reduce((most, { cells }) => Math.max(most, cells.length), header.length);

/**
 * What each column holds: as the mapping says, else as its heading is known. Of several with one heading the first is taken, and none of a
 * field that the mapping gives to another column.
 */
export const importColumns = (table: Table, given: ImportMapping['columns'] = {}): readonly ImportColumn[] => {
  const taken = new Set<ImportField>(Object.values(given).filter((field) => field !== null));
  return Array.from({ length: columnsOf(table) }, (_, index) => {
    const header = table.header[index] ?? '';
    const told = given[String(index)];
    if (told !== undefined) return { index, header, field: told };
    const guessed = fieldOfHeading.get(headingKey(header)) ?? null;
    if (guessed === null || taken.has(guessed)) return { index, header, field: null };
    taken.add(guessed);
    return { index, header, field: guessed };
  });
};

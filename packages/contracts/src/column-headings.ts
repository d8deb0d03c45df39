import { textKey } from '@zakup/domain/text-key';
import type { ImportField } from './imports.ts';
import { placementFields } from './placement-fields.ts';

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

const fieldByHeading: ReadonlyMap<string, ImportField> = new Map(
  Object.entries(headings).flatMap(([field, names]) =>
    names.map((name) => [headingKey(name), field as ImportField] as const),
  ),
);

/** The field whose column people call so; case, blanks and punctuation do not count. `null` = none. */
export const fieldOfHeading = (heading: string): ImportField | null => fieldByHeading.get(headingKey(heading)) ?? null;

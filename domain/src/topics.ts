import type { CampaignStatus } from './campaign/events.ts';
import type { CreativeType } from './creative/events.ts';
import type { EmployeeRole } from './employee/events.ts';
import type { PaymentStatus } from './placement/events.ts';

/** The fixed list of topics, in the order of the field (REF-1). */
export const topics = [
  'Мемы',
  'Юмор',
  'Видео',
  'Музыка',
  'Фильмы',
  'Сериалы',
  'Аниме',
  'Игры',
  'Новости',
  'Политика',
  'Финансы',
  'Инвестиции',
  'Криптовалюты',
  'Бизнес',
  'Маркетинг',
  'Работа и карьера',
  'Путешествия',
  'Авто',
  'Спорт',
  'Фитнес',
  'Здоровье',
  'Красота',
  'Мода',
  'Женское',
  'Мужское',
  'Отношения',
  'Психология',
  'Эзотерика',
  'Астрология',
  'Дети и семья',
  'Кулинария',
  'Дом и ремонт',
  'Сад и дача',
  'Животные',
  'Природа',
  'Наука',
  'Технологии',
  'Программирование',
  'Образование',
  'Языки',
  'Книги',
  'Искусство',
  'Дизайн',
  'Фото',
  'Скидки и товары',
  'Региональные',
] as const;
export type Topic = (typeof topics)[number];

const topicSet: ReadonlySet<string> = new Set(topics);
export const isTopic = (text: string): text is Topic => topicSet.has(text);

/** Shown for a stored category that is empty. */
export const unknownTopic = 'Unknown';

/** Hours on top / hours in the feed. */
export const formats = ['1/24', '1/48', '1/72', '1/∞'] as const;
export type Format = (typeof formats)[number];
export const defaultFormat: Format = '1/24';

const formatSet: ReadonlySet<string> = new Set(formats);
export const isFormat = (text: string): text is Format => formatSet.has(text);

export const creativeTypeLabels: Readonly<Record<CreativeType, string>> = {
  TEXT_ONLY: 'Текст',
  TEXT_WITH_IMAGE: 'Текст с изображением',
  TEXT_WITH_VIDEO: 'Текст с видео',
};

export const paymentLabels: Readonly<Record<PaymentStatus, string>> = { paid: 'Оплачено', unpaid: 'Не оплачено' };

export const roleLabels: Readonly<Record<EmployeeRole, string>> = {
  CEO: 'Владелец',
  CBDO: 'CBDO',
  TEAM_LEAD: 'Тим-лид',
  MEDIA_BUYER: 'Медиа-байер',
  ANALYTIC: 'Аналитик',
};

export const campaignStatusLabels: Readonly<Record<CampaignStatus, string>> = {
  ACTIVE: 'Активная',
  COMPLETED: 'Завершена',
  DRAFT: 'Черновик',
};

export const licenceStatusLabels = {
  active: 'Активна',
  grace_period: 'Льготный период',
  expired: 'Истекла',
  suspended: 'Приостановлена',
} as const;

const label = (labels: Readonly<Record<string, string>>, key: string, otherwise: string): string =>
  Object.hasOwn(labels, key) ? (labels[key] ?? otherwise) : otherwise;

/** Labels of stored values, foreign ones included. */
export const showCreativeType = (type: string): string => label(creativeTypeLabels, type, 'Неизвестный тип');
export const showPayment = (status: string): string => label(paymentLabels, status, 'Неизвестно');
export const showTopic = (category: string): string => (category === '' ? unknownTopic : category);

/** A campaign's name on screen: each `|` with the blanks around it becomes ` - `; a blank name has the default one. */
export const showCampaignName = (name: string): string =>
  name.trim() === '' ? 'Неизвестная кампания' : name.replace(/\s*\|\s*/gu, ' - ');

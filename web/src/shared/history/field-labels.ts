import type { HistoryKind } from '@zakup/contracts/history-fields';
import { placementFieldNames, placementFields } from '@zakup/contracts/placement-fields';

/** The journal's Russian, word by word: kinds of entity, their fields, rights, schemes of pay and doors of a change. */

/** Words by what they stand for. */
export type Words = Readonly<Record<string, string>>;

export const kindWords: Readonly<Record<HistoryKind, string>> = {
  placement: 'Размещение',
  campaign: 'Кампания',
  channel: 'Канал',
  creative: 'Креатив',
  contractor: 'Контрагент',
  user: 'Сотрудник',
  license: 'Лицензия',
};

/** Of many at once: «Размещения: создано 4». */
export const manyWords: Readonly<Record<HistoryKind, string>> = {
  placement: 'Размещения',
  campaign: 'Кампании',
  channel: 'Каналы',
  creative: 'Креативы',
  contractor: 'Контрагенты',
  user: 'Сотрудники',
  license: 'Лицензии',
};

export const fieldWords: Readonly<Record<HistoryKind, Words>> = {
  placement: {
    ...Object.fromEntries(placementFieldNames.map((name) => [name, placementFields[name].label])),
    deleted: 'Удаление',
  },
  campaign: {
    name: 'Название',
    channelId: 'Канал',
    totalBudget: 'Общий бюджет',
    status: 'Статус',
    startDate: 'Начало',
    endDate: 'Окончание',
    participants: 'Участник',
    deleted: 'Удаление',
  },
  channel: { name: 'Название', avatar: 'Аватар', campaigns: 'Кампания', deleted: 'Удаление' },
  creative: {
    name: 'Название',
    abbreviation: 'Сокращение',
    type: 'Тип',
    notes: 'Заметки',
    isActive: 'Отключение',
  },
  contractor: {
    adminUsername: 'Ник',
    channelName: 'Канал контрагента',
    category: 'Тематика',
    isActive: 'Отключение',
    verdict: 'Список',
    verdictReason: 'Причина списка',
    notes: 'Заметка',
    mergedInto: 'Объединение',
    merged: 'Присоединение',
  },
  user: {
    name: 'Имя',
    email: 'Почта',
    role: 'Роль',
    authCode: 'Код доступа',
    isActive: 'Отключение',
    permissions: 'Право',
    isOwner: 'Владелец лицензии',
    salaryType: 'Схема оплаты',
    salaryRate: 'Процент',
    performanceThreshold: 'Порог CPL',
  },
  license: {
    licenseKey: 'Ключ лицензии',
    teamName: 'Команда',
    ownerName: 'Имя владельца',
    ownerEmail: 'Почта владельца',
    ownerTelegram: 'Telegram владельца',
    expiresAt: 'Срок лицензии',
    features: 'Разделы',
    maxConcurrentSessions: 'Мест',
    activated: 'Активация',
    ownerId: 'Владелец',
    ceoLoginCode: 'Код входа владельца',
    suspended: 'Приостановка',
    gracePeriodExpiresAt: 'Льготный период до',
    gracePeriodUsed: 'Льготный период использован',
    expired: 'Срок истёк',
    renewalRequestedAt: 'Запрос на продление',
    closesAt: 'Закрытие лицензии',
    closed: 'Лицензия закрыта',
    buyersEditAll: 'Байеры правят все размещения',
    earningsVisible: 'Заработок коллег виден всем',
    codeOnlyLogin: 'Вход только по коду',
    secondFactorForAll: 'Второй фактор для всех',
    changeGivenPasswords: 'Пароли, заданные другим, меняют при первом входе',
    countZeroLeads: 'Засчитывать размещения без лидов',
    leadValue: 'Цена лида',
  },
};

export const rightWords: Words = {
  dashboard: 'Дашборд',
  analytics: 'Аналитика',
  contractors: 'Контрагенты',
  creatives: 'Креативы',
  settings: 'Настройки',
  campaigns: 'Кампании',
  placements: 'Размещения',
  reports: 'Отчёты и журнал',
  capabilities: 'Возможности',
};

export const schemeWords: Words = { budget: 'от бюджета', performance: 'за результат', percentage: 'от бюджета' };

export const sources = ['screen', 'phone', 'paste', 'undo', 'import', 'api', 'system'] as const;
export type Source = (typeof sources)[number];
export const sourceWords: Readonly<Record<Source, string>> = {
  screen: 'экран',
  phone: 'телефон',
  paste: 'вставка',
  undo: 'отмена',
  import: 'импорт',
  api: 'API',
  system: 'система',
};

/** The word for a key, or the key itself where there is none. */
export const word = (words: Words, key: string): string => (Object.hasOwn(words, key) ? (words[key] ?? key) : key);

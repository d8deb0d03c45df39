import type { HistoryEntry } from '@zakup/contracts/history';
import { historyField, type HistoryKind, type HistoryValue } from '@zakup/contracts/history-fields';
import { parseDay, showDateWithYear, showInstant } from '@zakup/domain/calendar';
import { formatRoubles, fromRoubles, kopecks } from '@zakup/domain/money';
import { noCreative } from '@zakup/domain/placement/events';
import { placementStatusLabels, withoutCreativeLabel } from '@zakup/domain/placement/labels';
import { formatNumber, formatPercent, plural } from '@zakup/domain/russian';
import {
  campaignStatusLabels,
  roleLabels,
  showCampaignName,
  showCreativeType,
  showPayment,
  showTopic,
} from '@zakup/domain/topics';

/** The journal's Russian: every kind of entity, field, value, door and fact, in outside form. */

export type HistoryChangeWire = HistoryEntry['changes'][number];

type Words = Readonly<Record<string, string>>;

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
const manyWords: Readonly<Record<HistoryKind, string>> = {
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
    campaignId: 'Кампания',
    buyerId: 'Байер',
    contractorId: 'Контрагент',
    creativeId: 'Креатив',
    category: 'Тематика',
    format: 'Формат',
    price: 'Цена',
    leads: 'Приход',
    date: 'Дата',
    paymentStatus: 'Оплата',
    status: 'Статус',
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
    ownerTelegram: 'Телеграм владельца',
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
    countZeroLeads: 'Засчитывать размещения без лидов',
    leadValue: 'Цена лида',
  },
};

const rightWords: Words = {
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

const schemeWords: Words = { budget: 'от бюджета', performance: 'за результат', percentage: 'от бюджета' };

export const sources = ['screen', 'phone', 'paste', 'undo', 'import', 'api', 'system'] as const;
export type Source = (typeof sources)[number];
const sourceWords: Readonly<Record<Source, string>> = {
  screen: 'экран',
  phone: 'телефон',
  paste: 'вставка',
  undo: 'отмена',
  import: 'импорт',
  api: 'API',
  system: 'система',
};

export const none = '—';

const isKind = (kind: string): kind is HistoryKind => Object.hasOwn(kindWords, kind);
const word = (words: Words, key: string): string => (Object.hasOwn(words, key) ? (words[key] ?? key) : key);

export const showKind = (kind: string): string => word(kindWords, kind);
export const showSource = (source: string): string => word(sourceWords, source);

/** Who did it; the two that are no people have names of their own. */
export const showActor = ({ userId, name }: HistoryEntry['actor']): string =>
  name !== '' ? name : userId === 'system' ? 'Система' : userId === 'admin' ? 'Администратор' : 'Неизвестный';

const money = (roubles: number): string => formatRoubles(fromRoubles(roubles) ?? kopecks(0));

const partOf = (field: string): readonly [name: string, part: string] => {
  const slash = field.indexOf('/');
  return slash < 0 ? [field, ''] : [field.slice(0, slash), field.slice(slash + 1)];
};

/** «Цена», «Право «Аналитика»», «Участник Анна Соколова». */
export const showField = (kind: string, { field, name }: Pick<HistoryChangeWire, 'field' | 'name'>): string => {
  const [own, part] = partOf(field);
  const label = isKind(kind) ? word(fieldWords[kind], own) : own;
  if (part === '') return label;
  switch (own) {
    case 'permissions':
      return `${label} «${word(rightWords, part)}»`;
    case 'campaigns':
      return `${label} «${showCampaignName(name ?? '')}»`;
    case 'participants':
    case 'merged':
      return name === undefined ? label : `${label} ${name}`;
    default:
      return label;
  }
};

interface TermsValue {
  readonly budget: number;
  readonly salaryType: string | null;
  readonly salaryRate: number | null;
  readonly cplThreshold: number | null;
}

const showPay = ({ salaryType, salaryRate, cplThreshold }: TermsValue): string => {
  if (salaryType === null) return 'условия свои';
  const till = salaryType === 'performance' && cplThreshold !== null ? ` до ${money(cplThreshold)}` : '';
  return `${formatPercent(salaryRate ?? 0)} ${word(schemeWords, salaryType)}${till}`;
};

const isTerms = (value: unknown): value is TermsValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'budget' in value;

const showTermsValue = (value: unknown, hidden: boolean): string => {
  if (!isTerms(value)) return none;
  return `бюджет ${money(value.budget)}, ${hidden ? 'условия скрыты' : showPay(value)}`;
};

const yesNo = (value: boolean): string => (value ? 'да' : 'нет');

const dates: ReadonlySet<string> = new Set(['date', 'startDate', 'endDate']);
const instants: ReadonlySet<string> = new Set(['expiresAt', 'gracePeriodExpiresAt', 'renewalRequestedAt', 'closesAt']);

const showText = (kind: string, field: string, text: string): string => {
  if (dates.has(field)) return parseDay(text) === null ? text : showDateWithYear(text);
  if (instants.has(field)) return Number.isNaN(Date.parse(text)) ? text : showInstant(text);
  switch (field) {
    case 'paymentStatus':
      return showPayment(text);
    case 'category':
      return showTopic(text);
    case 'type':
      return showCreativeType(text);
    case 'role':
      return word(roleLabels, text);
    case 'salaryType':
      return word(schemeWords, text);
    case 'status':
      return kind === 'placement' ? word(placementStatusLabels, text) : word(campaignStatusLabels, text);
    case 'notes':
      return text === '' ? none : `«${text}»`;
    case 'name':
      return kind === 'campaign' ? showCampaignName(text) : text;
    default:
      return text === '' ? none : text;
  }
};

/** A value of a field as a person reads it; `name` is what the id that stands there was called then. */
export const showValue = (kind: string, field: string, value: HistoryValue, name?: string): string => {
  const [own] = partOf(field);
  if (value === null) return own === 'permissions' ? 'по роли' : none;
  const rule = historyField(kind, field);
  switch (rule?.value) {
    case 'money':
      return typeof value === 'number' ? money(value) : none;
    case 'terms':
      return showTermsValue(value, false);
    case 'creative':
      return value === noCreative ? withoutCreativeLabel : (name ?? 'неизвестный креатив');
    case 'campaign':
      return showCampaignName(name ?? '');
    case 'user':
    case 'contractor':
    case 'channel':
      return name ?? 'имя неизвестно';
    case 'plain':
    case undefined:
      break;
  }
  if (typeof value === 'boolean') return own === 'permissions' ? (value ? 'открыто' : 'закрыто') : yesNo(value);
  if (typeof value === 'number') return own === 'salaryRate' ? formatPercent(value) : formatNumber(value);
  if (typeof value === 'string') return showText(kind, own, value);
  if (Array.isArray(value))
    return value
      .map((one: HistoryValue) => (typeof one === 'string' ? (own === 'features' ? word(rightWords, one) : one) : ''))
      .filter((one) => one !== '')
      .join(', ');
  return none;
};

/** «Вернуть 5 100 ₽», «Вернуть «Не оплачено»»; of what was removed or switched off «Вернуть». */
export const backWords = (
  kind: string,
  { field, from, fromName }: Pick<HistoryChangeWire, 'field' | 'from' | 'fromName'>,
): string => {
  if (field === 'deleted' || field === 'isActive') return 'Вернуть';
  const old = showValue(kind, field, from, fromName);
  if (old === none) return 'Вернуть как было';
  return /^[\d@«]/u.test(old) ? `Вернуть ${old}` : `Вернуть «${old}»`;
};

/** A change in words: what, from what, to what; null = nothing stands there. `bad`: something went away. */
export interface ChangeWords {
  readonly label: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly bad?: true;
}

const aboutTerms = (label: string, change: HistoryChangeWire): ChangeWords => {
  const { from, to } = change;
  const hidden = change.hidden === true;
  if (!isTerms(from)) return { label, from: null, to: `добавлен, ${showTermsValue(to, hidden)}` };
  if (!isTerms(to)) return { label, from: showTermsValue(from, hidden), to: 'убран', bad: true };
  const pay = showPay(from) === showPay(to) ? null : ([showPay(from), showPay(to)] as const);
  const budget =
    from.budget === to.budget ? null : ([`бюджет ${money(from.budget)}`, `бюджет ${money(to.budget)}`] as const);
  if (budget === null && pay === null) return { label, from: null, to: hidden ? 'условия изменены' : 'без изменений' };
  const side = (at: 0 | 1): string => [budget?.[at], pay?.[at]].filter((one) => one !== undefined).join(', ');
  return { label, from: side(0), to: side(1) };
};

/** What a change says, in the words of its field. */
export const changeWords = (kind: string, change: HistoryChangeWire): ChangeWords => {
  const { field, from, to, fromName, toName, hidden } = change;
  const [own] = partOf(field);
  const label = showField(kind, change);
  if (own === 'participants') return aboutTerms(label, change);
  if (hidden) {
    const secret = historyField(kind, field)?.seenBy === 'secret';
    return { label, from: null, to: secret ? 'новый, не показывается' : 'значение скрыто' };
  }
  const was = from === null ? null : showValue(kind, field, from, fromName);
  const is = showValue(kind, field, to, toName);
  switch (own) {
    case 'deleted':
      return to === true
        ? { label: 'Удалено', from: null, to: null, bad: true }
        : { label: 'Возвращено', from: null, to: null };
    case 'isActive':
      if (from === null) return { label: 'Включено', from: null, to: null };
      return to === true
        ? { label: 'Снова включено', from: null, to: null }
        : { label: 'Отключено', from: null, to: null, bad: true };
    case 'campaigns':
      return { label, from: null, to: to === null ? 'убрана' : 'добавлена' };
    case 'merged':
      return { label, from: null, to: to === null ? 'отменено' : is };
    case 'mergedInto':
      return to === null ? { label, from: was, to: 'отменено' } : { label, from: null, to: `с ${is}` };
    case 'notes':
      return kind === 'contractor' && to === null
        ? { label: 'Заметка удалена', from: was, to: null }
        : { label, from: was, to: is };
    default:
      return { label, from: was, to: is };
  }
};

/** What of a new entity is worth a line. */
const firstWords: Readonly<Record<HistoryKind, readonly string[]>> = {
  placement: ['price', 'creativeId', 'format'],
  campaign: ['totalBudget', 'channelId'],
  channel: [],
  creative: ['type'],
  contractor: ['category'],
  user: ['role'],
  license: ['teamName'],
};

/** True for an entry that made its entity. */
export const isCreation = ({ revision, changes }: Pick<HistoryEntry, 'revision' | 'changes'>): boolean =>
  revision === 0 && changes.length > 0 && changes.every(({ from }) => from === null);

export const creationWords = ({ entity: { kind }, changes }: Pick<HistoryEntry, 'entity' | 'changes'>): ChangeWords => {
  const wanted = isKind(kind) ? firstWords[kind] : [];
  const told = wanted.flatMap((field) => {
    const change = changes.find((one) => one.field === field);
    return change === undefined || change.hidden ? [] : [showValue(kind, field, change.to, change.toName)];
  });
  return { label: 'Создано', from: null, to: told.length === 0 ? null : told.join(', ') };
};

export const doorWords: Words = {
  employee: 'по коду сотрудника и паролю',
  owner: 'по коду владельца',
  licence: 'по ключу лицензии',
  code: 'только по коду',
  activation: 'активация лицензии',
  password: 'проверка пароля',
};
export const refusalWords: Words = {
  wrong_secret: 'неверный код или пароль',
  wrong_door: 'не та вкладка входа',
  switched_off: 'вход только по коду выключен',
  too_many_tries: 'слишком много попыток',
  licence_inactive: 'лицензия не действует',
  seats_taken: 'все места заняты',
};
export const endWords: Words = {
  revoked: 'завершил сам сотрудник',
  replaced: 'уступила место новому входу',
  reused: 'повторно использован старый ключ сессии',
};

/** Events that change no field. */
export const eventWords: Words = {
  SignedIn: 'Вход',
  SignInRefused: 'Отказ во входе',
  SignedOut: 'Выход',
  SessionsEnded: 'Сессия завершена',
  EmployeeTemporaryPasswordIssued: 'Выдан временный пароль',
  EmployeePasswordChanged: 'Пароль изменён',
  ActivationCodeIssued: 'Выдан код активации',
  ActivationCodeAccepted: 'Код активации принят',
  ActivationCompleted: 'Лицензия активирована',
  LicenceExpiryNoticed: 'Напоминание: срок лицензии подходит к концу',
  LicenceClosingNoticed: 'Напоминание: лицензия скоро закроется',
};

const textOf = (value: HistoryValue | undefined): string => (typeof value === 'string' ? value : '');
const textsOf = (value: HistoryValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** What an event without fields says beside its name, one line each. */
export const factLines = ({ event, facts = {} }: Pick<HistoryEntry, 'event' | 'facts'>): readonly string[] => {
  const network = textOf(facts['network']);
  switch (event) {
    case 'SignedIn':
      return [
        word(doorWords, textOf(facts['door'])),
        ...(facts['knownDevice'] === false ? ['новое устройство'] : []),
        ...(network === '' ? [] : [`сеть ${network}`]),
      ];
    case 'SignInRefused': {
      const count = typeof facts['count'] === 'number' ? facts['count'] : 1;
      const reasons = Object.entries((facts['reasons'] ?? {}) as Readonly<Record<string, number>>);
      const networks = textsOf(facts['networks']);
      return [
        `${formatNumber(count)} ${plural(count, 'попытка', 'попытки', 'попыток')}`,
        ...reasons.map(([reason, times]) =>
          reasons.length === 1 ? word(refusalWords, reason) : `${word(refusalWords, reason)}: ${formatNumber(times)}`,
        ),
        ...textsOf(facts['doors']).map((door) => word(doorWords, door)),
        ...(networks.length === 0
          ? []
          : [`сети ${networks.join(', ')}${facts['moreNetworks'] === true ? ' и другие' : ''}`]),
      ];
    }
    case 'SessionsEnded': {
      const count = textsOf(facts['sessionIds']).length;
      return [word(endWords, textOf(facts['reason'])), ...(count > 1 ? [`сессий: ${formatNumber(count)}`] : [])];
    }
    case 'ActivationCodeIssued': {
      const until = textOf(facts['validUntil']);
      return [
        facts['by'] === 'admin' ? 'администратором' : 'владельцем',
        ...(until === '' ? [] : [`действует до ${showInstant(until)}`]),
      ];
    }
    default:
      return [];
  }
};

export const showEvent = (event: string): string =>
  Object.hasOwn(eventWords, event) ? word(eventWords, event) : 'Изменено';

/** Where it happened: «@kitchen_ads», «Кампания Ноябрь - Подписчики». */
export const showEntity = ({ kind, name }: Pick<HistoryEntry['entity'], 'kind' | 'name'>): string => {
  if (kind === 'placement') return name ?? 'Размещение';
  const shown = name === null ? '' : kind === 'campaign' ? showCampaignName(name) : name;
  return `${showKind(kind)} ${shown}`.trim();
};

export interface Tally {
  readonly kind: string;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
}

/** «Размещения: 4 создано, 1 изменено». */
export const showTally = ({ kind, created, changed, removed }: Tally): string => {
  const counts = [
    created > 0 && `${formatNumber(created)} создано`,
    changed > 0 && `${formatNumber(changed)} изменено`,
    removed > 0 && `${formatNumber(removed)} удалено`,
  ].filter((one) => one !== false);
  return `${isKind(kind) ? manyWords[kind] : kind}: ${counts.join(', ')}`;
};

/** Names of fields for the filter: a name that several kinds have stands once. */
export const filterFields: readonly (readonly [field: string, label: string])[] = (() => {
  const labels = new Map<string, string>();
  for (const kind of Object.keys(fieldWords) as HistoryKind[])
    for (const [field, label] of Object.entries(fieldWords[kind])) if (!labels.has(field)) labels.set(field, label);
  labels.set('name', 'Название, имя');
  labels.set('isActive', 'Отключение и возврат');
  labels.set('deleted', 'Удаление и возврат');
  labels.set('notes', 'Заметки');
  labels.set('participants', 'Участники и условия');
  labels.set('permissions', 'Права');
  return [...labels].sort(([, a], [, b]) => a.localeCompare(b, 'ru'));
})();

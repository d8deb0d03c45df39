import type { HistoryEntry } from '@zakup/contracts/history';
import { historyField, type HistoryKind, type HistoryValue } from '@zakup/contracts/history-fields';
import { parseDay, showDateWithYear } from '@zakup/domain/calendar';
import { verdictLabels } from '@zakup/domain/contractor/labels';
import { showInstant } from '../day/shown-day.ts';
import { noCreative } from '@zakup/domain/placement/events';
import { placementStatusLabels, withoutCreativeLabel } from '@zakup/domain/placement/labels';
import { formatNumber, formatPercent } from '@zakup/domain/russian';
import {
  campaignStatusLabels,
  roleLabels,
  showCampaignName,
  showCreativeType,
  showPayment,
  showTopic,
} from '@zakup/domain/topics';
import { fieldWords, kindWords, manyWords, rightWords, schemeWords, sourceWords, word } from './field-labels.ts';
import { roubles } from '../money/roubles.ts';

/** The journal's Russian: every kind of entity, field, value, door and fact, in outside form. */

export type HistoryChangeWire = HistoryEntry['changes'][number];

export const none = '—';

const isKind = (kind: string): kind is HistoryKind => Object.hasOwn(kindWords, kind);

export const showKind = (kind: string): string => word(kindWords, kind);
export const showSource = (source: string): string => word(sourceWords, source);

/** Who did it; the two that are no people have names of their own. */
export const showActor = ({ userId, name }: HistoryEntry['actor']): string =>
  name !== '' ? name : userId === 'system' ? 'Система' : userId === 'admin' ? 'Администратор' : 'Неизвестный';

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
  const till = salaryType === 'performance' && cplThreshold !== null ? ` до ${roubles(cplThreshold)}` : '';
  return `${formatPercent(salaryRate ?? 0)} ${word(schemeWords, salaryType)}${till}`;
};

const isTerms = (value: unknown): value is TermsValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'budget' in value;

const showTermsValue = (value: unknown, hidden: boolean): string => {
  if (!isTerms(value)) return none;
  return `бюджет ${roubles(value.budget)}, ${hidden ? 'условия скрыты' : showPay(value)}`;
};

/** A list with its reason, as two who set it at once are told of. */
const isVerdict = (value: unknown): value is { readonly list: string; readonly reason: string } =>
  typeof value === 'object' && value !== null && 'list' in value;

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
    case 'verdict':
      return word(verdictLabels, text);
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
      return typeof value === 'number' ? roubles(value) : none;
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
  if (isVerdict(value)) return `${word(verdictLabels, value.list)}, ${value.reason}`;
  if (Array.isArray(value))
    return value
      .map((one: HistoryValue) => (typeof one === 'string' ? (own === 'features' ? word(rightWords, one) : one) : ''))
      .filter((one) => one !== '')
      .join(', ');
  return none;
};

/** A longer value is not told on a button. */
const longestBack = 60;

/** «Вернуть 5 100 ₽», «Вернуть «Не оплачено»»; of what was removed or switched off «Вернуть». */
export const backWords = (
  kind: string,
  { field, from, fromName }: Pick<HistoryChangeWire, 'field' | 'from' | 'fromName'>,
): string => {
  if (field === 'deleted' || field === 'isActive') return 'Вернуть';
  const old = showValue(kind, field, from, fromName);
  if (old === none || old.length > longestBack) return 'Вернуть как было';
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
    from.budget === to.budget ? null : ([`бюджет ${roubles(from.budget)}`, `бюджет ${roubles(to.budget)}`] as const);
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

/** With what an entity was made: of the fields that are `wanted`. */
export const creationWords = (
  { entity: { kind }, changes }: Pick<HistoryEntry, 'entity' | 'changes'>,
  wanted: readonly string[] = isKind(kind) ? firstWords[kind] : [],
): ChangeWords => {
  const told = wanted.flatMap((field) => {
    const change = changes.find((one) => one.field === field);
    return change === undefined || change.hidden ? [] : [showValue(kind, field, change.to, change.toName)];
  });
  return { label: 'Создано', from: null, to: told.length === 0 ? null : told.join(', ') };
};

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

/** «Размещения: создано 4, изменено 1». */
export const showTally = ({ kind, created, changed, removed }: Tally): string => {
  const counts = [
    created > 0 && `создано ${formatNumber(created)}`,
    changed > 0 && `изменено ${formatNumber(changed)}`,
    removed > 0 && `удалено ${formatNumber(removed)}`,
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
  labels.set('campaigns', 'Кампании канала');
  labels.set('permissions', 'Права');
  return [...labels].sort(([, a], [, b]) => a.localeCompare(b, 'ru'));
})();

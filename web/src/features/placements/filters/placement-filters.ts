import type { Query } from '../../../shared/api/api-client.ts';
import { parseRoubles, toRoubles } from '@zakup/domain/money';
import { readLeads } from '@zakup/domain/leads';
import { formatNumber } from '@zakup/domain/russian';
import { parseDay } from '@zakup/domain/calendar';
import { showDate } from '../../../shared/day/shown-day.ts';
import { noCreative } from '@zakup/domain/placement/events';
import { placementStatusLabels } from '@zakup/domain/placement/labels';
import { containing } from '@zakup/domain/search-text';
import { showPayment, showTopic } from '@zakup/domain/topics';
import { anyStatus } from '@zakup/domain/views/view-parameters';
import type { LineagePart } from '../../../shared/explanations/lineage.ts';
import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { roubles } from '../../../shared/money/roubles.ts';
import { isHeld } from '../../../shared/outbox/entry.ts';
import { type Names, type PlacementRow, withoutCreative } from '../rows/placement-row.ts';

/** What narrows the table; empty = does not. Days are `YYYY-MM-DD`; prices, leads and CPL as typed. */
export interface PlacementFilters {
  readonly search: string;
  /** Of a list any value. */
  readonly buyerId: readonly string[];
  readonly creativeId: readonly string[];
  readonly category: readonly string[];
  readonly format: readonly string[];
  readonly paymentStatus: readonly string[];
  /** Empty = all but those taken down early, `any` alone = those too. */
  readonly status: readonly string[];
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly priceFrom: string;
  readonly priceTo: string;
  readonly leadsFrom: string;
  readonly leadsTo: string;
  /** Rows without leads are within no bound of it. */
  readonly cplFrom: string;
  readonly cplTo: string;
}
export type FilterName = keyof PlacementFilters;
export const listFilters = ['buyerId', 'creativeId', 'category', 'format', 'paymentStatus', 'status'] as const;
/** Those of which several values can be chosen. */
export type ListFilter = (typeof listFilters)[number];

export const withoutFilters: PlacementFilters = {
  search: '',
  buyerId: [],
  creativeId: [],
  category: [],
  format: [],
  paymentStatus: [],
  status: [],
  dateFrom: '',
  dateTo: '',
  priceFrom: '',
  priceTo: '',
  leadsFrom: '',
  leadsTo: '',
  cplFrom: '',
  cplTo: '',
};
export const filterNames = Object.keys(withoutFilters) as readonly FilterName[];
const hiddenStatus = 'REMOVED_EARLY';

const isAnyStatus = ({ status }: PlacementFilters): boolean => status.includes(anyStatus);

/** In roubles; `null` while it is no price. */
export const priceOf = (typed: string): number | null => {
  const amount = typed.trim() === '' ? null : parseRoubles(typed);
  return amount === null ? null : toRoubles(amount);
};

/** A whole number; `null` while it is none. */
export const leadsOf = (typed: string): number | null => (typed.trim() === '' ? null : readLeads(typed.trim()));

/** What was typed must stay in sight until it is settled, whatever narrows the table. */
const isUnsettled = ({ kind, entries }: PlacementRow): boolean =>
  kind === 'new' ||
  entries.some((entry) => entry.state.kind === 'rejected' || entry.state.kind === 'conflict' || isHeld(entry));

/** Asks of each text once, as rows share most of theirs. */
const askedOnce = <Key>(ask: (key: Key) => boolean): ((key: Key) => boolean) => {
  const known = new Map<Key, boolean>();
  return (key) => {
    let answer = known.get(key);
    if (answer === undefined) {
      answer = ask(key);
      known.set(key, answer);
    }
    return answer;
  };
};

/** Finds what was typed in the nick, its channel, the topic, the creative, the buyer or the comment. */
const searching = (search: string, names: Names): ((row: PlacementRow) => boolean) => {
  const isIn = containing(search);
  const contains = askedOnce(isIn);
  const isOfChannel = askedOnce((contractorId: string) => isIn(names.contractors.get(contractorId)?.channelName ?? ''));
  const isOfTopic = askedOnce((category: string) => isIn(showTopic(category)));
  return ({ nick, creativeName, buyerName, placement: { contractorId, category, comment } }) =>
    contains(nick) ||
    isOfChannel(contractorId) ||
    isOfTopic(category) ||
    contains(creativeName) ||
    contains(buyerName) ||
    (comment !== '' && contains(comment));
};

/** One thing that filters ask of a row. */
interface Condition {
  readonly isMet: (row: PlacementRow) => boolean;
  /** What is said of a row that does not meet it. */
  readonly reason: string;
}

const reasons = {
  buyerId: 'Другой байер',
  creativeId: 'Другой креатив',
  category: 'Другая тематика',
  format: 'Другой формат',
} as const;

/** All that the filters ask of what a row's cells show; the one contractor asked for is a filter too. */
const conditionsOf = (filters: PlacementFilters, contractorId: string | null, names: Names): readonly Condition[] => {
  const [from, to] = [parseDay(filters.dateFrom), parseDay(filters.dateTo)];
  const [least, most] = [priceOf(filters.priceFrom), priceOf(filters.priceTo)];
  const [fewest, mostLeads] = [leadsOf(filters.leadsFrom), leadsOf(filters.leadsTo)];
  const [cheapest, dearest] = [priceOf(filters.cplFrom), priceOf(filters.cplTo)];
  const search = filters.search.trim();
  const conditions: Condition[] = [];
  const ask = (reason: string, isMet: Condition['isMet']): void => {
    conditions.push({ reason, isMet });
  };
  const askAmong = (name: ListFilter, reason: string): void => {
    const wanted: ReadonlySet<string> = new Set(filters[name]);
    if (wanted.size > 0) ask(reason, ({ placement }) => wanted.has(placement[name]));
  };
  for (const name of ['buyerId', 'creativeId', 'category', 'format'] as const) askAmong(name, reasons[name]);
  askAmong('paymentStatus', filters.paymentStatus.includes('paid') ? 'Не оплачено' : 'Оплачено');
  if (contractorId !== null) ask('Другой контрагент', ({ placement }) => placement.contractorId === contractorId);
  if (filters.status.length === 0)
    ask(placementStatusLabels[hiddenStatus], ({ placement }) => placement.status !== hiddenStatus);
  else if (!isAnyStatus(filters)) askAmong('status', 'Другой статус');
  if (from !== null) ask(`Дата раньше ${showDate(from)}`, ({ placement }) => placement.date >= from);
  if (to !== null) ask(`Дата позже ${showDate(to)}`, ({ placement }) => placement.date <= to);
  if (least !== null) ask(`Цена ниже ${roubles(least)}`, ({ placement }) => placement.price >= least);
  if (most !== null) ask(`Цена выше ${roubles(most)}`, ({ placement }) => placement.price <= most);
  if (fewest !== null) ask(`Приход меньше ${formatNumber(fewest)}`, ({ placement }) => placement.leads >= fewest);
  if (mostLeads !== null)
    ask(`Приход больше ${formatNumber(mostLeads)}`, ({ placement }) => placement.leads <= mostLeads);
  if (cheapest !== null || dearest !== null) ask('Лидов пока нет', ({ placement }) => placement.leads > 0);
  if (cheapest !== null) ask(`CPL ниже ${roubles(cheapest)}`, ({ placement }) => placement.costPerLead >= cheapest);
  if (dearest !== null) ask(`CPL выше ${roubles(dearest)}`, ({ placement }) => placement.costPerLead <= dearest);
  if (search !== '') ask(`Не содержит «${search}»`, searching(filters.search, names));
  return conditions;
};

type Fits = (row: PlacementRow) => boolean;

/** What a question asks for. */
interface Question {
  readonly filters: PlacementFilters;
  readonly contractorId: string | null;
  readonly names: Names;
}
const questions = new WeakMap<Fits, Question>();

/** What one that was made here asks for. */
export const questionOf = (fits: Fits): Question => {
  const question = questions.get(fits);
  if (question === undefined) throw new Error('This is no question of the filters');
  return question;
};

/** Whether what a row's cells show passes the filters. */
export const fitsFilters = (filters: PlacementFilters, contractorId: string | null, names: Names): Fits => {
  const checks = conditionsOf(filters, contractorId, names).map(({ isMet }) => isMet);
  // Asked of every row with each key that is typed.
  const fits: Fits = (row) => {
    for (const isMet of checks) if (!isMet(row)) return false;
    return true;
  };
  questions.set(fits, { filters, contractorId, names });
  return fits;
};

/** Why a row does not pass the filters; null = it does. */
export const whyUnfit = (
  filters: PlacementFilters,
  contractorId: string | null,
  names: Names,
): ((row: PlacementRow) => string | null) => {
  const conditions = conditionsOf(filters, contractorId, names);
  return (row) => conditions.find(({ isMet }) => !isMet(row))?.reason ?? null;
};

/** Whether the table shows it: it fits, or has something of its own to say. */
export const isInSight = (fits: Fits): Fits => {
  const seen: Fits = (row) => isUnsettled(row) || fits(row);
  const question = questions.get(fits);
  if (question) questions.set(seen, question);
  return seen;
};

/** Whether one of two questions about what is in sight lets through nothing that the wider one does not: its search has a letter more, all else is the same. */
export const narrowsSight = (fits: Fits, wider: Fits): boolean => {
  const [one, other] = [questions.get(fits), questions.get(wider)];
  if (one === undefined || other === undefined) return false;
  const isSame = (name: FilterName): boolean => name === 'search' || one.filters[name] === other.filters[name];
  return (
    one.contractorId === other.contractorId &&
    one.names === other.names &&
    filterNames.every(isSame) &&
    containing(other.filters.search)(one.filters.search)
  );
};

/** Whether its status keeps a row out of sight when no filter says anything of it. */
export const isTakenDown = ({ placement }: PlacementRow): boolean => placement.status === hiddenStatus;

/** How many rows only their status keeps out of sight, though nobody asked for that; `takenDown`: of all rows. */
export const hiddenCount = (takenDown: number, { status }: PlacementFilters): number =>
  status.length === 0 ? takenDown : 0;

export interface FilterChip {
  readonly text: string;
  /** The same with everything that `text` only counts. */
  readonly whole: string;
  /** What to set to take it away. */
  readonly clears: readonly FilterName[];
}

/** A list by its names: two of them, of more the first and how many others. */
const listed = (label: string, names: readonly string[]): Omit<FilterChip, 'clears'> => {
  const [first, ...others] = names;
  const whole = `${label}: ${names.join(', ')}`;
  return { whole, text: others.length > 1 ? `${label}: ${first} и ещё ${formatNumber(others.length)}` : whole };
};

const listChip = (name: ListFilter, filters: PlacementFilters, names: Names): Omit<FilterChip, 'clears'> => {
  const values = filters[name];
  const plain = (text: string) => ({ text, whole: text });
  switch (name) {
    case 'buyerId':
      return listed(
        'Байер',
        values.map((id) => names.users.get(id)?.name ?? '…'),
      );
    case 'creativeId':
      return listed(
        'Креатив',
        values.map((id) => (id === noCreative ? withoutCreative : (names.creatives.get(id)?.name ?? '…'))),
      );
    case 'category':
      return listed('Тематика', values);
    case 'format':
      return listed('Формат', values);
    case 'paymentStatus':
      return values.length > 1 ? listed('Оплата', values.map(showPayment)) : plain(showPayment(values[0] ?? ''));
    case 'status':
      return isAnyStatus(filters)
        ? plain('Все статусы')
        : listed(
            'Статус',
            values.map((status) => placementStatusLabels[status as keyof typeof placementStatusLabels] ?? status),
          );
  }
};

const range = (from: string, to: string): string => [from && `от ${from}`, to && `до ${to}`].filter(Boolean).join(' ');

/** The filters that are on, in words. */
export const filterChips = (filters: PlacementFilters, names: Names): readonly FilterChip[] => {
  const shown = (name: 'priceFrom' | 'priceTo' | 'cplFrom' | 'cplTo'): string => {
    const amount = priceOf(filters[name]);
    return amount === null ? '' : roubles(amount);
  };
  const day = (name: 'dateFrom' | 'dateTo'): string => {
    const found = parseDay(filters[name]);
    return found === null ? '' : showDate(found);
  };
  const days = range(day('dateFrom'), day('dateTo'));
  const count = (name: 'leadsFrom' | 'leadsTo'): string => {
    const found = leadsOf(filters[name]);
    return found === null ? '' : formatNumber(found);
  };
  const leads = range(count('leadsFrom'), count('leadsTo'));
  const cpl = range(shown('cplFrom'), shown('cplTo'));
  const prices = range(shown('priceFrom'), shown('priceTo'));
  const said = (label: string, value: string, clears: readonly FilterName[]): readonly FilterChip[] => {
    const text = `${label}: ${value}`;
    return value === '' ? [] : [{ text, whole: text, clears }];
  };
  return [
    ...said('Найти', filters.search.trim(), ['search']),
    ...listFilters
      .filter((name) => filters[name].length > 0)
      .map((name) => ({ ...listChip(name, filters, names), clears: [name] })),
    ...said('Дата', days, ['dateFrom', 'dateTo']),
    ...said('Цена', prices, ['priceFrom', 'priceTo']),
    ...said('Приход', leads, ['leadsFrom', 'leadsTo']),
    ...said('CPL', cpl, ['cplFrom', 'cplTo']),
  ];
};

const sorts: Readonly<Record<string, string>> = {
  contractor: 'contractorId',
  cpl: 'costPerLead',
  creative: 'creativeId',
  topic: 'category',
  buyer: 'buyerId',
  payment: 'paymentStatus',
};

/** What the filters ask for as values, however it was typed: amounts in roubles, days as `YYYY-MM-DD`; null, '' or an empty list = nothing. */
export const narrowingOf = (filters: PlacementFilters) => ({
  search: filters.search.trim(),
  buyerId: filters.buyerId,
  creativeId: filters.creativeId,
  category: filters.category,
  format: filters.format,
  paymentStatus: filters.paymentStatus,
  status: filters.status,
  dateFrom: parseDay(filters.dateFrom),
  dateTo: parseDay(filters.dateTo),
  priceFrom: priceOf(filters.priceFrom),
  priceTo: priceOf(filters.priceTo),
  leadsFrom: leadsOf(filters.leadsFrom),
  leadsTo: leadsOf(filters.leadsTo),
  cplFrom: priceOf(filters.cplFrom),
  cplTo: priceOf(filters.cplTo),
});

/** What is asked of the server for the same rows: only what narrows them. */
const asked = (filters: PlacementFilters, contractorId: string | null) => {
  const all = {
    ...narrowingOf(filters),
    status: isAnyStatus(filters) ? [] : filters.status,
    statusNot: filters.status.length === 0 ? hiddenStatus : '',
    contractorId,
  };
  const given = Object.entries(all).filter(
    ([, value]) => value !== null && (typeof value === 'number' || value.length > 0),
  );
  return Object.fromEntries(given) as { readonly [Name in keyof typeof all]?: NonNullable<(typeof all)[Name]> };
};

/** The query of the file with the same rows in the same order. */
export const exportQuery = (
  format: 'csv' | 'xlsx',
  filters: PlacementFilters,
  contractorId: string | null,
  sorting: GridSorting,
): Query => {
  const { format: placementFormat, ...given } = asked(filters, contractorId);
  return {
    format,
    sortBy: sorts[sorting.columnId] ?? sorting.columnId,
    sortOrder: sorting.order,
    ...given,
    ...(placementFormat !== undefined && { placementFormat }),
  };
};

/** The query of one page of these rows. */
export const pageQuery = (
  filters: PlacementFilters,
  contractorId: string | null,
  sorting: GridSorting,
  page: { readonly page: number; readonly pageSize: number },
): Query => ({
  sortBy: sorts[sorting.columnId] ?? sorting.columnId,
  sortOrder: sorting.order,
  ...page,
  ...asked(filters, contractorId),
});

/** By what the lineage of a figure is narrowed to the same rows. */
export const lineagePart = (filters: PlacementFilters, contractorId: string | null): LineagePart => {
  const { buyerId: userId, dateFrom: from, dateTo: to, ...given } = asked(filters, contractorId);
  return {
    ...given,
    ...(userId !== undefined && { userId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
};

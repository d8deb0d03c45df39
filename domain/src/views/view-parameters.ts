import { parseDay } from '../calendar.ts';
import { readLeads } from '../leads.ts';
import { parseRoubles } from '../money.ts';
import { placementStatusLabels } from '../placement/labels.ts';
import { isFormat, isTopic } from '../topics.ts';

/** What an address says of the view of a campaign's table (TABLE-36): the names of its members, and what their values may be. */

export const groupings = ['buyer', 'creative', 'week'] as const;
/** By what rows stand together. */
export type Grouping = (typeof groupings)[number];

/** As a filter on the status says all of them. */
export const anyStatus = 'any';

/** Columns by which the table can be sorted. */
export const sortableColumns: readonly string[] = [
  'date',
  'contractor',
  'price',
  'leads',
  'cpl',
  'creative',
  'topic',
  'format',
  'buyer',
  'status',
  'payment',
  'comment',
  'post',
];

/** No list of values is longer. */
export const mostValues = 150;

/** As ids are, and nothing that could be read as anything else. */
export const isId = (text: string): boolean => /^[\w~-]{1,200}$/u.test(text);
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/u.test(text) && parseDay(text) !== null;
/** Roubles with at most two decimals. */
export const isAmount = (text: string): boolean => /^\d{1,12}(\.\d{1,2})?$/u.test(text) && parseRoubles(text) !== null;
const isCount = (text: string): boolean => /^\d{1,12}$/u.test(text) && readLeads(text) !== null;
const isOneOf = (values: readonly string[]) => (text: string) => values.includes(text);

export interface ViewParameter {
  readonly name: string;
  /** What a person calls it. */
  readonly label: string;
  /** Whether several values may be chosen. */
  readonly isList: boolean;
  /** Whether it is a value of its kind; what there is of it now is another question. */
  readonly isValue: (text: string) => boolean;
}

const one = (name: string, label: string, isValue: ViewParameter['isValue']): ViewParameter => ({
  name,
  label,
  isList: false,
  isValue,
});
const list = (name: string, label: string, isValue: ViewParameter['isValue']): ViewParameter => ({
  name,
  label,
  isList: true,
  isValue,
});

/** By the names of the filters, in the order in which they stand in an address. */
export const filterParameters = {
  search: one('search', 'поиск', (text) => text.length <= 100),
  buyerId: list('buyer', 'байер', isId),
  creativeId: list('creative', 'креатив', isId),
  category: list('topic', 'тематика', isTopic),
  format: list('format', 'формат', isFormat),
  paymentStatus: list('payment', 'оплата', isOneOf(['paid', 'unpaid'])),
  status: list('status', 'статус', isOneOf([anyStatus, ...Object.keys(placementStatusLabels)])),
  dateFrom: one('from', 'дата с', isDay),
  dateTo: one('to', 'дата по', isDay),
  priceFrom: one('priceFrom', 'цена от', isAmount),
  priceTo: one('priceTo', 'цена до', isAmount),
  leadsFrom: one('leadsFrom', 'приход от', isCount),
  leadsTo: one('leadsTo', 'приход до', isCount),
  cplFrom: one('cplFrom', 'CPL от', isAmount),
  cplTo: one('cplTo', 'CPL до', isAmount),
} as const satisfies Readonly<Record<string, ViewParameter>>;

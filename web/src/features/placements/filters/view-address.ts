import {
  filterParameters,
  type Grouping,
  groupings,
  isAmount,
  isId,
  mostValues,
  sortableColumns,
  type ViewParameter,
} from '@zakup/domain/views/view-parameters';
import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { type FilterName, narrowingOf, type PlacementFilters } from './placement-filters.ts';

/** What a link to the table of a campaign says: which rows, in which order and groups, from which page on. */
export interface TableView {
  readonly filters: PlacementFilters;
  /** The one contractor whose placements are shown. */
  readonly contractorId: string | null;
  readonly sorting: GridSorting;
  /** Null = in one list. */
  readonly grouping: Grouping | null;
  /** From 1. */
  readonly page: number;
}

/** What an address says of a view. */
export interface AddressedView {
  readonly view: TableView;
  /** What it asks for that is no value of its kind, in words. */
  readonly dropped: readonly string[];
}

const parameters: Readonly<Record<FilterName, ViewParameter>> = filterParameters;
const filterNames = Object.keys(parameters) as readonly FilterName[];

/** In this order they stand in an address. */
const names: readonly string[] = [
  ...filterNames.map((name) => parameters[name].name),
  'contractor',
  'sort',
  'group',
  'page',
];

/** The part of an address that says something of a view, its names always in the same order; '' = nothing. */
export const viewTextIn = (params: URLSearchParams): string =>
  new URLSearchParams(names.flatMap((name) => params.getAll(name).map((value) => [name, value]))).toString();

/** A view as the part of an address; it always says the order, so that no link is without a view. */
export const viewText = ({ filters, contractorId, sorting, grouping, page }: TableView): string => {
  const narrowing = narrowingOf(filters);
  const entries = filterNames.flatMap((name) =>
    [narrowing[name]]
      .flat()
      .filter((value) => value !== null && value !== '')
      .map((value) => [parameters[name].name, String(value)]),
  );
  if (contractorId !== null) entries.push(['contractor', contractorId]);
  entries.push(['sort', sorting.order === 'desc' ? `-${sorting.columnId}` : sorting.columnId]);
  if (grouping !== null) entries.push(['group', grouping]);
  if (page > 1) entries.push(['page', String(page)]);
  return new URLSearchParams(entries).toString();
};

/** The address with another view, or none (''); what else it says stays. */
export const withViewText = (params: URLSearchParams, text: string): URLSearchParams => {
  const others = [...params].filter(([name]) => !names.includes(name));
  return new URLSearchParams([...others, ...new URLSearchParams(text)]);
};

const sortingIn = (text: string): GridSorting | null => {
  const isDescending = text.startsWith('-');
  const columnId = isDescending ? text.slice(1) : text;
  return sortableColumns.includes(columnId) ? { columnId, order: isDescending ? 'desc' : 'asc' } : null;
};

const pageIn = (text: string): number | null => (/^[1-9]\d{0,5}$/u.test(text) ? Number(text) : null);

/** The view that an address asks for, without what is no value of its kind; `usual` is the order where it says none. */
export const viewIn = (params: URLSearchParams, usual: GridSorting): AddressedView => {
  const dropped: string[] = [];
  const one = <Value>(name: string, label: string, read: (text: string) => Value | null): Value | null => {
    const given = params.get(name)?.trim() ?? '';
    const value = given === '' ? null : read(given);
    if (given !== '' && value === null) dropped.push(label);
    return value;
  };
  const valuesOf = (name: FilterName): readonly string[] => {
    const { name: asked, label, isList, isValue } = parameters[name];
    const given = [...new Set(params.getAll(asked).map((text) => text.trim()))].filter((text) => text !== '');
    const values = given.filter(isValue).slice(0, isList ? mostValues : 1);
    if (values.length < given.length) dropped.push(label);
    return values;
  };
  const filterIn = (name: FilterName): string | readonly string[] => {
    const values = valuesOf(name);
    const [value = ''] = values;
    // As a person types it.
    return parameters[name].isList ? values : parameters[name].isValue === isAmount ? value.replace('.', ',') : value;
  };
  const filters = Object.fromEntries(filterNames.map((name) => [name, filterIn(name)])) as unknown as PlacementFilters;
  const contractorId = one('contractor', 'контрагент', (text) => (isId(text) ? text : null));
  const sorting = one('sort', 'порядок', sortingIn) ?? usual;
  const grouping = one('group', 'группировка', (text) => groupings.find((known) => known === text) ?? null);
  const page = one('page', 'страница', pageIn) ?? 1;
  return { view: { filters, contractorId, sorting, grouping, page }, dropped };
};

/** What is said where a link asks for more than there is. */
export const droppedText = (dropped: readonly string[]): string =>
  `В ссылке есть то, чего здесь нет: ${dropped.join(', ')}. Показано без этого`;

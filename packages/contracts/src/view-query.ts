import {
  filterParameters,
  groupings,
  isId,
  mostValues,
  sortableColumns,
  type ViewParameter,
} from '@zakup/domain/views/view-parameters';

/** No stored view is longer: two whole lists of ids and everything else. */
const longest = 12_000;

const parameters: readonly ViewParameter[] = [
  ...Object.values(filterParameters),
  { name: 'contractor', label: 'контрагент', isList: false, isValue: isId },
  {
    name: 'sort',
    label: 'порядок',
    isList: false,
    isValue: (text) => sortableColumns.includes(text.replace(/^-/u, '')),
  },
  {
    name: 'group',
    label: 'группировка',
    isList: false,
    isValue: (text) => groupings.some((known) => known === text),
  },
];
/** It is of the moment, and no part of a view that is kept. */
const page = 'page';

/** The query of a table's address (TABLE-36) as views are kept: its members in their order, without the page; `null` = it is none. */
export const parseViewQuery = (text: string): string | null => {
  if (text.length > longest) return null;
  const given = new URLSearchParams(text);
  const known = new Set([...parameters.map(({ name }) => name), page]);
  if ([...given.keys()].some((name) => !known.has(name))) return null;
  const entries: [string, string][] = [];
  for (const { name, isList, isValue } of parameters) {
    const values = given.getAll(name);
    if (values.length > (isList ? mostValues : 1) || new Set(values).size < values.length) return null;
    if (values.some((value) => value === '' || !isValue(value))) return null;
    entries.push(...values.map((value): [string, string] => [name, value]));
  }
  const query = new URLSearchParams(entries).toString();
  return query.length > longest ? null : query;
};

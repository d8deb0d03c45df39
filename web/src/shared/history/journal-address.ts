/** The journal's filters, by name of the call's query and of the address. */
export const filterNames = ['search', 'from', 'to', 'person', 'campaign', 'field', 'entity', 'source'] as const;
export type FilterName = (typeof filterNames)[number];

/** Absent = everything. `entity`: `<kind>:<id>`; `from` and `to`: a day or an instant with its zone. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** The filters that an address asks for; the rest of it is another's. */
export const filtersIn = (params: URLSearchParams): Filters =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = params.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value] as const];
    }),
  );

/** Where the journal shows what fits. */
export const journalPath = (filters: Filters): string => {
  const query = new URLSearchParams(
    filterNames.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  ).toString();
  return query === '' ? '/journal' : `/journal?${query}`;
};

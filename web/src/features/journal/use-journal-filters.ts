import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

export const filterNames = ['search', 'from', 'to', 'person', 'campaign', 'field', 'entity', 'source'] as const;
export type FilterName = (typeof filterNames)[number];

/** By name of the call's query; absent = everything. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

const blank = Object.fromEntries(filterNames.map((name) => [name, ''])) as Readonly<Record<FilterName, string>>;

export interface JournalFiltering {
  readonly filters: Filters;
  /** A blank value takes the filter away. */
  readonly change: (changes: Filters) => void;
  /** In place of all others. */
  readonly only: (filter: Filters) => void;
  readonly reset: () => void;
}

/** The journal's filters, which live in the address. */
export const useJournalFilters = (): JournalFiltering => {
  const [params, setParams] = useSearchParams();
  const text = params.toString();
  const filters = useMemo((): Filters => {
    const all = new URLSearchParams(text);
    return Object.fromEntries(
      filterNames.flatMap((name) => {
        const value = all.get(name)?.trim() ?? '';
        return value === '' ? [] : [[name, value] as const];
      }),
    );
  }, [text]);
  const change = (changes: Filters): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes))
          if (value === '') next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return {
    filters,
    change,
    only: (filter) => change({ ...blank, ...filter }),
    reset: () => change(blank),
  };
};

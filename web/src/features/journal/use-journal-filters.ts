import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type FilterName, type Filters, filterNames, filtersIn } from '../../shared/history/journal-address.ts';

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
  const filters = useMemo(() => filtersIn(new URLSearchParams(text)), [text]);
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

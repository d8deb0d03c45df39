import { useState } from 'react';
import { matches } from '../ui/matching.ts';
import type { ChoiceOption } from './grid-column.ts';

/** What of a list fits what is typed, and which one of it is wanted: the first that fits, until keys go on from there. */
export const useChoice = (options: readonly ChoiceOption[], value: string, typed: string | null) => {
  const [search, setSearch] = useState(typed ?? '');
  const [wanted, setWanted] = useState(value);
  const shown = options.filter((option) => matches(option.label, search));
  const at = Math.max(
    0,
    shown.findIndex((option) => option.value === wanted),
  );
  return {
    search,
    shown,
    at,
    current: shown[at],
    step: (by: number): void => {
      const next = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
      if (next) setWanted(next.value);
    },
    type: (text: string): void => {
      setSearch(text);
      const first = options.find((option) => matches(option.label, text));
      if (first) setWanted(first.value);
    },
  };
};

import { useState } from 'react';
import { textKey } from '@zakup/domain/text-key';
import { matches } from '../ui/matching.ts';
import type { ChoiceOption } from './grid-column.ts';

/** The option of exactly that name goes before those that contain what is typed. */
const optionFor = (options: readonly ChoiceOption[], typed: string): ChoiceOption | undefined =>
  options.find(({ label }) => textKey(label) === textKey(typed)) ?? options.find(({ label }) => matches(label, typed));

/** What of a list fits what is typed, and which one of it is wanted: the one of that name, else the first that fits, until keys go on from there. */
export const useChoice = (options: readonly ChoiceOption[], value: string, typed: string | null) => {
  const [search, setSearch] = useState(typed ?? '');
  const [wanted, setWanted] = useState(() => (typed === null ? undefined : optionFor(options, typed)?.value) ?? value);
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
      const named = optionFor(options, text);
      if (named) setWanted(named.value);
    },
  };
};

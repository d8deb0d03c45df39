import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PaletteItem } from './palette-item.ts';
import type { PaletteSearch } from './use-palette-search.ts';

/** How far a key moves in the list; null = it is no such key. */
const stepOf = (key: string, size: number): number | null => {
  switch (key) {
    case 'ArrowDown':
      return 1;
    case 'ArrowUp':
      return size - 1;
    default:
      return null;
  }
};

/** Which item of the list is the active one. */
export interface PaletteChoice {
  readonly list: RefObject<HTMLDivElement | null>;
  /** Its place in the list. */
  readonly at: number;
  /** Enter came before what is looked for: the first of it is opened as it comes. */
  readonly opensFirst: boolean;
  readonly choose: (index: number) => void;
  /** Another text is typed: nothing is chosen. */
  readonly reset: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Arrows choose, Enter selects; `id` with its place is the id of an item. */
export const usePaletteChoice = ({
  id,
  search: { items, isFound, error },
  onSelect,
}: {
  readonly id: string;
  readonly search: PaletteSearch;
  readonly onSelect: (item: PaletteItem) => void;
}): PaletteChoice => {
  const [active, setActive] = useState(0);
  /** Whether the person chose among what is listed. */
  const [chosen, setChosen] = useState(false);
  const [opensFirst, setOpensFirst] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const at = Math.min(active, Math.max(0, items.length - 1));
  useEffect(() => {
    list.current?.querySelector(`#${CSS.escape(`${id}${at}`)}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);

  const pick = (index: number, isChosen: boolean): void => {
    setActive(index);
    setChosen(isChosen);
    setOpensFirst(false);
  };
  const enter = (item: PaletteItem | undefined): void => {
    // Beside a text that is still looked for stands what an earlier one found.
    if (item !== undefined && (item.kind === 'action' || isFound || chosen)) onSelect(item);
    else setOpensFirst(error === null && !isFound);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = stepOf(event.key, items.length);
    if (step !== null && items.length > 0) pick((at + step) % items.length, true);
    else if (event.key === 'Enter') enter(items[at]);
    else return;
    event.preventDefault();
  };
  const openFirst = useEffectEvent((): void => {
    if (items[0] !== undefined) onSelect(items[0]);
  });
  useEffect(() => {
    if (opensFirst && isFound) openFirst();
  }, [opensFirst, isFound]);
  return { list, at, opensFirst, choose: (index) => pick(index, true), reset: () => pick(0, false), onKeyDown };
};

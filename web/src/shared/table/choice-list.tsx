import { useLayoutEffect, useRef } from 'react';
import { asListbox, asOption } from '../ui/listbox-roles.ts';
import type { ChoiceOption } from './grid-column.ts';

/** What can be chosen, the wanted one in sight. */
export const ChoiceList = ({
  id,
  label,
  options,
  at,
  onChoose,
}: {
  readonly id: string;
  readonly label: string;
  readonly options: readonly ChoiceOption[];
  /** Place of the wanted one. */
  readonly at: number;
  readonly onChoose: (value: string) => void;
}) => {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div {...asListbox} ref={list} id={id} aria-label={label} className="z-choice-list">
      {options.map((option, index) => (
        <button
          {...asOption(index === at)}
          key={option.value}
          id={`${id}-${index}`}
          type="button"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
};

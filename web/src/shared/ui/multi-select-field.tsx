import { CaretDown } from '@blueprintjs/icons';
import { formatNumber } from '@zakup/domain/russian';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Field } from './field.tsx';
import { matches } from './matching.ts';
import './multi-select-field.css';
import type { SelectOption } from './select-field.tsx';

/** A list of more options than this can be searched. */
const mostUnsearched = 8;
/** What is kept free below the field for its list, in pixels; with less it opens above. */
const listRoom = 300;

export interface MultiSelectFieldProps {
  readonly label: string;
  /** In the order in which they were chosen. */
  readonly values: readonly string[];
  /** In the order in which they are offered. */
  readonly options: readonly SelectOption[];
  /** What is said while nothing is chosen. */
  readonly blank: string;
  readonly onChange: (values: readonly string[]) => void;
}

const inputsIn = (list: HTMLElement | null): readonly HTMLInputElement[] => [
  ...(list?.querySelectorAll('input') ?? []),
];

interface ChecksProps extends Pick<MultiSelectFieldProps, 'label' | 'values' | 'options' | 'onChange'> {
  readonly isAbove: boolean;
  readonly onLeave: () => void;
}

/** The options with a box each: arrows, Home and End go through them, Tab and Escape leave. */
const Checks = ({ label, values, options, onChange, isAbove, onLeave }: ChecksProps) => {
  const list = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState('');
  const shown = options.filter(([, text]) => matches(text, search));
  useEffect(() => {
    const box = list.current;
    inputsIn(box)[0]?.focus();
    // A press on a text beside its box leaves the focus in the list, which would close without it.
    const keepFocus = (event: MouseEvent): void => {
      if (event.target instanceof Element && event.target.closest('label') !== null) event.preventDefault();
    };
    box?.addEventListener('mousedown', keepFocus);
    return () => box?.removeEventListener('mousedown', keepFocus);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const inputs = inputsIn(list.current);
    const at = inputs.indexOf(event.target as HTMLInputElement);
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'search';
    const to =
      event.key === 'ArrowDown'
        ? at + 1
        : event.key === 'ArrowUp'
          ? at - 1
          : event.key === 'Home' && !isTyping
            ? 0
            : event.key === 'End' && !isTyping
              ? inputs.length - 1
              : null;
    // The focus goes on from the button, past the other boxes.
    if (event.key === 'Tab') return onLeave();
    if (event.key === 'Escape') onLeave();
    else if (to !== null) inputs[Math.max(0, Math.min(inputs.length - 1, to))]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={list} className="z-multi-select-list" data-above={isAbove ? '' : undefined}>
      {options.length > mostUnsearched && (
        <input
          className="z-input"
          type="search"
          aria-label={`Найти: ${label}`}
          placeholder="Найти"
          maxLength={100}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={onKeyDown}
        />
      )}
      <fieldset aria-label={`Выбор: ${label}`}>
        {shown.map(([value, text]) => (
          <label key={value}>
            <input
              type="checkbox"
              onKeyDown={onKeyDown}
              checked={values.includes(value)}
              onChange={({ target: { checked } }) =>
                onChange(checked ? [...values, value] : values.filter((one) => one !== value))
              }
            />
            {text}
          </label>
        ))}
      </fieldset>
      {shown.length === 0 && <p className="z-secondary">Ничего не найдено</p>}
    </div>
  );
};

/** `Field` with a choice of several from a list of boxes that opens under it; what is chosen counts at once. */
export const MultiSelectField = ({ label, values, options, blank, onChange }: MultiSelectFieldProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<'above' | 'below' | null>(null);
  const names = new Map(options);
  const [first = blank, ...others] = values.map((value) => names.get(value) ?? '…');
  const show = (): void => {
    const below = window.innerHeight - (button.current?.getBoundingClientRect().bottom ?? 0);
    setOpen(below < listRoom ? 'above' : 'below');
  };
  const leave = (): void => {
    button.current?.focus();
    setOpen(null);
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) setOpen(null);
  };
  return (
    <Field label={label}>
      {({ id }) => (
        <div className="z-multi-select" onBlur={onBlur}>
          <button
            ref={button}
            id={id}
            type="button"
            className="z-input"
            aria-expanded={open !== null}
            aria-describedby={`${id}-chosen`}
            onMouseDown={(event) => open !== null && event.preventDefault()}
            onClick={open === null ? show : leave}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return;
              event.preventDefault();
              show();
            }}
          >
            <span id={`${id}-chosen`}>
              {others.length > 1 ? `${first} и ещё ${formatNumber(others.length)}` : [first, ...others].join(', ')}
            </span>
            <CaretDown size={14} />
          </button>
          {open !== null && (
            <Checks
              label={label}
              values={values}
              options={options}
              onChange={onChange}
              isAbove={open === 'above'}
              onLeave={leave}
            />
          )}
        </div>
      )}
    </Field>
  );
};

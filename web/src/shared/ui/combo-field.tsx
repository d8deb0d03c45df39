import { type KeyboardEvent, type Ref, useId, useState } from 'react';
import { severalCells, singleValuePaste } from './single-value-paste.ts';
import { Floating } from './floating.tsx';
import { matches } from './matching.ts';
import { asListbox, asOption } from './listbox-roles.ts';

export interface ComboFieldProps {
  readonly id?: string;
  readonly name?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** What can be meant, as texts; shrinks while typing. */
  readonly options: readonly string[];
  /** Names the list. */
  readonly label: string;
  /** At most this many are shown. */
  readonly limit?: number;
  /** Only one of the options can be meant: of what is typed Enter takes the first that fits, and leaving the field the only one. */
  readonly closed?: true;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly autoFocus?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly 'aria-invalid'?: true | undefined;
  readonly 'aria-describedby'?: string | undefined;
}

const Suggestions = ({
  anchor,
  id,
  label,
  options,
  chosen,
  onChoose,
}: {
  readonly anchor: HTMLElement | null;
  readonly id: string;
  readonly label: string;
  readonly options: readonly string[];
  /** Place of the one that Enter takes; -1 = none. */
  readonly chosen: number;
  readonly onChoose: (option: string) => void;
}) => (
  <Floating anchor={anchor} wide>
    <div {...asListbox} id={id} aria-label={label} className="z-choice-list">
      {options.map((option, index) => (
        <button
          {...asOption(index === chosen)}
          key={option}
          id={`${id}-${index}`}
          type="button"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {option}
        </button>
      ))}
    </div>
  </Floating>
);

/** A line of text with suggestions: typing filters, arrows choose, Enter takes, Escape closes the list first. */
export const ComboField = ({
  value,
  onChange,
  options,
  label,
  limit = 50,
  closed,
  inputRef,
  ...control
}: ComboFieldProps) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState(false);
  const [at, setAt] = useState(-1);
  const [isRefused, setIsRefused] = useState(false);
  const listId = useId();
  const shown = options.filter((option) => !typed || matches(option, value)).slice(0, limit);
  const visible = open && shown.length > 0;
  const meant = closed === true && typed && value.trim() !== '' && !options.includes(value);
  const chosen = at < 0 && meant ? 0 : at;

  const show = (): void => setOpen(true);
  const close = (): void => {
    setOpen(false);
    setAt(-1);
    setIsRefused(false);
  };
  const end = (): void => {
    close();
    setTyped(false);
  };
  const choose = (option: string): void => {
    onChange(option);
    end();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const option = visible ? shown[chosen] : undefined;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      show();
      // What the field holds stays until they choose: the key that only brings the list back chooses nothing else yet.
      if (!visible && value.trim() !== '') setAt(shown.indexOf(value));
      else setAt((now) => Math.max(0, Math.min(shown.length - 1, now + (event.key === 'ArrowDown' ? 1 : -1))));
    } else if (event.key === 'Enter' && option !== undefined) choose(option);
    else if (event.key === 'Escape' && visible) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <span ref={setAnchor} className="z-combo">
      <input
        {...control}
        ref={inputRef}
        className="z-input"
        role="combobox"
        aria-expanded={visible}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={visible && chosen >= 0 ? `${listId}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          setTyped(true);
          setAt(-1);
          setIsRefused(false);
          show();
        }}
        onClick={show}
        {...singleValuePaste(() => setIsRefused(true))}
        onKeyDown={onKeyDown}
        onBlur={() => {
          const [only, ...others] = shown;
          if (meant && only !== undefined && others.length === 0) choose(only);
          // What is none of the options was typed still, and narrows the list when they come back.
          else if (value.trim() === '' || options.includes(value)) end();
          else close();
        }}
      />
      {isRefused && (
        <Floating anchor={anchor}>
          <p role="alert" className="z-grid-message">
            {severalCells}
          </p>
        </Floating>
      )}
      {visible && !isRefused && (
        <Suggestions anchor={anchor} id={listId} label={label} options={shown} chosen={chosen} onChoose={choose} />
      )}
    </span>
  );
};

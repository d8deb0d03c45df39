import { type KeyboardEvent, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { severalCells, singleValuePaste } from '../ui/single-value-paste.ts';
import { Floating } from '../ui/floating.tsx';
import { asListbox, asOption } from '../ui/listbox-roles.ts';
import { type EditorProps, KeyHint, stays } from './text-editor.tsx';
import { matches } from '../ui/matching.ts';

/** A choice from a list that shrinks while typing. */
export const ChoiceEditor = ({ editor, label, typed, commit, onDone }: EditorProps<'choice'>) => {
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [search, setSearch] = useState(typed ?? '');
  const [wanted, setWanted] = useState(editor.value);
  const [isRefused, setIsRefused] = useState(false);
  const listId = useId();
  const shown = editor.options.filter((option) => matches(option.label, search));
  const at = Math.max(
    0,
    shown.findIndex((option) => option.value === wanted),
  );
  const current = shown[at];

  const save = (value: string | undefined, move: -1 | 0 | 1): boolean => {
    onDone(value === undefined || value === editor.value ? null : { value }, move);
    return true;
  };

  useImperativeHandle(commit, () => () => save(current?.value, 0));
  useLayoutEffect(() => {
    setAnchor(input.current);
    input.current?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const step = (by: number): void => {
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
    if (next) setWanted(next.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case 'Escape':
        onDone(null, 0);
        break;
      case 'Enter':
        save(current?.value, 0);
        break;
      case 'Tab':
        save(current?.value, event.shiftKey ? -1 : 1);
        break;
      case 'ArrowDown':
        step(1);
        break;
      case 'ArrowUp':
        step(-1);
        break;
      default:
        return event.stopPropagation();
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <input
        ref={input}
        className="z-grid-input"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={current ? `${listId}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={editor.options.find((option) => option.value === editor.value)?.label ?? ''}
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setIsRefused(false);
          const first = editor.options.find((option) => matches(option.label, event.target.value));
          if (first) setWanted(first.value);
        }}
        {...singleValuePaste(() => setIsRefused(true))}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          if (!stays(event)) save(current?.value, 0);
        }}
      />
      <Floating anchor={anchor} wide>
        <div {...asListbox} ref={list} id={listId} aria-label={label} className="z-choice-list">
          {shown.map((option, index) => (
            <button
              {...asOption(option.value === current?.value)}
              key={option.value}
              id={`${listId}-${index}`}
              type="button"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => save(option.value, 0)}
            >
              {option.label}
            </button>
          ))}
        </div>
        {isRefused && (
          <p role="alert" className="z-grid-message">
            {severalCells}
          </p>
        )}
        {shown.length === 0 && <p className="z-grid-message">Ничего не найдено</p>}
        <KeyHint />
      </Floating>
    </>
  );
};

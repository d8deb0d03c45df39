import { type KeyboardEvent, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { severalCells, singleValuePaste } from '../ui/single-value-paste.ts';
import { Floating } from '../ui/floating.tsx';
import { ChoiceList } from './choice-list.tsx';
import { type EditorExit, exitOf } from './grid-navigation.ts';
import { type EditorProps, KeyHint, stays } from './text-editor.tsx';
import { useChoice } from './use-choice.ts';

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** A choice from a list that shrinks while typing. */
export const ChoiceEditor = ({ editor, label, typed, commit, onDone, onSpread }: EditorProps<'choice'>) => {
  const input = useRef<HTMLInputElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  const listId = useId();
  const { search, shown, at, current, step, type } = useChoice(editor.options, editor.value, typed);

  const save = (value: string | undefined, exit: EditorExit): boolean => {
    // What names none of them stays to be mended.
    if (value === undefined && search.trim() !== '') return false;
    onDone(value === undefined || value === editor.value ? null : { value }, exit);
    return true;
  };

  useImperativeHandle(commit, () => () => save(current?.value, 'stay'));
  useLayoutEffect(() => {
    setAnchor(input.current);
    input.current?.focus({ preventScroll: true });
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    event.stopPropagation();
    const by = steps[event.key];
    const exit = exitOf(event, typed !== null);
    if (event.key === 'Escape') onDone(null, 'stay');
    else if (by !== undefined) step(by);
    else if (exit !== null) save(current?.value, exit);
    else return;
    event.preventDefault();
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
          type(event.target.value);
          setIsRefused(false);
        }}
        {...singleValuePaste(() => setIsRefused(true), onSpread)}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          if (!stays(event)) save(current?.value, 'stay');
        }}
      />
      <Floating anchor={anchor} wide>
        <ChoiceList id={listId} label={label} options={shown} at={at} onChoose={(value) => save(value, 'stay')} />
        {isRefused && (
          <p role="alert" className="z-grid-message">
            {severalCells}
          </p>
        )}
        {shown.length === 0 && (
          <p role="alert" className="z-grid-message">
            Ничего не найдено
          </p>
        )}
        <KeyHint />
      </Floating>
    </>
  );
};

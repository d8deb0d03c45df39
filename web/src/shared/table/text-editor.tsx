import {
  type FocusEvent,
  type KeyboardEvent,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type PastedClip, severalCells, singleValuePaste } from '../ui/single-value-paste.ts';
import { Floating } from '../ui/floating.tsx';
import type { CellEditor } from './grid-column.ts';
import { type EditorExit, exitOf } from './grid-navigation.ts';

export interface EditorProps<Kind extends CellEditor['kind']> {
  readonly editor: Extract<CellEditor, { kind: Kind }>;
  /** Names the field to those who do not see it. */
  readonly label: string;
  /** The printed key that opened the editor: it replaces the old value. */
  readonly typed: string | null;
  /** Gets the function that ends the editing by saving; it answers false when the value is not valid. */
  readonly commit: Ref<() => boolean>;
  /** `null` = nothing changed. */
  readonly onDone: (result: { value: unknown } | null, exit: EditorExit) => void;
  /** Several cells were pasted: the editing ends without a change, and they are pasted from this cell on. */
  readonly onSpread?: ((clip: PastedClip) => void) | undefined;
}

export const KeyHint = () => (
  <div className="z-keys" aria-hidden="true">
    <span>
      <kbd>↵</kbd> сохранить
    </span>
    <span>
      <kbd>Esc</kbd> отменить
    </span>
    <span>
      <kbd>Tab</kbd> дальше
    </span>
  </div>
);

/** True when focus went to the page itself or into something floating that belongs to the editor. */
export const stays = (event: FocusEvent<HTMLElement>): boolean =>
  document.activeElement === event.target ||
  (event.relatedTarget instanceof Element && event.relatedTarget.closest('[data-floating]') !== null);

interface Refusal {
  readonly text: string;
  /** What stands in the field is no value; else it is what was not put in. */
  readonly isInvalid: boolean;
}

/** One line of text in a cell, which stays as it is typed. Enter saves and goes down, Tab on, arrows too where the editing was begun by typing; Escape restores; leaving by mouse saves what is valid. */
export const TextEditor = ({ editor, label, typed, commit, onDone, onSpread }: EditorProps<'text'>) => {
  const input = useRef<HTMLInputElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [draft, setDraft] = useState(typed ?? editor.initial);
  /** Arrows leave the cell; in an editor that was opened, or pressed into, they move the caret. */
  const [isTyping, setIsTyping] = useState(typed !== null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const messageId = useId();

  const save = (text: string, exit: EditorExit): boolean => {
    if (text === editor.initial) {
      onDone(null, exit);
      return true;
    }
    const parsed = editor.parse(text);
    if (!parsed.ok) {
      setRefusal({ text: parsed.message, isInvalid: true });
      return false;
    }
    onDone({ value: parsed.value }, exit);
    return true;
  };

  useImperativeHandle(commit, () => () => save(draft, 'stay'));

  useLayoutEffect(() => {
    const field = input.current;
    setAnchor(field);
    field?.focus({ preventScroll: true });
    if (typed === null) field?.select();
  }, [typed]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    event.stopPropagation();
    if (event.key === 'F2') setIsTyping(false);
    const exit = exitOf(event, isTyping);
    if (event.key === 'Escape') onDone(null, 'stay');
    else if (exit !== null) save(draft, exit);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <input
        ref={input}
        className="z-grid-input"
        aria-label={label}
        aria-invalid={refusal?.isInvalid === true ? true : undefined}
        aria-describedby={refusal === null ? undefined : messageId}
        inputMode={editor.inputMode ?? 'text'}
        autoComplete="off"
        spellCheck={false}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          setRefusal(null);
        }}
        {...singleValuePaste(() => setRefusal({ text: severalCells, isInvalid: false }), onSpread)}
        onKeyDown={onKeyDown}
        onMouseDown={() => setIsTyping(false)}
        onBlur={(event) => {
          if (!stays(event)) save(draft, 'stay');
        }}
      />
      <Floating anchor={anchor} onEscape={() => onDone(null, 'stay')}>
        {refusal !== null && (
          <p id={messageId} role="alert" className="z-grid-message">
            {refusal.text}
          </p>
        )}
        {editor.popup?.(draft, (text) => save(text, 'stay'))}
        <KeyHint />
      </Floating>
    </>
  );
};

import {
  type FocusEvent,
  type KeyboardEvent,
  type Ref,
  useId,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Floating } from '../ui/floating.tsx';
import type { CellEditor } from './grid-column.ts';

export interface EditorProps<Kind extends CellEditor['kind']> {
  readonly editor: Extract<CellEditor, { kind: Kind }>;
  /** Names the field to those who do not see it. */
  readonly label: string;
  /** The printed key that opened the editor: it replaces the old value. */
  readonly typed: string | null;
  /** Gets the function that ends the editing by saving; it answers false when the value is not valid. */
  readonly commit: Ref<() => boolean>;
  /** `null` = nothing changed. `move`: where to go afterwards. */
  readonly onDone: (result: { value: unknown } | null, move: -1 | 0 | 1) => void;
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

/** One line of text in a cell. Enter saves, Escape restores, Tab saves and moves, leaving by mouse saves what is valid. */
export const TextEditor = ({ editor, label, typed, commit, onDone }: EditorProps<'text'>) => {
  const input = useRef<HTMLInputElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [draft, setDraft] = useState(typed ?? editor.initial);
  const [message, setMessage] = useState<string | null>(null);
  const messageId = useId();

  const save = (text: string, move: -1 | 0 | 1): boolean => {
    if (text === editor.initial) {
      onDone(null, move);
      return true;
    }
    const parsed = editor.parse(text);
    if (!parsed.ok) {
      setMessage(parsed.message);
      return false;
    }
    onDone({ value: parsed.value }, move);
    return true;
  };

  useImperativeHandle(commit, () => () => save(draft, 0));

  useLayoutEffect(() => {
    const field = input.current;
    setAnchor(field);
    field?.focus({ preventScroll: true });
    if (typed === null) field?.select();
  }, [typed]);

  const accept = useEffectEvent(editor.accept);
  useLayoutEffect(() => {
    const field = input.current;
    // Before it is there: a field that takes an input back loses what was selected with it.
    const onBeforeInput = (event: InputEvent): void => {
      if (field === null || event.data === null || event.isComposing) return;
      const { selectionStart, selectionEnd, value } = field;
      const next = value.slice(0, selectionStart ?? 0) + event.data + value.slice(selectionEnd ?? value.length);
      if (accept(next) === null) event.preventDefault();
    };
    field?.addEventListener('beforeinput', onBeforeInput);
    return () => field?.removeEventListener('beforeinput', onBeforeInput);
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onDone(null, 0);
    else if (event.key === 'Enter') save(draft, 0);
    else if (event.key === 'Tab') save(draft, event.shiftKey ? -1 : 1);
    else return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <input
        ref={input}
        className="z-grid-input"
        aria-label={label}
        aria-invalid={message === null ? undefined : true}
        aria-describedby={message === null ? undefined : messageId}
        inputMode={editor.inputMode ?? 'text'}
        autoComplete="off"
        spellCheck={false}
        value={draft}
        onChange={(event) => {
          const next = editor.accept(event.target.value);
          if (next === null) return;
          setDraft(next);
          setMessage(null);
        }}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          if (!stays(event)) save(draft, 0);
        }}
      />
      <Floating anchor={anchor} onEscape={() => onDone(null, 0)}>
        {message !== null && (
          <p id={messageId} role="alert" className="z-grid-message">
            {message}
          </p>
        )}
        {editor.popup?.(draft, (text) => save(text, 0))}
        <KeyHint />
      </Floating>
    </>
  );
};

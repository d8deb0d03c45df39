import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { ChoiceEditor } from './choice-editor.tsx';
import { Floating } from './floating.tsx';
import type { CellEditor, CellMark } from './grid-column.ts';
import { asCell } from './roles.ts';
import { TextEditor } from './text-editor.tsx';

export interface CellEditing {
  readonly editor: CellEditor;
  readonly typed: string | null;
  readonly commit: Ref<() => boolean>;
  readonly onDone: (result: { value: unknown } | null, move: -1 | 0 | 1) => void;
}

interface GridCellProps {
  readonly columnIndex: number;
  readonly label: string;
  readonly className: string;
  readonly left: number | null;
  readonly value: unknown;
  readonly mark: CellMark | null;
  readonly active: boolean;
  readonly readOnly: boolean;
  readonly editing: CellEditing | null;
  readonly children: ReactNode;
}

const flashTime = 150;
const fadeTime = 1200;
const stillTime = 3000;

/** Set for a moment after the value changed by somebody else's hand. */
const useFlash = (value: unknown, own: boolean): 'on' | 'fading' | null => {
  const before = useRef({ value, own });
  const [flash, setFlash] = useState<'on' | 'fading' | null>(null);
  useEffect(() => {
    const changed = before.current.value !== value;
    const byOthers = !own && !before.current.own;
    before.current = { value, own };
    if (changed && byOthers) setFlash('on');
  }, [value, own]);
  useEffect(() => {
    if (flash === null) return undefined;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const fades = flash === 'on' && !still;
    const timer = setTimeout(() => setFlash(fades ? 'fading' : null), still ? stillTime : fades ? flashTime : fadeTime);
    return () => clearTimeout(timer);
  }, [flash]);
  return flash;
};

const EditorOf = ({ editing, label }: { readonly editing: CellEditing; readonly label: string }) => {
  const { editor, ...rest } = editing;
  switch (editor.kind) {
    case 'text':
      return <TextEditor {...rest} editor={editor} label={label} />;
    case 'choice':
      return <ChoiceEditor {...rest} editor={editor} label={label} />;
    case 'dialog':
      return null;
  }
};

/** One cell: the value, or its editor; below it what is to be said about it. */
export const GridCell = ({
  columnIndex,
  label,
  className,
  left,
  value,
  mark,
  active,
  readOnly,
  editing,
  children,
}: GridCellProps) => {
  const flash = useFlash(value, mark !== null || editing !== null);
  const [element, setElement] = useState<HTMLTableCellElement | null>(null);
  const note = mark?.note !== null && mark !== null && editing === null && (mark.kind === 'conflict' || active);
  return (
    <td
      ref={setElement}
      {...asCell}
      aria-colindex={columnIndex + 1}
      tabIndex={active ? 0 : -1}
      data-column={columnIndex}
      data-flash={flash ?? undefined}
      data-mark={mark?.kind}
      className={editing ? `${className} z-grid-editing` : className}
      {...(readOnly && { 'aria-readonly': true })}
      {...(left !== null && { style: { left } })}
    >
      {editing ? <EditorOf editing={editing} label={label} /> : children}
      {note && (
        <Floating anchor={element} onEscape={() => element?.focus()}>
          <div className="z-grid-note" data-note="">
            {mark.note}
          </div>
        </Floating>
      )}
    </td>
  );
};

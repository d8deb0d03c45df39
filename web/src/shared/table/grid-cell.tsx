import { type ReactNode, type Ref, useCallback, useState } from 'react';
import { ChoiceEditor } from './choice-editor.tsx';
import { Floating } from '../ui/floating.tsx';
import { HandsFocusTo } from '../ui/hands-focus.tsx';
import type { CellEditor } from './grid-column.ts';
import type { EditorExit } from './grid-navigation.ts';
import type { PastedClip } from '../ui/single-value-paste.ts';
import { TextEditor } from './text-editor.tsx';

export interface CellEditing {
  readonly editor: CellEditor;
  readonly typed: string | null;
  readonly commit: Ref<() => boolean>;
  readonly onDone: (result: { value: unknown } | null, exit: EditorExit) => void;
  /** Absent = nothing is pasted in this table. */
  readonly onSpread?: ((clip: PastedClip) => void) | undefined;
}

/** What stands in a cell under edit in the place of its value. */
export const EditorOf = ({ editing, label }: { readonly editing: CellEditing; readonly label: string }) => {
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

/** What is said below a cell. Only where something is said the cell's element is asked for, which takes a second paint. */
export const CellNote = ({ children }: { readonly children: ReactNode }) => {
  const [cell, setCell] = useState<HTMLElement | null>(null);
  const place = useCallback((mark: HTMLElement | null) => setCell(mark?.parentElement ?? null), []);
  return (
    <>
      <span ref={place} hidden />
      <Floating anchor={cell} onEscape={() => cell?.focus()}>
        <HandsFocusTo element={cell}>
          <div className="z-grid-note" data-note="">
            {children}
          </div>
        </HandsFocusTo>
      </Floating>
    </>
  );
};

import { type ReactNode, type Ref, useState } from 'react';
import { AuthorFlag, ColleagueFlag } from './cell-flags.tsx';
import { ChoiceEditor } from './choice-editor.tsx';
import { Floating } from './floating.tsx';
import type { CellColleague, CellEditor, CellMark, ChangeAuthor } from './grid-column.ts';
import { asCell } from './roles.ts';
import { TextEditor } from './text-editor.tsx';
import { useFlash } from './use-flash.ts';

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
  /** The others who stand in this cell. */
  readonly colleagues: readonly CellColleague[];
  readonly authorOf: (() => Promise<ChangeAuthor | null>) | undefined;
  readonly was: ((value: unknown) => string) | undefined;
  readonly children: ReactNode;
}

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
  colleagues,
  authorOf,
  was,
  children,
}: GridCellProps) => {
  const flash = useFlash(value, mark !== null || editing !== null, authorOf);
  const [element, setElement] = useState<HTMLTableCellElement | null>(null);
  const note = mark?.note !== null && mark !== null && editing === null && (mark.kind === 'conflict' || active);
  return (
    <td
      ref={setElement}
      {...asCell}
      aria-colindex={columnIndex + 1}
      tabIndex={active ? 0 : -1}
      data-column={columnIndex}
      data-flash={flash?.phase}
      data-mark={mark?.kind}
      className={editing ? `${className} z-grid-editing` : className}
      {...(readOnly && { 'aria-readonly': true })}
      {...(left !== null && { style: { left } })}
    >
      {flash && was && editing === null && <s className="z-grid-was">{was(flash.was)}</s>}
      {editing ? <EditorOf editing={editing} label={label} /> : children}
      {flash?.author && <AuthorFlag author={flash.author} />}
      {colleagues.length > 0 && (
        <ColleagueFlag colleagues={colleagues} nameless={flash !== null && flash.author !== null} />
      )}
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

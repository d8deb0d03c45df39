import { Trash } from '@blueprintjs/icons';
import type { NoteWire } from '@zakup/contracts/wire-entities';
import { showInstant } from '../../shared/day/shown-day.ts';
import { messages } from '@zakup/domain/messages';
import { useState } from 'react';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import type { NotesWork } from './use-notes.ts';

/** What people wrote down about the contractor, newest first. `work`: kept by the dialog, as this goes when another tab is chosen. */
export const ContractorNotes = ({ notes, work }: { readonly notes: readonly NoteWire[]; readonly work: NotesWork }) => {
  const { can } = useRights();
  const { text, busy } = work;
  const [removing, setRemoving] = useState<string | null>(null);
  const removed = notes.find(({ id }) => id === removing);
  const sorted = [...notes].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.revision - a.revision);

  return (
    <div className="z-contractor-notes">
      {can('note.add') && (
        <CheckedForm
          onSubmit={(event) => {
            event.preventDefault();
            void work.add();
          }}
        >
          <Field label="Новая заметка" error={work.error}>
            {(control) => (
              <textarea
                {...control}
                className="z-input"
                rows={3}
                value={text}
                disabled={busy}
                onChange={(event) => work.setText(event.target.value)}
              />
            )}
          </Field>
          <div>
            <Button look="primary" type="submit" disabled={busy || text.trim() === ''}>
              Добавить заметку
            </Button>
          </div>
        </CheckedForm>
      )}
      <FormProblem text={work.problem} />
      {sorted.length === 0 ? (
        <p className="z-contractor-none">Заметок ещё нет</p>
      ) : (
        <ul aria-label="История заметок">
          {sorted.map((note) => (
            <li key={note.id}>
              <Avatar name={note.authorName} id={note.authorId} size={20} />
              <div>
                <p className="z-secondary">
                  <b>{note.authorName}</b> {showInstant(note.createdAt)}
                </p>
                <p className="z-contractor-note">{note.note}</p>
              </div>
              {can('note.remove', { authorId: note.authorId }) && (
                <Button
                  look="plain"
                  icon={<Trash size={14} />}
                  aria-label={`Удалить заметку: ${note.authorName}, ${showInstant(note.createdAt)}`}
                  onClick={() => setRemoving(note.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {removing !== null && (
        <ConfirmDialog
          title={messages.confirmRemoveNote}
          confirm="Удалить"
          danger
          busy={busy}
          onCancel={() => setRemoving(null)}
          onConfirm={() => void work.remove(removing).then(() => setRemoving(null))}
        >
          {removed && (
            <>
              <b>{removed.authorName}</b>, {showInstant(removed.createdAt)}
              <p className="z-contractor-note">{removed.note}</p>
            </>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
};

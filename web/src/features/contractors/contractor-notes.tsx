import { Trash } from '@blueprintjs/icons';
import type { NoteWire } from '@zakup/contracts/entities';
import { addNoteRequest } from '@zakup/contracts/requests/catalog.requests';
import { showInstant } from '@zakup/domain/calendar';
import { messages, noteAddFailed, noteRemoveFailed } from '@zakup/domain/messages';
import { type FormEvent, useState } from 'react';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useSend } from '../../shared/form/use-send.ts';
import { useRights } from '../../shared/session/use-rights.ts';

/** The server's text when it answered, else the sentence about the line. */
const failure = (thrown: unknown, answered: (text: string | null) => string, offline: string): string => {
  if (!(thrown instanceof ApiProblem)) return answered(null);
  return thrown.code === 'NETWORK' ? offline : answered(thrown.message);
};

/** What people wrote down about the contractor, newest first. */
export const ContractorNotes = ({
  contractorId,
  notes,
}: {
  readonly contractorId: string;
  readonly notes: readonly NoteWire[];
}) => {
  const { can } = useRights();
  const send = useSend();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [removing, setRemoving] = useState<string | null>(null);
  const sorted = [...notes].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.revision - a.revision);

  const add = async (): Promise<void> => {
    const checked = addNoteRequest.safeParse({ note: text });
    setError(checked.success ? null : (checked.error.issues[0]?.message ?? null));
    setProblem(null);
    if (!checked.success) return;
    setBusy(true);
    try {
      await send('POST', `/api/contractors/${contractorId}/notes`, checked.data);
      setText('');
    } catch (thrown) {
      setProblem(failure(thrown, noteAddFailed, messages.noteAddOffline));
    } finally {
      setBusy(false);
    }
  };
  const remove = async (noteId: string): Promise<void> => {
    setProblem(null);
    setBusy(true);
    try {
      await send('DELETE', `/api/contractors/${contractorId}/notes/${noteId}`);
    } catch (thrown) {
      setProblem(failure(thrown, noteRemoveFailed, messages.noteRemoveOffline));
    } finally {
      setBusy(false);
      setRemoving(null);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    add().catch((thrown: unknown) => setProblem(failure(thrown, noteAddFailed, messages.noteAddOffline)));
  };

  return (
    <div className="z-contractor-notes">
      {can('note.add') && (
        <form className="z-form" noValidate onSubmit={onSubmit}>
          <Field label="Новая заметка" error={error}>
            {(control) => (
              <textarea
                {...control}
                className="z-input"
                rows={3}
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                  setError(null);
                }}
              />
            )}
          </Field>
          <div>
            <Button look="primary" type="submit" disabled={busy || text.trim() === ''}>
              Добавить заметку
            </Button>
          </div>
        </form>
      )}
      <FormProblem text={problem} />
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
          onConfirm={() => {
            remove(removing).catch((thrown: unknown) =>
              setProblem(failure(thrown, noteRemoveFailed, messages.noteRemoveOffline)),
            );
          }}
        />
      )}
    </div>
  );
};

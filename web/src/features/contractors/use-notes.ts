import { addNoteRequest } from '@zakup/contracts/requests/catalog.requests';
import { messages, noteAddFailed, noteRemoveFailed } from '@zakup/domain/messages';
import { useState } from 'react';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import { useSend } from '../../shared/form/use-send.ts';

/** The server's text when it answered, else the sentence about the line. */
const failure = (thrown: unknown, answered: (text: string | null) => string, offline: string): string => {
  if (!(thrown instanceof ApiProblem)) return answered(null);
  return thrown.code === 'NETWORK' ? offline : answered(thrown.message);
};

/** A note being written and what becomes of it. */
export interface NotesWork {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Something is typed, or on its way, that would be lost. */
  readonly dirty: boolean;
  /** A change is on its way: nothing more can be typed or sent until the answer. */
  readonly busy: boolean;
  /** What is wrong with the text. */
  readonly error: string | null;
  /** Why the last change was not made. */
  readonly problem: string | null;
  /** Sends the text and empties it when it is saved; never rejects. */
  readonly add: () => Promise<void>;
  /** Never rejects. */
  readonly remove: (noteId: string) => Promise<void>;
}

/**
 * Writes and deletes notes of a contractor. Belongs to the dialog: the tab with the notes goes when another is chosen, and a note on its
 * way would be sent a second time as another command.
 */
export const useNotes = (contractorId: string, initialText: string): NotesWork => {
  const sendNew = useSend();
  // Of its own: a deletion in between would make another command of a note that is sent again.
  const sendRemoval = useSend();
  const [text, setText] = useState(initialText);
  const [error, setError] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const run = async (change: () => Promise<void>, told: (thrown: unknown) => string): Promise<void> => {
    setProblem(null);
    setBusy(true);
    try {
      await change();
    } catch (thrown) {
      setProblem(told(thrown));
    } finally {
      setBusy(false);
    }
  };
  const add = async (): Promise<void> => {
    const checked = addNoteRequest.safeParse({ note: text });
    setError(checked.success ? null : (checked.error.issues[0]?.message ?? null));
    setProblem(null);
    if (!checked.success) return;
    await run(
      async () => {
        await sendNew('POST', `/api/contractors/${contractorId}/notes`, checked.data);
        setText('');
      },
      (thrown) => failure(thrown, noteAddFailed, messages.noteAddOffline),
    );
  };
  const remove = (noteId: string): Promise<void> =>
    run(
      async () => {
        await sendRemoval('DELETE', `/api/contractors/${contractorId}/notes/${noteId}`);
      },
      (thrown) => failure(thrown, noteRemoveFailed, messages.noteRemoveOffline),
    );

  return {
    text,
    setText: (next) => {
      setText(next);
      setError(null);
    },
    dirty: text.trim() !== '',
    busy,
    error,
    problem,
    add,
    remove,
  };
};

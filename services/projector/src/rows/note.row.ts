import type { NoteRow } from '@zakup/contracts/read-models';
import { contractorScope } from '../scopes.ts';
import type { WorkingSet } from '../working-set.ts';
import type { RowChange } from './row-rule.ts';

type ContractorChange = Extract<RowChange, { kind: 'contractor' }>;

/** Keeps one document for each note of a contractor. */
export const foldNotes = async (
  set: WorkingSet,
  { id, licenceId, position, before, after }: ContractorChange,
): Promise<void> => {
  if (before?.notes === after.notes) return;
  const earlier = new Set(before?.notes.map((note) => note.id));
  const now = new Set(after.notes.map((note) => note.id));
  for (const note of after.notes) {
    if (earlier.has(note.id)) continue;
    const data: NoteRow = { ...note, contractorId: id };
    await set.put({ kind: 'note', id: note.id, licenceId, position, scopes: [contractorScope(id)], data });
  }
  for (const noteId of earlier) {
    if (!now.has(noteId)) await set.remove({ kind: 'note', id: noteId, licenceId }, position);
  }
};

import type { NoteRow } from '@zakup/contracts/read-models';
import { contractorScope } from '../scopes.ts';
import type { Projection } from '../projection.ts';
import type { WorkingSet } from '../working-set.ts';
import type { RowChange } from './row-projection.ts';

type ContractorChange = Extract<RowChange, { kind: 'contractor' }>;

/** A merged contractor shows none: its notes are the other one's, under the same ids. */
const shownBy = (row: ContractorChange['before']): ContractorChange['after']['notes'] =>
  row === null || row.mergedInto !== undefined ? [] : row.notes;

const foldNotes = async (
  set: WorkingSet,
  { id, licenceId, position, before, after }: ContractorChange,
): Promise<void> => {
  const [had, has] = [shownBy(before), shownBy(after)];
  if (had === has) return;
  const earlier = new Set(had.map((note) => note.id));
  const now = new Set(has.map((note) => note.id));
  for (const note of has) {
    if (earlier.has(note.id)) continue;
    const data: NoteRow = { ...note, contractorId: id };
    await set.put({ kind: 'note', id: note.id, licenceId, position, scopes: [contractorScope(id)], data });
  }
  for (const noteId of earlier) {
    if (now.has(noteId)) continue;
    const key = { kind: 'note' as const, id: noteId, licenceId };
    // By a merge it may have gone to another one already.
    if ((await set.get(key))?.contractorId === id) await set.remove(key, position);
  }
};

/** Keeps one document for each note of a contractor. */
export const notes: Projection = {
  name: 'notes',
  version: 9,
  writes: ['note'],
  apply: (change, { set }) => (change.kind === 'contractor' ? foldNotes(set, change) : undefined),
};

import { entriesOf } from '../merge.ts';
import { inTurn, membersOf, type Undoable } from '../undo.ts';
import type { ContractorCommand, ContractorFacts } from './commands.ts';
import { contractorDecider } from './contractor.decider.ts';
import type { ContractorEvent } from './events.ts';
import type { Contractor, Note } from './state.ts';

/**
 * How contractors go back. A new one is deactivated; one that a placement made on the fly stays, as others may have placed with it since.
 * Whether the earlier nick is still free is the reservation's to say. A merge goes back on both: the notes that came leave again.
 */
export const contractorUndo: Undoable<Contractor, ContractorEvent, ContractorFacts> = {
  ...contractorDecider,
  isGone: ({ isActive }, made) => !isActive || made.automatic,
  takeBack: (current, facts) =>
    contractorDecider.decide({ type: 'ChangeContractor', changes: { isActive: false } }, current, facts),

  bringBack(names, before, current, facts) {
    const changes = {
      ...membersOf(before, names, ['channelName', 'category', 'isActive']),
      ...(names.has('verdict') && { verdict: before.verdict ?? null }),
      ...(names.has('adminUsername') && { contact: { nick: before.nick, adminUsername: before.adminUsername } }),
    };
    const named = Object.fromEntries([...names].map((name) => [name, true]));
    const noteIds = Object.keys(entriesOf(named, 'notes'));
    const merges = Object.keys(entriesOf(named, 'merged')).map((id) => mergeBack(id, noteIds, before));
    // One that is merged again needs no notes of its own: they are where it is merged into, or were deleted there.
    const withoutNotes = merges.length > 0 || (names.has('mergedInto') && before.mergedInto !== undefined);
    const commands: ContractorCommand[] = [
      ...(names.has('mergedInto') ? [mergedBack(before)] : []),
      ...(Object.keys(changes).length > 0 ? [{ type: 'ChangeContractor', changes } as const] : []),
      ...merges,
      ...(withoutNotes ? [] : noteIds.map((noteId) => noteBack(noteId, before))),
    ];
    return inTurn(contractorDecider, current, commands, (command, state) =>
      contractorDecider.decide(command, state, facts),
    );
  },
};

const noteBack = (noteId: string, before: Contractor): ContractorCommand => {
  const known = before.notes.find(({ id }) => id === noteId);
  if (known === undefined) return { type: 'RemoveNote', noteId };
  const { note, authorName, authorId, createdAt } = known;
  return { type: 'AddNote', noteId, note, authorName, written: { authorId, createdAt } };
};

/** Its own merge: away from whom it was merged into, or into them again. */
const mergedBack = ({ mergedInto }: Contractor): ContractorCommand =>
  mergedInto === undefined
    ? { type: 'SeparateContractor' }
    : { type: 'MergeContractor', contractorId: '', intoId: mergedInto };

/** The merge of another one into it, with all notes that the command moved. */
const mergeBack = (contractorId: string, noteIds: readonly string[], before: Contractor): ContractorCommand => {
  const known = before.received?.find((one) => one.contractorId === contractorId);
  if (known === undefined) return { type: 'ReturnContractor', contractorId, noteIds };
  const notes: readonly Note[] = before.notes.filter(({ id }) => noteIds.includes(id));
  return { type: 'ReceiveContractor', ...known, notes };
};

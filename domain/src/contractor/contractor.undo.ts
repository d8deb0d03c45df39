import { entriesOf } from '../merge.ts';
import { inTurn, membersOf, type Undoable } from '../undo.ts';
import type { ContractorCommand, ContractorFacts } from './commands.ts';
import { contractorDecider } from './contractor.decider.ts';
import type { ContractorEvent } from './events.ts';
import type { Contractor } from './state.ts';

/**
 * How contractors go back. A new one is deactivated; one that a placement made on the fly stays, as others may have placed with it since.
 * Whether the earlier nick is still free is the reservation's to say.
 */
export const contractorUndo: Undoable<Contractor, ContractorEvent, ContractorFacts> = {
  ...contractorDecider,
  isGone: ({ isActive }, made) => !isActive || made.automatic,
  takeBack: (current, facts) =>
    contractorDecider.decide({ type: 'ChangeContractor', changes: { isActive: false } }, current, facts),

  bringBack(names, before, current, facts) {
    const changes = {
      ...membersOf(before, names, ['channelName', 'category', 'isActive']),
      ...(names.has('adminUsername') && { contact: { nick: before.nick, adminUsername: before.adminUsername } }),
    };
    const noteIds = Object.keys(entriesOf(Object.fromEntries([...names].map((name) => [name, true])), 'notes'));
    const commands: ContractorCommand[] = [
      ...(Object.keys(changes).length > 0 ? [{ type: 'ChangeContractor', changes } as const] : []),
      ...noteIds.map((noteId): ContractorCommand => {
        const known = before.notes.find(({ id }) => id === noteId);
        if (known === undefined) return { type: 'RemoveNote', noteId };
        const { note, authorName, authorId, createdAt } = known;
        return { type: 'AddNote', noteId, note, authorName, written: { authorId, createdAt } };
      }),
    ];
    return inTurn(contractorDecider, current, commands, (command, state) =>
      contractorDecider.decide(command, state, facts),
    );
  },
};

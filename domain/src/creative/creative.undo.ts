import { membersOf, type Undoable } from '../undo.ts';
import { creativeDecider } from './creative.decider.ts';
import type { CreativeEvent } from './events.ts';
import type { Creative } from './state.ts';

/** How creatives go back; a new one is deactivated. */
export const creativeUndo: Undoable<Creative, CreativeEvent, object> = {
  ...creativeDecider,
  isGone: ({ isActive }) => !isActive,
  takeBack: (current) => creativeDecider.decide({ type: 'DeactivateCreative' }, current, {}),
  bringBack: (names, before, current) =>
    creativeDecider.decide(
      {
        type: 'ChangeCreative',
        changes: membersOf(before, names, ['name', 'abbreviation', 'type', 'notes', 'isActive']),
      },
      current,
      {},
    ),
};

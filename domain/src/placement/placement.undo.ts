import { inTurn, membersOf, type Undoable } from '../undo.ts';
import type { PlacementCommand, PlacementFacts } from './commands.ts';
import type { PlacementEvent } from './events.ts';
import { changeEvents, placementDecider } from './placement.decider.ts';
import type { Placement } from './state.ts';

/** A buyer or creative that the row had once it may have again, also when nobody could choose it today. */
const asOnce: Pick<PlacementFacts, 'buyer' | 'creative'> = {
  buyer: { role: 'MEDIA_BUYER', isActive: true },
  creative: { isActive: true },
};

/** How placements go back. */
export const placementUndo: Undoable<Placement, PlacementEvent, Pick<PlacementFacts, 'campaign'>> = {
  ...placementDecider,
  isGone: ({ removed }) => removed,
  takeBack: (current, facts) => placementDecider.decide({ type: 'RemovePlacement' }, current, { ...facts, ...asOnce }),

  bringBack(names, before, current, facts) {
    const commands: PlacementCommand[] = [];
    if (names.has('deleted') && !before.removed) commands.push({ type: 'RestorePlacement' });
    const changes = membersOf(before, names, Object.keys(changeEvents) as (keyof typeof changeEvents)[]);
    if (Object.keys(changes).length > 0) commands.push({ type: 'ChangePlacement', changes });
    if (names.has('paymentStatus')) commands.push({ type: 'SetPayment', paymentStatus: before.paymentStatus });
    if (names.has('deleted') && before.removed) commands.push({ type: 'RemovePlacement' });
    return inTurn(placementDecider, current, commands, (command, state) =>
      placementDecider.decide(command, state, { ...facts, ...asOnce }),
    );
  },
};

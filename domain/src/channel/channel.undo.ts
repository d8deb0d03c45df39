import { inTurn, membersOf, type Undoable } from '../undo.ts';
import { channelDecider } from './channel.decider.ts';
import type { ChannelCommand, ChannelFacts } from './commands.ts';
import type { ChannelEvent } from './events.ts';
import type { Channel } from './state.ts';

/** How channels go back; the campaigns in them come and go with the campaigns' own commands. */
export const channelUndo: Undoable<Channel, ChannelEvent, ChannelFacts> = {
  ...channelDecider,
  isGone: ({ deleted }) => deleted,
  takeBack: (current, facts) => channelDecider.decide({ type: 'DeleteChannel' }, current, facts),

  bringBack(names, before, current, facts) {
    const commands: ChannelCommand[] = [];
    if (names.has('deleted') && !before.deleted) commands.push({ type: 'RestoreChannel' });
    const changes = membersOf(before, names, ['name', 'avatar']);
    if (Object.keys(changes).length > 0) commands.push({ type: 'ChangeChannel', changes });
    if (names.has('deleted') && before.deleted) commands.push({ type: 'DeleteChannel' });
    return inTurn(channelDecider, current, commands, (command, state) => channelDecider.decide(command, state, facts));
  },
};

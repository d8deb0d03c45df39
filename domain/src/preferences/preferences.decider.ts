import { accept, type Decider, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import type { PreferencesCommand } from './commands.ts';
import type { PreferencesEvent } from './events.ts';
import type { Preferences } from './state.ts';

/** Decides and folds what one person keeps for themselves (NTF-5). A cursor never goes back. */
export const preferencesDecider: Decider<Preferences, PreferencesCommand, PreferencesEvent, object> = {
  category: 'preferences',

  decide({ upTo, head }, state) {
    if (upTo > head) return rejectField('/upTo', messages.positionAhead);
    return upTo <= (state?.readUpTo ?? 0) ? accept() : accept({ type: 'NotificationsRead', data: { upTo } });
  },

  evolve: (_, { data: { upTo } }) => ({ readUpTo: upTo }),

  changedFields: () => ['readUpTo'],

  fields: ({ readUpTo }) => ({ readUpTo }),
};

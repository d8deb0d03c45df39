import { may } from '@zakup/domain/permissions';
import { viewerOf } from '../http/person.ts';
import { type ConnectionState, endConnection, resetScope } from './connection-state.ts';
import { mayOpen } from './scope.ts';
import { viewOf } from './view.ts';

/** Ends, or takes away what the person's rights no longer open or open differently. */
const applyRights = (state: ConnectionState): void => {
  const { person, held, deps } = state;
  const profile = may(person, 'screen.profile');
  if (!profile.allowed) return endConnection(state, profile.code, profile.message);
  for (const { scope, subscription } of held.values()) {
    const same = viewOf(person, scope, deps.codes).key === subscription.view.key;
    if (!same || !mayOpen(person, scope).allowed) resetScope(state, scope.name);
  }
};

/** Reads the person's rights anew, and takes away what they no longer open. */
export const reassess = async (state: ConnectionState): Promise<void> => {
  state.asked += 1;
  const begun = state.asked;
  const viewer = await viewerOf({ ...state.deps, patience: 0 }, state.session);
  // Rights that were read later are known already: these may be older.
  if (state.ended || begun < state.applied) return;
  state.applied = begun;
  if (viewer === null) return endConnection(state, 'ACCESS_DENIED');
  state.person = viewer.person;
  state.rightsAt = viewer.rightsAt;
  applyRights(state);
};

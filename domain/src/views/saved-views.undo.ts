import { accept, type Decision } from '../decider.ts';
import { entriesOf } from '../merge.ts';
import { inTurn, type Undoable } from '../undo.ts';
import type { SavedViewCommand } from './commands.ts';
import type { SavedViewEvent } from './events.ts';
import { savedViewsDecider } from './saved-views.decider.ts';
import type { SavedView, SavedViews } from './state.ts';

const decide = (command: SavedViewCommand, state: SavedViews): Decision<SavedViewEvent> =>
  savedViewsDecider.decide(command, state, {});

/** How views go back, each by itself: a deleted one with its author and the time when it was saved. */
export const savedViewsUndo: Undoable<SavedViews, SavedViewEvent, object> = {
  ...savedViewsDecider,
  empty: { views: [] },
  isGone: ({ views }) => views.length === 0,
  takeBack: (current) =>
    accept(...current.views.map(({ id }) => ({ type: 'ViewDeleted', data: { viewId: id } }) as const)),

  bringBack(names, before, current) {
    const named = Object.fromEntries([...names].map((name) => [name, true]));
    const commands = Object.keys(entriesOf(named, 'views')).map((id) => viewBack(id, before.views, current.views));
    return inTurn(savedViewsDecider, current, commands, decide);
  },
};

const viewBack = (viewId: string, before: readonly SavedView[], current: readonly SavedView[]): SavedViewCommand => {
  const known = before.find(({ id }) => id === viewId);
  if (known === undefined) return { type: 'DeleteView', viewId };
  const { name, query, authorId, createdAt } = known;
  return current.some(({ id }) => id === viewId)
    ? { type: 'ChangeView', viewId, changes: { name, query } }
    : { type: 'SaveView', viewId, name, query, saved: { authorId, createdAt } };
};

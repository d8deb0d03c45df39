import { accept, type Decider, type Decision, type Entity, reject, rejectField } from '../decider.ts';
import { isShown, limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { textKey } from '../text-key.ts';
import type { SavedViewCommand } from './commands.ts';
import type { SavedViewEvent } from './events.ts';
import type { SavedView, SavedViews } from './state.ts';

/** Trimmed, 1 to 60 characters in one line; `null` = no name. */
const parseViewName = (text: string): string | null => {
  const name = text.trim();
  return name.length >= 1 && name.length <= limits.viewName && isShown(name) ? name : null;
};

/** Decides and folds the views of one person, or of the team (TABLE-38, TABLE-39). Whose they are is the stream's to say. */
export const savedViewsDecider: Decider<SavedViews, SavedViewCommand, SavedViewEvent, object> = {
  category: 'views',

  decide(command, state) {
    const views = state?.views ?? [];
    if (command.type === 'SaveView') return decideSave(command, views);
    const view = views.find(({ id }) => id === command.viewId);
    if (view === undefined) return reject('NOT_FOUND', messages.viewNotFound);
    if (command.type === 'DeleteView') return accept({ type: 'ViewDeleted', data: { viewId: view.id } });
    return decideChange(view, command.changes, views);
  },

  evolve(state, event, recorded) {
    const views = state?.views ?? [];
    const { viewId } = event.data;
    const changed = (changes: Partial<SavedView>): SavedViews => ({
      views: views.map((view) =>
        view.id === viewId ? { ...view, ...changes, updatedAt: recorded.at, revision: recorded.revision } : view,
      ),
    });
    switch (event.type) {
      case 'ViewSaved': {
        const { name, query, authorId = recorded.actorId, createdAt = recorded.at } = event.data;
        const { at: updatedAt, revision } = recorded;
        return { views: [...views, { id: viewId, name, query, authorId, createdAt, updatedAt, revision }] };
      }
      case 'ViewRenamed':
        return changed({ name: event.data.name });
      case 'ViewQueryChanged':
        return changed({ query: event.data.query });
      case 'ViewDeleted':
        return { views: views.filter(({ id }) => id !== viewId) };
    }
  },

  changedFields: ({ data: { viewId } }) => [`views/${viewId}`],

  fields: ({ views }) => ({ views: Object.fromEntries(views.map(({ id, name, query }) => [id, { name, query }])) }),
};

/** One of the views of a stream by itself: the others neither change it nor are in its way. */
export const savedViewEntity = (viewId: string): Entity<SavedViews, SavedViewEvent> => ({
  ...savedViewsDecider,

  changedFields({ type, data }) {
    if (data.viewId !== viewId) return [];
    if (type === 'ViewRenamed') return ['name'];
    return type === 'ViewQueryChanged' ? ['query'] : ['name', 'query'];
  },

  fields({ views }) {
    const view = views.find(({ id }) => id === viewId);
    return view === undefined ? {} : { name: view.name, query: view.query };
  },
});

const decideSave = (
  { viewId, name: given, query, saved }: Extract<SavedViewCommand, { type: 'SaveView' }>,
  views: readonly SavedView[],
): Decision<SavedViewEvent> => {
  if (views.some(({ id }) => id === viewId)) return reject('DUPLICATE', messages.alreadyExists);
  const name = parseViewName(given);
  if (name === null) return rejectField('/name', messages.viewNameInvalid);
  if (views.length >= limits.views) return rejectField('', messages.tooManyViews);
  return nameTaken(name, views) ?? accept({ type: 'ViewSaved', data: { viewId, name, query, ...saved } });
};

const decideChange = (
  view: SavedView,
  changes: Extract<SavedViewCommand, { type: 'ChangeView' }>['changes'],
  views: readonly SavedView[],
): Decision<SavedViewEvent> => {
  const events: SavedViewEvent[] = [];
  if (changes.name !== undefined) {
    const name = parseViewName(changes.name);
    if (name === null) return rejectField('/name', messages.viewNameInvalid);
    const taken = nameTaken(
      name,
      views.filter(({ id }) => id !== view.id),
    );
    if (taken !== null) return taken;
    if (name !== view.name) events.push({ type: 'ViewRenamed', data: { viewId: view.id, name } });
  }
  if (changes.query !== undefined && changes.query !== view.query)
    events.push({ type: 'ViewQueryChanged', data: { viewId: view.id, query: changes.query } });
  return accept(...events);
};

const nameTaken = (name: string, views: readonly SavedView[]): Decision<never> | null =>
  views.some((view) => textKey(view.name) === textKey(name)) ? reject('DUPLICATE', messages.viewNameTaken) : null;

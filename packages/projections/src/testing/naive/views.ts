import type { ViewRow } from '@zakup/contracts/read-models';
import type { Step } from './entities.ts';

/** Every view that is there, as its events tell of it, and of whom it is (TABLE-38). */
export const savedViewsOf = (steps: readonly Step[]): ReadonlyMap<string, ViewRow & { readonly owner: string }> => {
  const all = new Map<string, ViewRow & { readonly owner: string }>();
  for (const { one } of steps) {
    const { category, id: owner, event, meta, revision } = one;
    if (category !== 'views') continue;
    if (event.type === 'ViewDeleted') all.delete(event.data.viewId);
    if (event.type === 'ViewSaved') {
      const { viewId: id, name, query, authorId = meta.actorId, createdAt = meta.at } = event.data;
      const shared = owner === 'team';
      all.set(id, { id, name, query, authorId, createdAt, updatedAt: meta.at, revision, shared, owner });
    }
    if (event.type !== 'ViewRenamed' && event.type !== 'ViewQueryChanged') continue;
    const { viewId, ...changes } = event.data;
    const before = all.get(viewId);
    if (before !== undefined) all.set(viewId, { ...before, ...changes, updatedAt: meta.at, revision });
  }
  return all;
};

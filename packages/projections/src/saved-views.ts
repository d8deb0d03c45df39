import type { ViewRow } from '@zakup/contracts/read-models';
import { decodeEvent } from '@zakup/domain/catalog';
import type { SavedViewEvent } from '@zakup/domain/views/events';
import { savedViewsDecider } from '@zakup/domain/views/saved-views.decider';
import { teamViews } from '@zakup/domain/views/view-stream';
import type { Fact, Projection } from './projection.ts';
import { personScope, workspaceScope } from './scopes.ts';
import type { WorkingSet } from './working-set.ts';

const fold = async (set: WorkingSet, { event, id: owner, facts }: Fact): Promise<void> => {
  const { type, data, revision, position, metadata } = event;
  const { licenceId, schemaVersion, actorId, at } = metadata;
  const decoded = facts === null ? null : decodeEvent({ type, schemaVersion, data });
  if (decoded?.kind !== 'event') return;
  const told = decoded.event as SavedViewEvent;
  const key = { kind: 'view' as const, id: told.data.viewId, licenceId };
  const before = await set.get(key);
  // Each view is folded by itself: what an event says of one changes no other.
  const { views } = savedViewsDecider.evolve({ views: before === null ? [] : [before] }, told, {
    at,
    actorId,
    revision,
  });
  const [view] = views;
  if (view === undefined) {
    await set.remove(key, position);
    return;
  }
  const shared = owner === teamViews;
  const row: ViewRow = { ...view, shared };
  await set.put({ ...key, position, scopes: [shared ? workspaceScope : personScope(owner)], data: row });
};

/** Views of the table under names: one's own in `me`, the team's in `workspace`. They have no history. */
export const savedViews: Projection = {
  name: 'saved-views',
  version: 10,
  writes: ['view'],
  apply: () => undefined,
  facts: { of: [savedViewsDecider.category], apply: (fact, { set }) => fold(set, fact) },
};

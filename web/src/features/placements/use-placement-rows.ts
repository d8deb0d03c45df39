import type { PlacementWire } from '@zakup/contracts/entities';
import { useMemo, useState } from 'react';
import { useEntries, useEntriesOf, useOutbox } from '../../shared/outbox/outbox-context.tsx';
import { useDoc, useDocs } from '../../shared/replica/replica-context.tsx';
import { type Names, type PlacementRow, placementRowMaker } from './placement-rows.ts';

const byId = <Doc extends { readonly id: string }>(docs: readonly Doc[]): ReadonlyMap<string, Doc> =>
  new Map(docs.map((doc) => [doc.id, doc]));

export const useNames = (): Names => {
  const contractors = useDocs('contractor');
  const users = useDocs('user');
  const creatives = useDocs('creative');
  return useMemo(
    () => ({ contractors: byId(contractors), users: byId(users), creatives: byId(creatives) }),
    [contractors, users, creatives],
  );
};

/** The campaign's placements as the table shows them: stored, pending and new ones, in order of creation. */
export const usePlacementRows = (campaignId: string): readonly PlacementRow[] => {
  const placements = useDocs('placement', { scope: `campaign:${campaignId}` });
  const outbox = useOutbox();
  const entries = useEntries();
  const names = useNames();
  const [make] = useState(placementRowMaker);
  return useMemo(
    () => make(placements, campaignId, entries, (id) => outbox.entriesOf('placement', id), names),
    [make, placements, campaignId, entries, outbox, names],
  );
};

export interface PlacementView {
  /** Stored values with pending ones laid over. */
  readonly placement: PlacementWire;
  readonly state: 'stored' | 'pending' | 'rejected' | 'conflict';
}

/** One placement and how far its changes got; `null` while it is unknown or gone. */
export const usePlacement = (id: string): PlacementView | null => {
  const stored = useDoc('placement', id);
  const entries = useEntriesOf('placement', id);
  return useMemo(() => {
    if (!stored) return null;
    const kinds = new Set(entries.map((entry) => entry.state.kind));
    const state = kinds.has('conflict')
      ? 'conflict'
      : kinds.has('rejected')
        ? 'rejected'
        : kinds.size > 0
          ? 'pending'
          : 'stored';
    const laid = entries.filter((entry) => entry.state.kind !== 'rejected').map((entry) => entry.predicted);
    return { placement: Object.assign({}, stored, ...laid) as PlacementWire, state };
  }, [stored, entries]);
};

import { useMemo, useState } from 'react';
import { useEntries, useOutbox } from '../../shared/outbox/outbox-context.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
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

import type { ContractorWire } from '@zakup/contracts/entities';
import { useMemo, useState } from 'react';
import { useEntries, useOutbox } from '../../shared/outbox/outbox-context.tsx';
import { useDoc, useDocs, useReplica } from '../../shared/replica/replica-context.tsx';
import { type MadeRows, type Names, placementRowMaker } from './placement-rows.ts';

const byId = <Doc extends { readonly id: string }>(docs: readonly Doc[]): ReadonlyMap<string, Doc> =>
  new Map(docs.map((doc) => [doc.id, doc]));

/** All that the table knows of a contractor: the sums, which every placement changes, are not shown in it. */
const sameNick = (before: ContractorWire, after: ContractorWire): boolean =>
  before.id === after.id &&
  before.adminUsername === after.adminUsername &&
  before.otherUsernames?.join() === after.otherUsernames?.join() &&
  before.channelName === after.channelName &&
  before.isActive === after.isActive;

/** The contractors, anew only when what the table shows of them changed. */
export const useContractorNicks = (): readonly ContractorWire[] => useDocs('contractor', { same: sameNick });

export const useNames = (): Names => {
  const contractors = useContractorNicks();
  const users = useDocs('user');
  const creatives = useDocs('creative');
  return useMemo(
    () => ({ contractors: byId(contractors), users: byId(users), creatives: byId(creatives) }),
    [contractors, users, creatives],
  );
};

/** The campaign's placements as the table shows them: stored, pending and new ones. */
export const usePlacementRows = (campaignId: string, names: Names): MadeRows => {
  const placements = useDocs('placement', { scope: `campaign:${campaignId}` });
  const campaign = useDoc('campaign', campaignId);
  const outbox = useOutbox();
  const replica = useReplica();
  const entries = useEntries();
  const [make] = useState(placementRowMaker);
  return useMemo(
    () =>
      make({
        placements,
        campaignId,
        campaign,
        entries,
        entriesOf: (id) => outbox.entriesOf('placement', id),
        isGone: (id) => replica.seen('placement', id) >= 0 && replica.get('placement', id) === null,
        names,
      }),
    [make, placements, campaignId, campaign, entries, outbox, replica, names],
  );
};

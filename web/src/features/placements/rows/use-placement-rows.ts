import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { singleEntries } from '../../../shared/outbox/batch.ts';
import type { Entry } from '../../../shared/outbox/entry.ts';
import { useEntries, useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { useDoc, useDocs, useReplica } from '../../../shared/replica/replica-context.tsx';
import { useInSlices } from '../../../shared/table/use-in-slices.ts';
import type { Names } from './placement-row.ts';
import { type MadeRows, placementRowMaker } from './placement-rows.ts';

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

/** Ids of placements whose creation is on its way though they were there already, and went again; the same while they are the same. */
const useGone = (entries: readonly Entry[]): ReadonlySet<string> => {
  const outbox = useOutbox();
  const replica = useReplica();
  const subscribe = useCallback((listener: () => void) => replica.subscribeKind('placement', listener), [replica]);
  const ids = useSyncExternalStore(subscribe, () =>
    entries
      .filter(({ creates, target }) => creates === true && target.kind === 'placement')
      .filter(({ id, target }) => outbox.wasMade(id) || replica.seen('placement', target.id) >= 0)
      .filter(({ target }) => replica.get('placement', target.id) === null)
      .map(({ target }) => target.id)
      .join(' '),
  );
  return useMemo(() => new Set(ids.split(' ')), [ids]);
};

const noRows: MadeRows = { rows: [], moving: [] };

/**
 * The campaign's placements as the table shows them: stored, pending and new ones. Of very many that come at once rows are made a slice at a
 * time; there are none until all are made, and `settled` is false until they may be drawn.
 */
export const usePlacementRows = (campaignId: string, names: Names): MadeRows & { readonly settled: boolean } => {
  const stored = useDocs('placement', { scope: `campaign:${campaignId}` });
  const { items: placements, whole, settled } = useInSlices(stored, campaignId);
  const campaign = useDoc('campaign', campaignId);
  const outbox = useOutbox();
  const issued = useEntries();
  const entries = useMemo(() => issued.flatMap(singleEntries), [issued]);
  const gone = useGone(entries);
  const [make] = useState(placementRowMaker);
  const made = useMemo(
    () =>
      make({
        placements,
        campaignId,
        campaign,
        entries,
        entriesOf: (id) => outbox.entriesOf('placement', id),
        isGone: (id) => gone.has(id),
        names,
      }),
    [make, placements, campaignId, campaign, entries, outbox, gone, names],
  );
  return { ...(whole ? made : noRows), settled };
};

import type { ContractorWire, CreativeWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { singleEntries } from '../../../shared/outbox/batch.ts';
import { type Entry, withoutUndone } from '../../../shared/outbox/entry.ts';
import { useEntries, useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { useDoc, useDocs, useDrawn, useReplica } from '../../../shared/replica/replica-context.tsx';
import { previewScope, usePreviewDocs } from '../../../shared/campaign/use-preview-docs.ts';
import { useInSlices } from '../../../shared/table/use-in-slices.ts';
import type { NamedCreative, Names } from './placement-row.ts';
import { type MadeRows, placementRowMaker } from './placement-rows.ts';
import type { RowsPreview } from './use-rows-preview.ts';

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

/** All that the table knows of a creative: its results, which every placement changes, are not shown in it. */
const sameCreative = (before: CreativeWire, after: CreativeWire): boolean =>
  before.id === after.id && before.name === after.name && before.isActive === after.isActive;

/** The creatives, anew only when what the table shows of them changed. */
export const useCreativeNames = (): readonly NamedCreative[] => useDocs('creative', { same: sameCreative });

export const useNames = (): Names => {
  const contractors = useContractorNicks();
  const users = useDocs('user');
  const creatives = useCreativeNames();
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
const noPlacements: readonly PlacementWire[] = [];

export interface CampaignRows extends MadeRows {
  readonly settled: boolean;
  /** The rows are these alone, the others are still on their way; null = they are all there are. */
  readonly preview: RowsPreview | null;
}

/** Rows of these placements with what is on its way for them. */
const useMadeRows = (campaignId: string, placements: readonly PlacementWire[], names: Names): MadeRows => {
  const campaign = useDoc('campaign', campaignId);
  const outbox = useOutbox();
  const issued = useEntries();
  const entries = useMemo(() => withoutUndone(issued).flatMap(singleEntries), [issued]);
  const gone = useGone(entries);
  const [make] = useState(placementRowMaker);
  return useMemo(
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
};

/**
 * The campaign's placements as the table shows them: stored, pending and new ones. Of very many that come at once rows are made a slice at a
 * time; there are none until all are made, and `settled` is false until they may be drawn. Until then the first ones stand in their place,
 * where these were asked for.
 */
export const usePlacementRows = (campaignId: string, names: Names, first: RowsPreview | null = null): CampaignRows => {
  const scope = `campaign:${campaignId}`;
  const drawn = useDrawn(scope);
  const stored = useDocs('placement', { scope });
  const { items: placements, whole, settled } = useInSlices(stored, campaignId);
  const made = useMadeRows(campaignId, placements, names);
  const [wasWhole, setWhole] = useState(false);
  const isWhole = wasWhole || (drawn && whole && settled);
  if (isWhole && !wasWhole) setWhole(true);
  const isShown = usePreviewDocs(campaignId, 'rows', isWhole ? null : (first?.docs ?? null));
  const ahead = useDocs('placement', { scope: previewScope(campaignId, 'rows') });
  const madeAhead = useMadeRows(campaignId, isShown ? ahead : noPlacements, names);
  if (isShown) return { ...madeAhead, settled: true, preview: first };
  return { ...(whole ? made : noRows), settled, preview: null };
};

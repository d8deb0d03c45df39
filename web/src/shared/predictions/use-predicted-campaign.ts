import type { AnalyticsWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react';
import { singleEntries } from '../outbox/batch.ts';
import { campaignOf, type Entry, isWaiting, withoutUndone } from '../outbox/entry.ts';
import { useKnownEntries } from '../outbox/outbox-context.tsx';
import { useDoc, useReplica } from '../replica/replica-context.tsx';
import type { Replica } from '../replica/replica.ts';
import { movedPlacements } from './moved-placements.ts';
import type { KnownFacts } from './placement-prediction.ts';
import { type MovingRow, predictedAnalytics } from './predicted-totals.ts';

/** A campaign's figures with what waits, and what that is. */
export interface PredictedCampaign {
  /** `null` = the replica does not hold them; then nothing is predicted. */
  readonly analytics: AnalyticsWire | null;
  readonly moving: readonly MovingRow[];
  /** Changes that wait and are in the figures. */
  readonly included: number;
  /** Changes that wait and are not. */
  readonly left: number;
}

const noRows: readonly MovingRow[] = [];

const knownBy = (replica: Replica): KnownFacts => ({
  campaign: (id) => replica.get('campaign', id),
  user: (id) => replica.get('user', id),
  creative: (id) => replica.get('creative', id),
  // Whose nick it is moves no sum of a campaign.
  contractorId: () => null,
});

interface Stored {
  readonly doc: PlacementWire | null;
  /** It was there, whether it still is or not. */
  readonly wasSeen: boolean;
}

/** The placements that entries are about, as the replica has them; the same map while none of them changed. */
const useStored = (entries: readonly Entry[]): ReadonlyMap<string, Stored> => {
  const replica = useReplica();
  const memo = useRef<ReadonlyMap<string, Stored>>(new Map());
  const subscribe = useCallback((listener: () => void) => replica.subscribeKind('placement', listener), [replica]);
  return useSyncExternalStore(subscribe, () => {
    const next = new Map(
      entries.map(({ target: { id } }): readonly [string, Stored] => [
        id,
        { doc: replica.get('placement', id), wasSeen: replica.seen('placement', id) >= 0 },
      ]),
    );
    const same =
      next.size === memo.current.size &&
      [...next].every(([id, { doc, wasSeen }]) => {
        const before = memo.current.get(id);
        return before?.doc === doc && before.wasSeen === wasSeen;
      });
    if (!same) memo.current = next;
    return memo.current;
  });
};

/** Counts the few placements that move, whatever else the campaign holds; costs nothing while nothing waits. */
export const usePredictedCampaign = (campaignId: string): PredictedCampaign => {
  const replica = useReplica();
  const analytics = useDoc('analytics', campaignId);
  const campaign = useDoc('campaign', campaignId);
  const { entries, wasMade } = useKnownEntries();
  const own = useMemo(
    () =>
      withoutUndone(entries)
        .flatMap(singleEntries)
        .filter((entry) => entry.target.kind === 'placement' && campaignOf(entry) === campaignId),
    [entries, campaignId],
  );
  const stored = useStored(own);
  const ofCampaign = entries.filter(
    (entry) => entry.target.kind === 'campaign' && entry.target.id === campaignId && isWaiting(entry),
  ).length;
  return useMemo(() => {
    if (analytics === null || own.length === 0)
      return { analytics, moving: noRows, included: 0, left: own.filter(isWaiting).length + ofCampaign };
    const moved = movedPlacements({
      campaignId,
      entries: own,
      stored: (id) => stored.get(id)?.doc ?? null,
      isGone: ({ id, target }) => wasMade(id) || stored.get(target.id)?.wasSeen === true,
      known: { ...knownBy(replica), campaign: () => campaign },
    });
    return {
      analytics: predictedAnalytics(analytics, moved.moving),
      moving: moved.moving,
      included: moved.included,
      left: moved.left + ofCampaign,
    };
  }, [analytics, own, ofCampaign, stored, campaign, replica, campaignId, wasMade]);
};

import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { campaignOf, type Entry, givenBy, isWaiting } from '../outbox/entry.ts';
import { newPlacement } from './new-placement.ts';
import { type KnownFacts, predictPlacement } from './placement-prediction.ts';
import type { MovingRow } from './predicted-totals.ts';

export interface MovedSources {
  readonly campaignId: string;
  /** All that is on its way. */
  readonly entries: readonly Entry[];
  /** A placement as the server has it; `null` = the replica does not hold it. */
  readonly stored: (id: string) => PlacementWire | null;
  /** Whether what an entry creates was there already, and is not any more. */
  readonly isGone: (entry: Entry) => boolean;
  readonly known: KnownFacts;
}

/** What of a campaign's placements moves, and how much of what waits is in that. */
export interface MovedPlacements {
  readonly moving: readonly MovingRow[];
  /** Entries that wait for the server and are decided here. */
  readonly included: number;
  /** Entries that wait and that nothing here could decide. */
  readonly left: number;
}

/** A contractor who stands as typed moves no sum. */
const isOpen = (entry: Entry, typed: MovingRow['typed']): boolean =>
  entry.state.kind === 'conflict' ||
  Object.keys(givenBy(entry)).some((member) => member !== 'contractor' && member in typed);

/** The few placements of a campaign that have something on their way, found by the entries, whatever else there is. */
export const movedPlacements = (sources: MovedSources): MovedPlacements => {
  const { campaignId, entries, stored, isGone, known } = sources;
  const own = entries.filter((entry) => entry.target.kind === 'placement' && campaignOf(entry) === campaignId);
  const moving: MovingRow[] = [];
  let included = 0;
  const count = (of: readonly Entry[], typed: MovingRow['typed'], decided: boolean): void => {
    if (decided) included += of.filter((entry) => isWaiting(entry) && !isOpen(entry, typed)).length;
  };
  for (const id of new Set(own.map(({ target }) => target.id))) {
    const doc = stored(id);
    const changes = own.filter(({ target, creates }) => target.id === id && creates !== true);
    const creation = own.find(({ target, creates }) => target.id === id && creates === true);
    if (doc !== null && doc.campaignId === campaignId) {
      // Once its document is here, its creation says nothing more.
      if (creation !== undefined) count([creation], {}, true);
      if (changes.length === 0) continue;
      const { decided, removed, typed } = predictPlacement(doc, id, changes, known);
      moving.push({ kind: 'stored', stored: doc, decided: decided ?? doc, counted: !removed, typed, entries: changes });
      count(changes, typed, true);
    } else if (creation !== undefined && creation.state.kind !== 'rejected' && !isGone(creation)) {
      const blank = newPlacement(creation);
      const { decided, removed, typed } = predictPlacement(null, id, [creation], known);
      const counted = decided !== null && !removed;
      moving.push({ kind: 'new', stored: blank, decided: decided ?? blank, counted, typed, entries: [creation] });
      count([creation], typed, decided !== null);
    }
  }
  return { moving, included, left: own.filter(isWaiting).length - included };
};

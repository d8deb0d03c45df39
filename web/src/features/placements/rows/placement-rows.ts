import type { CampaignWire, PlacementWire } from '@zakup/contracts/wire-entities';
import type { Entry } from '../../../shared/outbox/entry.ts';
import type { KnownFacts } from '../../../shared/predictions/placement-prediction.ts';
import { rememberChange } from '../../../shared/lists/changed-places.ts';
import { differences, orderKeeper, type RowOrder } from '../../../shared/table/incremental-list.ts';
import { byCreation, type Names, type PlacementRow } from './placement-row.ts';
import { busyRow, knownFacts, newRow, quietRow } from './predicted-row.ts';

const creationOrder: RowOrder<PlacementRow> = {
  compare: byCreation,
  sort: (rows) => rows.toSorted(byCreation),
};

/** What rows are made of. */
export interface RowSources {
  readonly placements: readonly PlacementWire[];
  readonly campaignId: string;
  /** As the replica knows it. */
  readonly campaign: CampaignWire | null;
  /** All that is on its way. */
  readonly entries: readonly Entry[];
  /** The changes of one placement among them. */
  readonly entriesOf: (placementId: string) => readonly Entry[];
  /** Whether the replica knows that the placement was there, and is not any more. */
  readonly isGone: (placementId: string) => boolean;
  readonly names: Names;
}

export interface MadeRows {
  /** In order of creation. */
  readonly rows: readonly PlacementRow[];
  /** Those of them for which something is on its way. */
  readonly moving: readonly PlacementRow[];
}

const sameMembers = (a: object, b: object): boolean => {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => (a as Record<string, unknown>)[name] === (b as Record<string, unknown>)[name])
  );
};

const sameRow = (a: PlacementRow, b: PlacementRow): boolean =>
  a.stored === b.stored &&
  a.nick === b.nick &&
  a.buyerName === b.buyerName &&
  a.creativeName === b.creativeName &&
  a.entries === b.entries &&
  (a.decided === b.decided || sameMembers(a.decided, b.decided)) &&
  (a.typed === b.typed || sameMembers(a.typed, b.typed)) &&
  a.counted === b.counted &&
  a.idle.size === b.idle.size;

const noRows: readonly PlacementRow[] = [];
const noEntries: readonly Entry[] = [];

/**
 * Makes rows in order of creation; a row that did not change stays the same object. Rows for which something is on its way are found by
 * their id, and of the others only those that differ are looked at, so that a change among 100,000 makes one row.
 */
export const placementRowMaker = () => {
  const inOrder = orderKeeper(creationOrder);
  let before: RowSources | null = null;
  let known: KnownFacts | null = null;
  /** By place of the placement. */
  let stored = noRows;
  /** Those that the server does not have yet. */
  let added = noRows;
  let unordered = noRows;
  const places = new Map<string, number>();
  let busy: ReadonlySet<string> = new Set();

  const placeOf = (id: string, { placements }: RowSources): number => {
    const place = places.get(id);
    return place !== undefined && placements[place]?.id === id ? place : -1;
  };

  const storedRows = (next: RowSources, facts: KnownFacts): readonly PlacementRow[] => {
    const { placements, names, entries, entriesOf } = next;
    const wanted = new Set(entries.filter(({ creates }) => creates !== true).map(({ target }) => target.id));
    const sameNames = before?.names === names;
    const all = stored.slice(0, placements.length);
    const remade: number[] = [];
    const make = (place: number): void => {
      const placement = placements[place] as PlacementWire;
      const own = wanted.has(placement.id) ? entriesOf(placement.id) : noEntries;
      const last = stored[place];
      if (facts === known && last?.stored === placement && last.entries === own) return;
      const row = own.length === 0 ? quietRow(placement, names) : busyRow('stored', placement, own, names, facts);
      if (last && sameRow(last, row)) return;
      all[place] = row;
      remade.push(place);
    };
    const changed = sameNames && before !== null ? differences(before.placements, placements) : null;
    for (const place of changed ?? placements.keys()) {
      // What stayed is not looked into: among 100,000 that alone takes milliseconds.
      if (sameNames && stored[place] && before?.placements[place] === placements[place]) continue;
      places.set((placements[place] as PlacementWire).id, place);
      make(place);
    }
    if (places.size > 2 * placements.length) {
      places.clear();
      placements.forEach(({ id }, place) => places.set(id, place));
    }
    for (const id of new Set([...busy, ...wanted])) {
      const place = placeOf(id, next);
      if (place >= 0) make(place);
    }
    busy = wanted;
    if (stored.length !== all.length) return all;
    if (remade.length === 0) return stored;
    rememberChange(stored, all, remade);
    return all;
  };

  /** A placement whose document came before the answer to its command, or went again since, is none of them; a refusal is said all the same. */
  const isAdded = ({ target, creates, body, state }: Entry, next: RowSources): boolean =>
    creates === true &&
    target.kind === 'placement' &&
    body['campaignId'] === next.campaignId &&
    placeOf(target.id, next) < 0 &&
    (state.kind === 'rejected' || !next.isGone(target.id));

  const addedRows = (next: RowSources, facts: KnownFacts): readonly PlacementRow[] =>
    next.entries
      .filter((entry) => isAdded(entry, next))
      .map((entry) => {
        const changes = next.entriesOf(entry.target.id);
        const isOf = ({ entries: [made, ...rest] }: PlacementRow): boolean =>
          made === entry && rest.length === changes.length && rest.every((one, at) => one === changes[at]);
        const last = added.find(isOf);
        return last && facts === known ? last : newRow(entry, changes, next.names, facts);
      });

  return (next: RowSources): MadeRows => {
    const { campaign, names } = next;
    const isKnown = before?.names === names && before.campaign === campaign;
    const facts = known !== null && isKnown ? known : knownFacts(campaign, names);
    const all = storedRows(next, facts);
    [stored, added] = [all, addedRows(next, facts)];
    [before, known] = [next, facts];
    const together = added.length === 0 ? stored : [...stored, ...added];
    if (differences(unordered, together)?.length !== 0) unordered = together;
    const moving = [...busy].flatMap((id) => stored[placeOf(id, next)] ?? []);
    return { rows: inOrder(unordered), moving: [...moving, ...added] };
  };
};

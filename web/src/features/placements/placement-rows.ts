import type { ContractorWire, CreativeWire, PlacementWire, UserWire } from '@zakup/contracts/entities';
import { noCreative } from '@zakup/domain/placement/events';
import type { Entry } from '../../shared/outbox/entry.ts';
import { differences, orderKeeper, type RowOrder } from '../../shared/table/kept-rows.ts';

/** A placement with the names it refers to and what is on its way, as the table shows it. */
export interface PlacementRow {
  /** The placement's id, or `new:<command id>` until the server has it. */
  readonly id: string;
  readonly kind: 'stored' | 'new';
  /** Stored values with pending ones laid over. */
  readonly placement: PlacementWire;
  /** As stored: its revision is what an edit is based on. */
  readonly stored: PlacementWire;
  readonly nick: string;
  readonly buyerName: string;
  readonly creativeName: string;
  readonly entries: readonly Entry[];
  readonly leaving: boolean;
}

export interface Names {
  readonly contractors: ReadonlyMap<string, ContractorWire>;
  readonly users: ReadonlyMap<string, UserWire>;
  readonly creatives: ReadonlyMap<string, CreativeWire>;
}

export const withoutCreative = 'Без креатива';
const none: readonly Entry[] = [];

const laid = (entries: readonly Entry[]): Readonly<Record<string, unknown>> => {
  const values: Record<string, unknown> = {};
  // A refused value is shown beside the stored one, never instead of it.
  for (const entry of entries) if (entry.state.kind !== 'rejected') Object.assign(values, entry.predicted);
  return values;
};

const rowOf = (
  stored: PlacementWire,
  entries: readonly Entry[],
  kind: PlacementRow['kind'],
  names: Names,
): PlacementRow => {
  const { contractor, deleted, ...fields } = laid(entries);
  const placement = entries.length === 0 ? stored : { ...stored, ...(fields as Partial<PlacementWire>) };
  return {
    id: stored.id,
    kind,
    placement,
    stored,
    nick:
      typeof contractor === 'string'
        ? contractor
        : (names.contractors.get(placement.contractorId)?.adminUsername ?? ''),
    buyerName: names.users.get(placement.buyerId)?.name ?? '',
    creativeName:
      placement.creativeId === noCreative ? withoutCreative : (names.creatives.get(placement.creativeId)?.name ?? ''),
    entries,
    leaving: deleted === true,
  };
};

const newRow = (entry: Entry, names: Names): PlacementRow => {
  const body = entry.predicted as Partial<PlacementWire>;
  const at = new Date(entry.issuedAt).toISOString();
  const stored: PlacementWire = {
    id: `new:${entry.id}`,
    revision: 0,
    createdAt: at,
    updatedAt: at,
    campaignId: '',
    buyerId: '',
    contractorId: '',
    creativeId: noCreative,
    category: '',
    format: '',
    price: 0,
    leads: 0,
    costPerLead: 0,
    date: '',
    paymentStatus: 'unpaid',
    status: 'PENDING',
    ...body,
  };
  const row = rowOf(stored, [entry], 'new', names);
  const { contractor } = entry.body;
  return typeof contractor === 'string' ? { ...row, nick: contractor } : row;
};

const sameRow = (a: PlacementRow, b: PlacementRow): boolean =>
  a.stored === b.stored &&
  a.entries === b.entries &&
  a.nick === b.nick &&
  a.buyerName === b.buyerName &&
  a.creativeName === b.creativeName;

/** Oldest first: the order in which rows stand that tie in every other. */
export const byCreation = (a: PlacementRow, b: PlacementRow): number => {
  if (a.placement.createdAt !== b.placement.createdAt) return a.placement.createdAt < b.placement.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
};
const creationOrder: RowOrder<PlacementRow> = {
  compare: byCreation,
  sort: (rows) => rows.toSorted(byCreation),
};

const isNewIn =
  (campaignId: string) =>
  ({ target, body }: Entry): boolean =>
    target.kind === 'placement' && target.id === null && body['campaignId'] === campaignId;

/**
 * Makes rows in order of creation; a row that did not change stays the same object. Of placements that are still in their place nothing
 * is looked at again unless something of theirs is on its way, so that a change among 100,000 makes one row.
 */
export const placementRowMaker = () => {
  const inOrder = orderKeeper<PlacementRow>();
  let placements: readonly PlacementWire[] = [];
  let names: Names | null = null;
  let busy: ReadonlySet<string | null> = new Set();
  /** By place of the placement; behind them those that the server does not have yet. */
  let rows: readonly PlacementRow[] = [];

  const made = (
    stored: PlacementWire,
    before: PlacementRow | undefined,
    entries: readonly Entry[],
    known: Names,
  ): PlacementRow => {
    const row = rowOf(stored, entries, 'stored', known);
    return before && sameRow(before, row) ? before : row;
  };

  return (
    next: readonly PlacementWire[],
    campaignId: string,
    entries: readonly Entry[],
    entriesOf: (id: string) => readonly Entry[],
    nextNames: Names,
  ): readonly PlacementRow[] => {
    const nextBusy = new Set(entries.map((entry) => entry.target.id));
    const isQuiet = names === nextNames && busy.size === 0 && nextBusy.size === 0;
    const isSettled = ({ id }: PlacementWire): boolean => names === nextNames && !busy.has(id) && !nextBusy.has(id);
    const all = rows.slice(0, next.length);
    for (let place = 0; place < next.length; place += 1) {
      const placement = next[place] as PlacementWire;
      const before = rows[place];
      // What stayed is not looked into: among 100,000 that alone takes milliseconds.
      if (before && placements[place] === placement && (isQuiet || isSettled(placement))) continue;
      all[place] = made(placement, before, nextBusy.has(placement.id) ? entriesOf(placement.id) : none, nextNames);
    }
    for (const entry of entries.filter(isNewIn(campaignId)))
      all.push(rows.find((row) => row.kind === 'new' && row.entries[0] === entry) ?? newRow(entry, nextNames));
    [placements, names, busy] = [next, nextNames, nextBusy];
    if (differences(rows, all)?.length !== 0) rows = all;
    return inOrder(rows, creationOrder);
  };
};

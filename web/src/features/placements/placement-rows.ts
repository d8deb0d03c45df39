import type { ContractorWire, CreativeWire, PlacementWire, UserWire } from '@zakup/contracts/entities';
import { noCreative } from '@zakup/domain/placement/events';
import type { Entry } from '../../shared/outbox/entry.ts';

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

const byCreation = (a: PlacementRow, b: PlacementRow): number =>
  a.placement.createdAt < b.placement.createdAt
    ? -1
    : a.placement.createdAt > b.placement.createdAt
      ? 1
      : a.id < b.id
        ? -1
        : 1;

/** Makes rows in order of creation; a row that did not change stays the same object. */
export const placementRowMaker = () => {
  let before = new Map<string, PlacementRow>();
  let list: readonly PlacementRow[] = [];
  return (
    placements: readonly PlacementWire[],
    campaignId: string,
    entries: readonly Entry[],
    entriesOf: (id: string) => readonly Entry[],
    names: Names,
  ): readonly PlacementRow[] => {
    const busy = new Set(entries.map((entry) => entry.target.id));
    const next = new Map<string, PlacementRow>();
    const keep = (row: PlacementRow): void => {
      const known = before.get(row.id);
      next.set(row.id, known && sameRow(known, row) ? known : row);
    };
    for (const stored of placements)
      keep(rowOf(stored, busy.has(stored.id) ? entriesOf(stored.id) : none, 'stored', names));
    for (const entry of entries)
      if (entry.target.kind === 'placement' && entry.target.id === null && entry.body['campaignId'] === campaignId) {
        const known = before.get(`new:${entry.id}`);
        next.set(`new:${entry.id}`, known?.entries[0] === entry ? known : newRow(entry, names));
      }
    const rows = [...next.values()].sort(byCreation);
    const same = rows.length === list.length && rows.every((row, index) => row === list[index]);
    before = next;
    if (!same) list = rows;
    return list;
  };
};

import {
  type HistoryChange,
  type HistoryEntry,
  historyId,
  type HistoryRow,
  type HistoryView,
  presentHistory,
} from '@zakup/contracts/history';
import { deletedField, type HistoryValue } from '@zakup/contracts/history-fields';
import type { ReadStore } from '@zakup/read-store/read-store';
import { type Entry, newestFirst } from './newest-first.ts';

/** Narrows a figure to the placements of somebody or something. */
export interface Narrowed {
  readonly field: 'buyerId' | 'creativeId' | 'contractorId' | 'date';
  /** Whether a placement with this value is among them. */
  readonly has: (value: string) => boolean;
  /** How a placement that was moved away is called. */
  readonly movedAway: string;
}

export interface FigureHistoryQuery {
  readonly licenceId: string;
  readonly campaignIds: readonly string[];
  /** Also where nothing counts any more. */
  readonly everywhere: boolean;
  /** Nothing later is looked at. */
  readonly to: number;
  readonly narrowed: readonly Narrowed[];
  /** Members whose change moves the figure, beside deletion and what narrows it. */
  readonly fields: ReadonlySet<string>;
  /** Absent = nothing of participants moves it. */
  readonly participant?: OfParticipant;
  /** The only placement that is asked about; null = all of them. */
  readonly only: string | null;
  /** Placements that count now. */
  readonly counted: ReadonlySet<string>;
  readonly view: HistoryView;
}

export interface FigureHistory {
  readonly leftOut: readonly {
    readonly placementId: string;
    readonly name: string | null;
    readonly reason: string;
    readonly at: string;
  }[];
  readonly moved: readonly HistoryEntry[];
  readonly complete: boolean;
}

/** What of participants moves a figure: the budget, or the terms, of one or of each of them. */
export interface OfParticipant {
  /** Null = of each. */
  readonly userId: string | null;
  readonly part: 'budget' | 'terms';
}

const membersOf = { budget: ['budget'], terms: ['salaryType', 'salaryRate', 'cplThreshold'] } as const;

const isMoveOf = ({ userId, part }: OfParticipant, { field, from, to }: HistoryChange): boolean => {
  if (userId === null ? !field.startsWith('participants/') : field !== `participants/${userId}`) return false;
  const valueOf = (terms: HistoryValue, member: string): unknown =>
    terms === null ? null : ((terms as Readonly<Record<string, unknown>>)[member] ?? null);
  return membersOf[part].some((member) => valueOf(from, member) !== valueOf(to, member));
};

/** Entries that are looked through for one answer: of the licence where a figure is of all campaigns, and of the campaigns themselves. */
const most = 10_000;
/** Last events that are told of a figure. */
export const movedShown = 10;
const placementKind = 'placement:';

/** The placement's last value of a field by its entries, newest first; undefined = they do not tell. */
const lastOf = (entries: readonly Entry[], field: string): unknown => {
  for (const { row } of entries) {
    const change = row.changes.find((one) => one.field === field);
    if (change !== undefined) return change.to;
  }
  return undefined;
};

const isIn = ({ has }: Narrowed, value: unknown): boolean => typeof value === 'string' && has(value);

/** Whether the placement was within what narrows the figure, right after its entry `at` or, by that entry, right before. */
const isWithin = (narrowed: Narrowed, entries: readonly Entry[], at: number): boolean => {
  const changeOf = ({ row }: Entry) => row.changes.find((change) => change.field === narrowed.field);
  const own = entries[at] === undefined ? undefined : changeOf(entries[at]);
  if (own !== undefined) return isIn(narrowed, own.from) || isIn(narrowed, own.to);
  for (const earlier of entries.slice(at + 1)) {
    const change = changeOf(earlier);
    if (change !== undefined) return isIn(narrowed, change.to);
  }
  for (const later of entries.slice(0, at).toReversed()) {
    const change = changeOf(later);
    if (change !== undefined) return isIn(narrowed, change.from);
  }
  return false;
};

/** What the history tells of a figure: which placements were taken out of it, and what moved it last. The newest is looked at first. */
export const figureHistory = async (
  readStore: Pick<ReadStore, 'walk'>,
  { licenceId, campaignIds, everywhere, to, narrowed, fields, participant, only, counted, view }: FigureHistoryQuery,
): Promise<FigureHistory> => {
  const byPlacement = new Map<string, Entry[]>();
  const others: Entry[] = [];

  const moves = (row: HistoryRow): boolean =>
    row.changes.some(
      (change) =>
        change.field === deletedField ||
        fields.has(change.field) ||
        (participant !== undefined && isMoveOf(participant, change)) ||
        narrowed.some((one) => one.field === change.field),
    );
  const take = (entry: Entry): void => {
    const { row } = entry;
    if (row.campaignId === undefined || !moves(row)) return;
    if (!row.entity.startsWith(placementKind)) {
      others.push(entry);
      return;
    }
    const id = row.entity.slice(placementKind.length);
    if (only !== null && id !== only) return;
    const entries = byPlacement.get(id);
    if (entries === undefined) byPlacement.set(id, [entry]);
    else entries.push(entry);
  };

  /** Null = everything was looked at; else where to go on. */
  const look = async (campaigns: readonly string[] | null, below: string): Promise<string | null> => {
    let looked = 0;
    let last = below;
    for await (const entry of newestFirst(readStore, licenceId, campaigns, below)) {
      if (looked === most) return last;
      take(entry);
      looked += 1;
      last = historyId(entry.position);
    }
    return null;
  };
  const newest = historyId(to + 1);
  const left = await look(everywhere ? null : campaignIds, newest);
  if (everywhere && left !== null) await look(campaignIds, left);

  const moved: Entry[] = [];
  const campaigns = new Set(campaignIds);
  for (const [id, entries] of byPlacement)
    entries.forEach((entry, at) => {
      if (!counted.has(id) && !narrowed.every((one) => isWithin(one, entries, at))) return;
      moved.push(entry);
      if (entry.row.campaignId !== undefined) campaigns.add(entry.row.campaignId);
    });
  moved.push(...others.filter(({ row }) => row.campaignId !== undefined && campaigns.has(row.campaignId)));

  const leftOut = [...byPlacement].flatMap(([placementId, entries]) => {
    const [latest] = entries;
    if (latest === undefined || counted.has(placementId)) return [];
    const told = (reason: string) => [{ placementId, name: latest.row.name ?? null, reason, at: latest.row.at }];
    const outside = narrowed.find((one) => !isIn(one, lastOf(entries, one.field)));
    if (outside === undefined) return lastOf(entries, deletedField) === true ? told('Размещение удалено') : [];
    const wasIn = entries.some(({ row }) =>
      row.changes.some(({ field, from }) => field === outside.field && isIn(outside, from)),
    );
    return wasIn ? told(outside.movedAway) : [];
  });
  return {
    leftOut: leftOut.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)),
    moved: moved
      .toSorted((a, b) => b.position - a.position)
      .slice(0, movedShown)
      .map(({ position, row }) => presentHistory(position, row, view)),
    complete: left === null,
  };
};

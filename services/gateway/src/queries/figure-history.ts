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
import type { Narrowed } from './narrowing.ts';
import { type Entry, newestFirst } from './newest-first.ts';

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

type Side = 'before' | 'after';

/** A member of a placement right before or after its entry `at`, of all of them, the newest first; undefined = they do not tell. */
const valueAt = (entries: readonly Entry[], at: number, side: Side, field: string): unknown => {
  const changeIn = (entry: Entry | undefined) => entry?.row.changes.find((change) => change.field === field);
  const own = changeIn(entries[at]);
  if (own !== undefined) return side === 'after' ? own.to : own.from;
  for (let earlier = at + 1; earlier < entries.length; earlier += 1) {
    const change = changeIn(entries[earlier]);
    if (change !== undefined) return change.to;
  }
  for (let later = at - 1; later >= 0; later -= 1) {
    const change = changeIn(entries[later]);
    if (change !== undefined) return change.from;
  }
  return undefined;
};

/** Whether the placement was within what narrows the figure, right before or after its entry; `known`: so it is where the entries do not tell. */
const isWithin = (
  { fields, has }: Narrowed,
  entries: readonly Entry[],
  at: number,
  side: Side,
  known: boolean,
): boolean => {
  const values = fields.map((field) => [field, valueAt(entries, at, side, field)] as const);
  if (values.some(([, value]) => value === undefined)) return known;
  if (values.some(([, value]) => value === null)) return false;
  return has(Object.fromEntries(values) as unknown as Parameters<Narrowed['has']>[0]);
};

/** What the history tells of a figure: which placements were taken out of it, and what moved it last. The newest is looked at first. */
export const figureHistory = async (
  readStore: Pick<ReadStore, 'walk'>,
  { licenceId, campaignIds, everywhere, to, narrowed, fields, participant, only, counted, view }: FigureHistoryQuery,
): Promise<FigureHistory> => {
  const byPlacement = new Map<string, Entry[]>();
  const others: Entry[] = [];

  const narrowing = new Set<string>(narrowed.flatMap((one) => one.fields));
  /** Whether it moves the figure of what is within it. */
  const movesWithin = (row: HistoryRow): boolean =>
    row.changes.some(
      (change) =>
        change.field === deletedField ||
        fields.has(change.field) ||
        (participant !== undefined && isMoveOf(participant, change)),
    );
  const moves = (row: HistoryRow): boolean => movesWithin(row) || row.changes.some(({ field }) => narrowing.has(field));
  const take = (entry: Entry): void => {
    const { row } = entry;
    if (row.campaignId === undefined) return;
    if (!row.entity.startsWith(placementKind)) {
      // What narrows is of placements, whatever else has fields of the same names.
      if (movesWithin(row)) others.push(entry);
      return;
    }
    if (!moves(row)) return;
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

  const isAmong = (id: string, entries: readonly Entry[], at: number, side: Side): boolean =>
    narrowed.every((one) => isWithin(one, entries, at, side, counted.has(id)));
  const moved: Entry[] = [];
  const campaigns = new Set(campaignIds);
  for (const [id, entries] of byPlacement)
    entries.forEach((entry, at) => {
      const [before, after] = [isAmong(id, entries, at, 'before'), isAmong(id, entries, at, 'after')];
      // What counts now is what all of its changes made of it, wherever it was then.
      if (before === after && !((after || counted.has(id)) && movesWithin(entry.row))) return;
      moved.push(entry);
      if (entry.row.campaignId !== undefined) campaigns.add(entry.row.campaignId);
    });
  moved.push(...others.filter(({ row }) => row.campaignId !== undefined && campaigns.has(row.campaignId)));

  const leftOut = [...byPlacement].flatMap(([placementId, entries]) => {
    const [latest] = entries;
    if (latest === undefined || counted.has(placementId)) return [];
    const told = (reason: string) => [{ placementId, name: latest.row.name ?? null, reason, at: latest.row.at }];
    const outside = narrowed.find((one) => !isWithin(one, entries, 0, 'after', false));
    if (outside === undefined)
      return valueAt(entries, 0, 'after', deletedField) === true ? told('Размещение удалено') : [];
    const wasIn = entries.some((_, at) => isAmong(placementId, entries, at, 'before'));
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

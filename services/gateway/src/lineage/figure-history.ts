import {
  type HistoryChange,
  type HistoryEntry,
  historyId,
  type HistoryRow,
  type HistoryView,
  presentHistory,
} from '@zakup/contracts/history';
import { deletedField, type HistoryValue } from '@zakup/contracts/history-fields';
import type { DocumentReader, JsonObject, ReadStore } from '@zakup/read-store/read-store';
import { dayOf } from '@zakup/domain/calendar';
import type { Kopecks } from '@zakup/domain/money';
import { createYielder } from '@zakup/async/yielder';
import type { FigureFilter } from './figure-filter.ts';
import type { Aliases } from '../read-models/aliases.ts';
import { newestDayFirst } from './lineage-lines.ts';
import { type Entry, newestFirst } from './newest-first.ts';

export interface FigureHistoryQuery {
  readonly licenceId: string;
  readonly campaignIds: readonly string[];
  /** Also where nothing counts any more. */
  readonly everywhere: boolean;
  /** Nothing later is looked at. */
  readonly to: number;
  readonly narrowed: readonly FigureFilter[];
  /** Members whose change moves the figure, beside deletion and what narrows it. */
  readonly fields: ReadonlySet<string>;
  /** Absent = nothing of participants moves it. */
  readonly participant?: OfParticipant;
  /** The only placement that is asked about; null = all of them. */
  readonly only: string | null;
  /** Placements that count now. */
  readonly counted: ReadonlySet<string>;
  /** Of that moment: what a placement is that left when the rest of it had been told too long ago. Absent = only entries tell. */
  readonly documents?: Pick<DocumentReader, 'getMany'>;
  /** Entries that are looked through at most, where it is not an answer on a screen. */
  readonly most?: number;
  readonly view: HistoryView;
}

/** A placement that is not in a figure any more; what of it is null was told too long ago. */
export interface GoneLine {
  readonly placementId: string;
  readonly name: string | null;
  readonly reason: string;
  readonly at: string;
  readonly campaignId: string | null;
  readonly contractorId: string | null;
  readonly buyerId: string | null;
  readonly date: string | null;
  readonly price: Kopecks | null;
  readonly leads: number | null;
}

/** With the contractor that the one it was bought from is a part of. */
export const asReceived = (line: GoneLine, { receiver }: Pick<Aliases, 'receiver'>): GoneLine =>
  line.contractorId === null ? line : { ...line, contractorId: receiver(line.contractorId) };

export interface FigureHistory {
  /** By their days, the newest first; those whose day is unknown by the day on which they left. */
  readonly leftOut: readonly GoneLine[];
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
const mostOnScreen = 10_000;
/** Last events that are told of a figure. */
export const movedShown = 10;
const placementKind = 'placement:';
const rowsAtOnce = 100;

/** Members of a placement by the names that its history gives them; absent = unknown. */
type Values = Readonly<Record<string, unknown>>;

const valuesOf = (row: JsonObject, fields: ReadonlySet<string>): Values =>
  Object.fromEntries([...fields].map((field) => [field, row[field]]));

/** Whether a placement with these values is within what narrows the figure; `known`: so it is where they are unknown. */
const isWithin = ({ fields, has }: FigureFilter, values: Values, known: boolean): boolean => {
  if (fields.some((field) => values[field] === undefined)) return known;
  if (fields.some((field) => values[field] === null)) return false;
  return has(values as unknown as Parameters<FigureFilter['has']>[0]);
};

/** Whether a placement was within what narrows a figure right before and right after one of its entries. */
interface Passage {
  readonly entry: Entry;
  readonly before: boolean;
  readonly after: boolean;
}

/**
 * What a placement is right after the last of its entries, the newest first, and its passage through each of them. `now`: its members that
 * no entry tells.
 */
const passagesOf = (
  entries: readonly Entry[],
  {
    fields,
    isAmong,
    now,
  }: {
    readonly fields: ReadonlySet<string>;
    readonly isAmong: (values: Values) => boolean;
    readonly now: Values;
  },
): { readonly latest: Values; readonly passages: readonly Passage[] } => {
  const changesOf = ({ row }: Entry) => row.changes.filter(({ field }) => fields.has(field));
  const latest: Record<string, unknown> = { ...now };
  for (const entry of entries.toReversed()) for (const { field, to } of changesOf(entry)) latest[field] = to;
  let values: Values = latest;
  let among = isAmong(latest);
  const passages = entries.map((entry): Passage => {
    const changes = changesOf(entry);
    const after = among;
    if (changes.length > 0) {
      values = { ...values, ...Object.fromEntries(changes.map(({ field, from }) => [field, from])) };
      among = isAmong(values);
    }
    return { entry, before: among, after };
  });
  return { latest, passages };
};

type Facts = Pick<GoneLine, 'contractorId' | 'buyerId' | 'date' | 'price' | 'leads'>;
const noFacts: Facts = { contractorId: null, buyerId: null, date: null, price: null, leads: null };
const factNames = Object.keys(noFacts) as (keyof Facts)[];

/** What the entries, the newest first, tell of placements that do not count any more. */
const factsOfGone = (counted: ReadonlySet<string>) => {
  const known = new Map<string, Record<string, HistoryValue>>();
  return {
    take(id: string, { row }: Entry): void {
      if (counted.has(id)) return;
      const told = known.get(id) ?? {};
      for (const { field, to } of row.changes)
        if ((factNames as string[]).includes(field) && !(field in told)) told[field] = to;
      known.set(id, told);
    },
    of: (id: string): Facts => ({ ...noFacts, ...(known.get(id) as Partial<Facts> | undefined) }),
  };
};

const dayOfGone = ({ date, at }: GoneLine): string => date ?? dayOf(at);

/** Why a placement that does not count was taken out; null = it was not, or nobody knows. */
const reasonOf = (narrowed: readonly FigureFilter[], latest: Values, passages: readonly Passage[]): string | null => {
  const outside = narrowed.find((one) => !isWithin(one, latest, false));
  if (outside === undefined) return latest[deletedField] === true ? 'Размещение удалено' : null;
  return passages.some(({ before }) => before) ? outside.movedAway : null;
};

/** Entries of one figure's history that were looked at, the newest first. */
interface Looked {
  readonly byPlacement: ReadonlyMap<string, readonly Entry[]>;
  /** Of what is no placement. */
  readonly others: readonly Entry[];
  readonly facts: ReturnType<typeof factsOfGone>;
  /** Whether everything was. */
  readonly complete: boolean;
}

const narrowingOf = ({ narrowed }: FigureHistoryQuery): ReadonlySet<string> =>
  new Set<string>(narrowed.flatMap((one) => one.fields));

/** Whether it moves the figure of what is within it. */
const movesWithin = ({ fields, participant }: FigureHistoryQuery, row: HistoryRow): boolean =>
  row.changes.some(
    (change) =>
      change.field === deletedField ||
      fields.has(change.field) ||
      (participant !== undefined && isMoveOf(participant, change)),
  );

const lookThrough = async (readStore: Pick<ReadStore, 'scanIndex'>, query: FigureHistoryQuery): Promise<Looked> => {
  const { licenceId, campaignIds, everywhere, to, only, counted, most = mostOnScreen } = query;
  const byPlacement = new Map<string, Entry[]>();
  const others: Entry[] = [];
  const facts = factsOfGone(counted);
  const narrowing = narrowingOf(query);

  const take = (entry: Entry): void => {
    const { row } = entry;
    if (row.campaignId === undefined) return;
    if (!row.entity.startsWith(placementKind)) {
      // What narrows is of placements, whatever else has fields of the same names.
      if (movesWithin(query, row)) others.push(entry);
      return;
    }
    const id = row.entity.slice(placementKind.length);
    if (only !== null && id !== only) return;
    facts.take(id, entry);
    if (!movesWithin(query, row) && !row.changes.some(({ field }) => narrowing.has(field))) return;
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
  const left = await look(everywhere ? null : campaignIds, historyId(to + 1));
  if (everywhere && left !== null) await look(campaignIds, left);
  return { byPlacement, others, facts, complete: left === null };
};

/** Of placements that may have left, what no entry tells: as it is in the documents. */
const untoldValues = async (
  { licenceId, counted, documents }: FigureHistoryQuery,
  byPlacement: Looked['byPlacement'],
  { told, narrowing }: { readonly told: ReadonlySet<string>; readonly narrowing: ReadonlySet<string> },
): Promise<ReadonlyMap<string, Values>> => {
  const yieldIfDue = createYielder();
  const untold: string[] = [];
  for (const [id, entries] of byPlacement) {
    if (counted.has(id)) continue;
    const changed = new Set(entries.flatMap(({ row }) => row.changes.map(({ field }) => field)));
    const mayHaveLeft = [...told].some((field) => changed.has(field));
    if (mayHaveLeft && [...narrowing].some((field) => !changed.has(field))) untold.push(id);
    await yieldIfDue();
  }
  const now = new Map<string, Values>();
  for (let from = 0; from < untold.length; from += rowsAtOnce) {
    for (const doc of (await documents?.getMany('placement', untold.slice(from, from + rowsAtOnce))) ?? [])
      if (doc.licenceId === licenceId && doc.data !== null) now.set(doc.id, valuesOf(doc.data, narrowing));
    await yieldIfDue();
  }
  return now;
};

/** What the history tells of a figure: which placements were taken out of it, and what moved it last. The newest is looked at first. */
export const figureHistory = async (
  readStore: Pick<ReadStore, 'scanIndex'>,
  query: FigureHistoryQuery,
): Promise<FigureHistory> => {
  const { campaignIds, narrowed, counted, view } = query;
  const { byPlacement, others, facts, complete } = await lookThrough(readStore, query);
  const narrowing = narrowingOf(query);
  const told = new Set([...narrowing, deletedField]);
  const now = await untoldValues(query, byPlacement, { told, narrowing });
  const yieldIfDue = createYielder();
  const moved: Entry[] = [];
  const leftOut: FigureHistory['leftOut'][number][] = [];
  const campaigns = new Set(campaignIds);
  for (const [placementId, entries] of byPlacement) {
    const counts = counted.has(placementId);
    const isAmong = (values: Values): boolean => narrowed.every((one) => isWithin(one, values, counts));
    const { latest, passages } = passagesOf(entries, { fields: told, isAmong, now: now.get(placementId) ?? {} });
    for (const { entry, before, after } of passages) {
      // What counts now is what all of its changes made of it, wherever it was then.
      if (before === after && !((after || counts) && movesWithin(query, entry.row))) continue;
      moved.push(entry);
      if (entry.row.campaignId !== undefined) campaigns.add(entry.row.campaignId);
    }
    const reason = counts ? null : reasonOf(narrowed, latest, passages);
    const [last] = entries;
    if (reason !== null && last !== undefined)
      leftOut.push({
        placementId,
        name: last.row.name ?? null,
        reason,
        at: last.row.at,
        campaignId: last.row.campaignId ?? null,
        ...facts.of(placementId),
      });
    await yieldIfDue();
  }
  moved.push(...others.filter(({ row }) => row.campaignId !== undefined && campaigns.has(row.campaignId)));
  return {
    leftOut: leftOut.toSorted((a, b) => newestDayFirst([dayOfGone(a), a.placementId], [dayOfGone(b), b.placementId])),
    moved: moved
      .toSorted((a, b) => b.position - a.position)
      .slice(0, movedShown)
      .map(({ position, row }) => presentHistory(position, row, view)),
    complete,
  };
};

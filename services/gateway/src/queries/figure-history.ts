import { setImmediate as turn } from 'node:timers/promises';
import {
  type HistoryEntry,
  historyId,
  type HistoryRow,
  type HistoryView,
  presentHistory,
} from '@zakup/contracts/history';
import { deletedField } from '@zakup/contracts/history-fields';
import type { ReadStore } from '@zakup/read-store/read-store';

/** Narrows a figure to the placements of somebody or something. */
export interface Narrowed {
  readonly field: 'buyerId' | 'creativeId' | 'contractorId';
  /** Any of these. */
  readonly ids: ReadonlySet<string>;
  /** How a placement that was moved away is called. */
  readonly movedAway: string;
}

export interface FigureHistoryQuery {
  readonly licenceId: string;
  readonly campaignIds: readonly string[];
  /** Nothing later is looked at. */
  readonly to: number;
  readonly narrowed: readonly Narrowed[];
  /** Members whose change moves the figure, beside deletion and what narrows it. */
  readonly fields: ReadonlySet<string>;
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

const page = 200;
/** Entries that are looked through for one answer. */
const most = 2_000;
const movedShown = 10;
const placementKind = 'placement:';

interface Entry {
  readonly position: number;
  readonly row: HistoryRow;
}

/** The placement's last value of a field by its entries, newest first; undefined = they do not tell. */
const lastOf = (entries: readonly Entry[], field: string): unknown => {
  for (const { row } of entries) {
    const change = row.changes.find((one) => one.field === field);
    if (change !== undefined) return change.to;
  }
  return undefined;
};

const isIn = (ids: ReadonlySet<string>, value: unknown): boolean => typeof value === 'string' && ids.has(value);

/** What the history tells of a figure: which placements were taken out of it, and what moved it last. */
export const figureHistory = async (
  readStore: Pick<ReadStore, 'walk'>,
  { licenceId, campaignIds, to, narrowed, fields, counted, view }: FigureHistoryQuery,
): Promise<FigureHistory> => {
  const byPlacement = new Map<string, Entry[]>();
  const moved: Entry[] = [];
  let left = most;
  let complete = true;

  const belongs = (id: string, { changes }: HistoryRow): boolean =>
    narrowed.length === 0 ||
    counted.has(id) ||
    changes.some(({ field, from, to: after }) =>
      narrowed.some((one) => one.field === field && (isIn(one.ids, from) || isIn(one.ids, after))),
    );
  const moves = (row: HistoryRow): boolean =>
    row.changes.some(
      ({ field }) => field === deletedField || fields.has(field) || narrowed.some((one) => one.field === field),
    );
  const take = (entry: Entry): void => {
    const { row } = entry;
    if (!moves(row)) return;
    if (!row.entity.startsWith(placementKind)) {
      moved.push(entry);
      return;
    }
    const id = row.entity.slice(placementKind.length);
    const entries = byPlacement.get(id) ?? [];
    entries.push(entry);
    byPlacement.set(id, entries);
    if (belongs(id, row)) moved.push(entry);
  };

  for (const campaignId of campaignIds) {
    for (let after: string | undefined = historyId(to + 1); left > 0; ) {
      const docs = await readStore.walk('history', {
        licenceId,
        where: { field: 'campaignId', value: campaignId },
        direction: 'desc',
        ...(after !== undefined && { after }),
        limit: page,
      });
      for (const doc of docs) take({ position: doc.position, row: doc.data as unknown as HistoryRow });
      left -= docs.length;
      after = docs.at(-1)?.id;
      if (docs.length < page) break;
      await turn();
    }
    if (left <= 0) complete = false;
  }

  const leftOut = [...byPlacement].flatMap(([placementId, entries]) => {
    const [latest] = entries;
    if (latest === undefined || counted.has(placementId)) return [];
    const told = (reason: string) => [{ placementId, name: latest.row.name ?? null, reason, at: latest.row.at }];
    const outside = narrowed.find((one) => !isIn(one.ids, lastOf(entries, one.field)));
    if (outside === undefined) return lastOf(entries, deletedField) === true ? told('Размещение удалено') : [];
    const wasIn = entries.some(({ row }) =>
      row.changes.some(({ field, from }) => field === outside.field && isIn(outside.ids, from)),
    );
    return wasIn ? told(outside.movedAway) : [];
  });
  return {
    leftOut: leftOut.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)),
    moved: moved
      .toSorted((a, b) => b.position - a.position)
      .slice(0, movedShown)
      .map(({ position, row }) => presentHistory(position, row, view)),
    complete,
  };
};

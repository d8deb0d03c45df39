import { entityName, historyId, type HistoryRow } from '@zakup/contracts/history';
import type { HistoryKind } from '@zakup/contracts/history-fields';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { Entry } from './newest-first.ts';

export interface EntityHistoryQuery {
  readonly licenceId: string;
  readonly kind: HistoryKind;
  readonly id: string;
  /** Nothing later is looked at. */
  readonly to: number;
}

/** What one entity went through, the newest first; `complete`: from its beginning. */
export interface EntityHistory {
  readonly entries: readonly Entry[];
  readonly complete: boolean;
}

/** Entries that are looked through. */
const most = 200;

/** The last entries of one entity, up to a position. */
export const entityHistory = async (
  readStore: Pick<ReadStore, 'scanIndex'>,
  { licenceId, kind, id, to }: EntityHistoryQuery,
): Promise<EntityHistory> => {
  const docs = await readStore.scanIndex('history', {
    licenceId,
    where: { field: 'entity', value: entityName(kind, id) },
    direction: 'desc',
    after: historyId(to + 1),
    limit: most + 1,
  });
  return {
    entries: docs.slice(0, most).map(({ position, data }) => ({ position, row: data as unknown as HistoryRow })),
    complete: docs.length <= most,
  };
};

/** An entity's members right before an entry of it, as the history names them. */
export const stateBefore = <State extends object>(after: State, { row }: Entry): State => ({
  ...after,
  ...Object.fromEntries(row.changes.filter(({ field }) => field in after).map(({ field, from }) => [field, from])),
});

/** A field of an entry right before it; undefined = the entry left it as it was. */
export const valueBefore = ({ row }: Entry, field: string): unknown =>
  row.changes.find((change) => change.field === field)?.from;

import { entityName, historyId, type HistoryRow } from '@zakup/contracts/history';
import type { ChangedBy } from '@zakup/contracts/socket';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { StoredChange } from './view.ts';

/** Who made all that is new in a change; null where that is not one person, or not known. */
export type AuthorOf = (change: StoredChange) => ChangedBy | null;

/** Rows of a round above which nobody asks whose hands they were: an import is no colleague in a cell. */
export const mostRows = 50;
/** Entries of the history that are looked at for one round. */
export const mostEntries = 100;

const nobody: AuthorOf = () => null;

const isRow = ({ doc, gone }: StoredChange): boolean => doc.kind === 'placement' && !gone;

interface Entry extends ChangedBy {
  readonly position: number;
}

const entryOf = (position: number, { actorId, actorName }: HistoryRow): Entry => ({
  position,
  userId: actorId,
  name: actorName ?? '',
});

/**
 * Who changed the placements of one round, found by one read of the history however many scopes and sockets it goes to. `after`: everything up
 * to there was told before; `changes`: what all scopes of the licence tell now. Rejects with what the read store throws.
 */
export const changeAuthors = async (
  readStore: Pick<ReadStore, 'scanIndex'>,
  licenceId: string,
  { after, changes }: { readonly after: number; readonly changes: readonly StoredChange[] },
): Promise<AuthorOf> => {
  const rows = new Set(changes.filter(isRow).map(({ doc }) => doc.id));
  if (rows.size === 0 || rows.size > mostRows) return nobody;
  const docs = await readStore.scanIndex('history', {
    licenceId,
    direction: 'asc',
    after: historyId(after),
    limit: mostEntries + 1,
  });
  if (docs.length > mostEntries) return nobody;
  const byEntity = new Map<string, Entry[]>();
  for (const { position, data } of docs) {
    const row = data as unknown as HistoryRow;
    const entries = byEntity.get(row.entity) ?? [];
    byEntity.set(row.entity, entries);
    entries.push(entryOf(position, row));
  }
  return (change) => {
    if (!isRow(change)) return null;
    const told = byEntity.get(entityName('placement', change.doc.id)) ?? [];
    const entries = told.filter(({ position }) => position <= change.position);
    const last = entries.at(-1);
    // What moved it last may be somebody else's: of that its own history says nothing.
    if (last === undefined || last.position !== change.position || last.name === '') return null;
    const { userId, name } = last;
    return entries.every((entry) => entry.userId === userId) ? { userId, name } : null;
  };
};

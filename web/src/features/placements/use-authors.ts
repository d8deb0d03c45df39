import type { HistoryEntry } from '@zakup/contracts/history';
import { useCallback, useRef } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import type { ChangeAuthor } from '../../shared/table/grid-column.ts';
import { columnFields } from './placement-columns.tsx';
import type { PlacementRow } from './placement-rows.ts';

const fieldOf = (columnId: string): string | undefined =>
  columnId === 'contractor' ? 'contractorId' : columnId === 'payment' ? 'paymentStatus' : columnFields[columnId];

/** A batch changes many rows at once: who made it is asked for a few of them only. */
const mostAsked = 4;

/** Finds out who has just changed a cell; `null` where nobody knows, or too much is asked at once. */
export const useAuthors = (): ((row: PlacementRow, columnId: string) => Promise<ChangeAuthor | null>) => {
  const api = useApi();
  const asked = useRef(new Map<string, Promise<readonly HistoryEntry[]>>());
  return useCallback(
    async (row, columnId) => {
      const field = fieldOf(columnId);
      if (field === undefined) return null;
      const key = `${row.id} ${row.stored.revision}`;
      const before = asked.current.get(key);
      if (!before && asked.current.size >= mostAsked) return null;
      const question =
        before ??
        api
          .get<{ readonly entries: readonly HistoryEntry[] }>(`/api/placements/${row.id}/history`)
          .then(({ data }) => data.entries);
      asked.current.set(key, question);
      try {
        const entries = await question;
        const last = entries.findLast(({ changes }) => changes.some((change) => change.field === field));
        return last
          ? { userId: last.actor.userId, name: last.actor.name, age: Math.max(0, Date.now() - Date.parse(last.at)) }
          : null;
      } finally {
        asked.current.delete(key);
      }
    },
    [api],
  );
};

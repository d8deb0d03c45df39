import { useCallback } from 'react';
import { useLive } from '../../../shared/live/live-context.tsx';
import { useSession } from '../../../shared/session/session-context.tsx';
import type { ChangeAuthor } from '../../../shared/table/grid-column.ts';
import { fieldOfColumn } from '../columns/field-columns.ts';
import type { PlacementRow } from '../rows/placement-row.ts';

/** Says who else has just changed a cell, by what came with the change; `null` where nobody else did, or nobody knows. */
export const useAuthors = (): ((row: PlacementRow, columnId: string) => ChangeAuthor | null) => {
  const live = useLive();
  const { person } = useSession();
  return useCallback(
    (row, columnId) => {
      const field = fieldOfColumn.get(columnId);
      const author = field === undefined || field === 'costPerLead' ? null : live.authorOf(row.id, field);
      return author?.userId === person.id ? null : author;
    },
    [live, person.id],
  );
};

import { useState } from 'react';
import { z } from 'zod';
import type { GridSorting } from '../../shared/table/grid-column.ts';

/** Local key of the table's state; dropped when another licence signs in. */
const key = 'placementsTable';
const stored = z.object({ sortBy: z.string(), sortOrder: z.enum(['asc', 'desc']) });
const first: GridSorting = { columnId: 'date', order: 'asc' };

const read = (): GridSorting => {
  try {
    const parsed = stored.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null'));
    return parsed.success ? { columnId: parsed.data.sortBy, order: parsed.data.sortOrder } : first;
  } catch {
    return first;
  }
};

/** How the table is sorted, remembered in this browser; by date, oldest first, until chosen. */
export const useTableSorting = (): readonly [GridSorting, (sorting: GridSorting) => void] => {
  const [sorting, setSorting] = useState(read);
  return [
    sorting,
    (next) => {
      setSorting(next);
      localStorage.setItem(key, JSON.stringify({ sortBy: next.columnId, sortOrder: next.order }));
    },
  ];
};

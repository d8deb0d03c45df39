import { useMemo } from 'react';
import { withRevealed } from '../../../shared/table/revealed-row.ts';
import type { PlacementRow } from '../rows/placement-row.ts';
import type { CampaignPlacements } from '../rows/use-campaign-placements.ts';

const noRows: readonly PlacementRow[] = [];
const rowId = (row: PlacementRow): string => row.id;

/** The rows that are cards on a narrow screen, in order, and the lines of their groups; none on a wide one. */
export const useCardRows = ({ table, narrow, revealed }: CampaignPlacements) => {
  const { page, groups } = table;
  const ordered = narrow ? table.shown : noRows;
  const grouped = useMemo(() => (groups === null ? ordered : groups.arrange(ordered)), [ordered, groups]);
  return useMemo(
    () =>
      withRevealed(
        page && page.isCut !== true ? ordered.slice((page.number - 1) * page.size, page.number * page.size) : grouped,
        narrow ? revealed : null,
        rowId,
      ),
    [ordered, grouped, page, narrow, revealed],
  );
};

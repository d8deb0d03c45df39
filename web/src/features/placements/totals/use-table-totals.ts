import { useMemo, useState } from 'react';
import { areSumsOpen } from '../../../shared/predictions/predicted-totals.ts';
import { usePredictedCampaign } from '../../../shared/predictions/use-predicted-campaign.ts';
import type { GridColumn, TotalsCell } from '../../../shared/table/grid-column.ts';
import { lineagePart } from '../filters/placement-filters.ts';
import type { PlacementRow } from '../rows/placement-row.ts';
import type { CampaignPlacements } from '../rows/use-campaign-placements.ts';
import { campaignTotals } from './campaign-totals.tsx';
import {
  areFilteredSumsOpen,
  askedTotals,
  filteredRows,
  filteredSums,
  filteredTotals,
  laidTotals,
  markedTotals,
} from './filtered-totals.tsx';

/** The totals of the table, of all rows or of those that fit the filters, laid under the columns that are shown. */
export const useTableTotals = (
  { campaignId, table, rows, moving, columns, preview, all }: CampaignPlacements,
  shownColumns: readonly GridColumn<PlacementRow>[],
): readonly TotalsCell[] => {
  const predicted = usePredictedCampaign(campaignId);
  const { shown, fits, whyUnfit } = table;
  const { filters, contractorId } = table.narrowedBy;
  const filtered = table.chips.length > 0;
  const filterWords = table.chips.map(({ whole }) => whole).join('; ');
  const [sumsOfFiltered] = useState(filteredSums);
  return useMemo(() => {
    const ofAll = predicted.analytics ? campaignTotals(campaignId, predicted.analytics.summary) : [];
    if (filtered && preview)
      return laidTotals(markedTotals(askedTotals(preview.totals, all), moving.length > 0), columns, shownColumns);
    const totals = filtered
      ? filteredTotals({
          campaignId,
          filters: filterWords,
          part: lineagePart(filters, contractorId),
          whyUnfit,
          fitting: () => filteredRows(shown, moving, fits),
          totals: sumsOfFiltered(shown, moving, fits),
          all: rows,
        })
      : ofAll;
    const open = filtered ? areFilteredSumsOpen(moving, fits) : areSumsOpen(predicted.moving);
    return laidTotals(markedTotals(totals, open), columns, shownColumns);
  }, [
    filtered,
    filterWords,
    filters,
    contractorId,
    whyUnfit,
    shown,
    fits,
    rows,
    moving,
    preview,
    all,
    predicted,
    campaignId,
    columns,
    shownColumns,
    sumsOfFiltered,
  ]);
};

import { useQuery } from '@tanstack/react-query';
import type { PlacementTotalsWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { useApi } from '../../../shared/api/api-context.tsx';
import { useScope } from '../../../shared/live/live-context.tsx';
import { useMoment } from '../../../shared/moment/moment-context.ts';
import { useDrawn } from '../../../shared/replica/replica-context.tsx';
import { type PreviewDoc, previewScope } from '../../../shared/campaign/use-preview-docs.ts';
import { pageQuery } from '../filters/placement-filters.ts';
import { pageSize, type TableState } from '../filters/table-state.ts';

/** As many rows as a tall screen has, of a list that is not in pages. */
const firstRows = 100;

/** The first rows of a table, and what is known of all. */
export interface RowsPreview {
  readonly docs: readonly PreviewDoc[];
  /** How many rows fit. */
  readonly total: number;
  /** Of all that fit. */
  readonly totals: PlacementTotalsWire;
}

interface Answer {
  readonly placements: readonly PlacementWire[];
  readonly total: number;
  readonly totals: PlacementTotalsWire;
}

const previewOf = ({ placements, total, totals }: Answer): RowsPreview => ({
  docs: placements.map((doc) => ({ kind: 'placement', id: doc.id, doc })),
  total,
  totals,
});

/**
 * Asks for the page that the table shows while a long load of the campaign is on its way, anew for another order, page or filter; null until it
 * came, and where the load is refused. What is searched for waits for the load: each letter would ask once more.
 */
export const useRowsPreview = (campaignId: string, state: TableState, narrow: boolean): RowsPreview | null => {
  const { filters, selectedContractorId, sorting, cardSorting, page, whole } = state;
  const api = useApi();
  const now = useMoment() === null;
  const scope = `campaign:${campaignId}`;
  const isRefused = useScope(scope).kind === 'refused';
  const drawn = useDrawn(scope);
  const isLong = useDrawn(previewScope(campaignId, 'analytics'));
  const query = pageQuery(
    filters,
    selectedContractorId,
    narrow ? cardSorting : sorting,
    whole ? { page: 1, pageSize: firstRows } : { page, pageSize },
  );
  const { data } = useQuery({
    queryKey: ['campaign-rows', campaignId, query],
    queryFn: async ({ signal }) =>
      (await api.get<Answer>(`/api/campaigns/${campaignId}/placements`, { query, signal })).data,
    enabled: now && !drawn && isLong && filters.search.trim() === '',
    select: previewOf,
    // What was changed since would be missing in it.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return isRefused || data === undefined ? null : data;
};

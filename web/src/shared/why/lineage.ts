import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { licenceLineageData, lineageData } from '@zakup/contracts/calls/replies';
import type { HistoryEntry } from '@zakup/contracts/history';
import type { payFigures } from '@zakup/contracts/requests/queries';
import type { Figure } from '@zakup/domain/analytics/figures';
import type { LicenceFigure } from '@zakup/domain/analytics/licence-figures';
import type { z } from 'zod';
import { useApi } from '../api/api-context.tsx';
import { useMoment } from '../past/moment-context.ts';

/** To which of the placements a figure is narrowed: those of whom or what is named, and as a campaign's table is filtered. */
export interface LineagePart {
  readonly userId?: string;
  readonly creativeId?: string;
  readonly contractorId?: string;
  readonly placementId?: string;
  /** Days of placements, `YYYY-MM-DD`, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly category?: string;
  readonly format?: string;
  readonly paymentStatus?: string;
  readonly status?: string;
  /** Leaves out the rows of this status. */
  readonly statusNot?: string;
  /** Roubles, both included. */
  readonly priceFrom?: number;
  readonly priceTo?: number;
  readonly search?: string;
}

/** Of which placements the server tells a figure: of a campaign or a contractor. */
export interface PlacementLineage extends LineagePart {
  readonly of: 'campaign' | 'contractor';
  readonly id: string;
  readonly figure: Figure | (typeof payFigures)[number];
}

/** A figure over all campaigns, or a parameter of the licence. */
export interface LicenceLineage {
  readonly of: 'license';
  readonly figure: LicenceFigure;
}

/** What the server is asked about a figure. */
export type Lineage = PlacementLineage | LicenceLineage;

export type LineageData = z.infer<typeof lineageData>;
export type CountedLine = LineageData['counted']['lines'][number];
export type LeftOutLine = LineageData['leftOut']['lines'][number];

export interface LineagePage {
  readonly data: LineageData;
  /** Everything up to here is in it. */
  readonly position: number;
}

const pageSize = 12;

/** What the server knows of the figure, as of now or of the moment on the screen; counted lines come page by page. */
export const useLineage = ({ of, id, ...query }: PlacementLineage) => {
  const api = useApi();
  const at = useMoment()?.position ?? undefined;
  return useInfiniteQuery({
    queryKey: ['lineage', of, id, query, at ?? null],
    // What is asked for again is told anew: figures move all the time.
    staleTime: 0,
    gcTime: 0,
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }): Promise<LineagePage> => {
      const { data, position } = await api.get<LineageData>(`/api/${of}s/${id}/lineage`, {
        query: { ...query, page: pageParam, pageSize, at },
        signal,
      });
      return { data, position: position ?? 0 };
    },
    getNextPageParam: ({ data }, _pages, page) => (page * pageSize < data.counted.total ? page + 1 : undefined),
  });
};

/** The same of a figure over all campaigns. */
export const useLicenceLineage = ({ figure }: LicenceLineage) => {
  const api = useApi();
  const at = useMoment()?.position ?? undefined;
  return useQuery({
    queryKey: ['lineage', 'license', figure, at ?? null],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const { data, position } = await api.get<z.infer<typeof licenceLineageData>>('/api/license/lineage', {
        query: { figure, at },
        signal,
      });
      return { data, position: position ?? 0 };
    },
  });
};

const amountIn = (entry: HistoryEntry, field: string): number => {
  const change = entry.changes.find((one) => one.field === field);
  if (change === undefined) return 0;
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return number(change.to) - number(change.from);
};

/** By how much an event moved the figure: roubles or leads; null where one event does not say it. */
export const movedBy = (
  figure: PlacementLineage['figure'],
  entry: HistoryEntry,
  counted: readonly CountedLine[],
): number | null => {
  const isNew = entry.changes.some(({ field, from }) => field === 'campaignId' && from === null);
  const line = counted.find(({ placementId }) => placementId === entry.entity.id);
  // A line that came from elsewhere brought all of itself.
  const moved = !isNew && entry.changes.some(({ field }) => field === 'buyerId' || field === 'creativeId');
  if (moved || entry.entity.kind !== 'placement') return null;
  const by =
    figure === 'spent'
      ? amountIn(entry, 'price')
      : figure === 'leads'
        ? amountIn(entry, 'leads')
        : figure === 'earnings' && isNew
          ? (line?.amount ?? 0)
          : 0;
  return by === 0 ? null : by;
};

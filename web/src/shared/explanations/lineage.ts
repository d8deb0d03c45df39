import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { licenceLineageData, lineageData } from '@zakup/contracts/calls/replies';
import type { HistoryEntry } from '@zakup/contracts/history';
import type { payFigures } from '@zakup/contracts/requests/queries';
import type { ChannelSize } from '@zakup/domain/analytics/channel-size';
import type { Figure } from '@zakup/domain/analytics/figures';
import type { LicenceFigure } from '@zakup/domain/analytics/licence-figures';
import type { z } from 'zod';
import type { Query } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { useMoment } from '../moment/moment-context.ts';

/** To which of the placements a figure is narrowed: those of whom or what is named, and as a campaign's table is filtered. */
export interface LineagePart {
  /** Of a list any value. */
  readonly userId?: string | readonly string[];
  readonly creativeId?: string | readonly string[];
  readonly contractorId?: string;
  readonly placementId?: string;
  /** Days of placements, `YYYY-MM-DD`, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly category?: readonly string[];
  readonly format?: readonly string[];
  readonly paymentStatus?: readonly string[];
  readonly status?: readonly string[];
  /** Leaves out the rows of this status. */
  readonly statusNot?: string;
  /** Roubles, both included. */
  readonly priceFrom?: number;
  readonly priceTo?: number;
  readonly leadsFrom?: number;
  readonly leadsTo?: number;
  /** Roubles, both included; rows without leads are within none. */
  readonly cplFrom?: number;
  readonly cplTo?: number;
  readonly search?: string;
}

/** Of which placements the server tells a figure: of a campaign or a contractor. */
export interface PlacementLineage extends LineagePart {
  readonly of: 'campaign' | 'contractor';
  readonly id: string;
  readonly figure: Figure | Exclude<(typeof payFigures)[number], 'bonus'>;
}

/** What a creative brought, over all campaigns; with a size, in channels of that size. */
export interface CreativeLineage {
  readonly of: 'creative';
  readonly id: string;
  readonly figure: Extract<Figure, 'spent' | 'leads' | 'placements' | 'cpl' | 'roi' | 'conversion'>;
  readonly size?: ChannelSize;
}

/** Somebody's bonus of the salary report: days are `YYYY-MM-DD`, both included. */
export interface BonusLineage {
  readonly of: 'salary';
  readonly figure: 'bonus';
  readonly userId: string;
  readonly campaign?: string;
  readonly from?: string;
  readonly to?: string;
}

/** What is told line by line. */
export type LinedLineage = PlacementLineage | CreativeLineage | BonusLineage;

/** A figure over all campaigns, or a parameter of the licence. */
export interface LicenceLineage {
  readonly of: 'license';
  readonly figure: LicenceFigure;
}

/** What the server is asked about a figure. */
export type Lineage = LinedLineage | LicenceLineage;

export type LineageData = z.infer<typeof lineageData>;
export type CountedLine = LineageData['counted']['lines'][number];
export type LeftOutLine = LineageData['leftOut']['lines'][number];

export type LicenceLineageData = z.infer<typeof licenceLineageData>;

export interface LineagePage<Data = LineageData> {
  readonly data: Data;
  /** Everything up to here is in it. */
  readonly position: number;
}

const pageSize = 12;
const licencePageSize = 50;

/** Where the server is asked, and what. */
const askedOf = (about: Lineage): { readonly path: string; readonly query: Query } => {
  if (about.of === 'license') return { path: '/api/license/lineage', query: { figure: about.figure } };
  if (about.of === 'salary') {
    const { of: _of, figure: _figure, ...query } = about;
    return { path: '/api/reports/salary/lineage', query };
  }
  const { of, id, ...query } = about;
  return { path: `/api/${of}s/${id}/lineage`, query };
};

const useAsk = <Data>(about: Lineage) => {
  const api = useApi();
  const { path, query } = askedOf(about);
  return async (more: Query, signal: AbortSignal): Promise<LineagePage<Data>> => {
    const { data, position } = await api.get<Data>(path, { query: { ...query, ...more }, signal });
    return { data, position: position ?? 0 };
  };
};

const useFirst = <Data>(about: Lineage, size: number) => {
  const ask = useAsk<Data>(about);
  const at = useMoment()?.position ?? undefined;
  return useQuery({
    queryKey: ['lineage', about, at ?? null],
    // What is asked for again is told anew: figures move all the time.
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => ask({ pageSize: size, at }, signal),
  });
};

/** What the server knows of the figure, as of now or of the moment on the screen, with the first lines of each list. */
export const useLineage = (about: LinedLineage) => useFirst<LineageData>(about, pageSize);

/** The same of a figure over all campaigns. */
export const useLicenceLineage = (about: LicenceLineage) => useFirst<LicenceLineageData>(about, licencePageSize);

interface Listed {
  readonly counted: { readonly lines: readonly unknown[]; readonly next: string | null };
  readonly leftOut: { readonly lines: readonly unknown[]; readonly next: string | null };
}

/** All lines of a list that have come: those of the first answer, and further ones of the same moment, which come when they are asked for. */
export const useLines = <Data extends Listed, List extends 'counted' | 'leftOut'>(
  about: Lineage,
  first: LineagePage<Data>,
  list: List,
) => {
  const ask = useAsk<Data>(about);
  const size = about.of === 'license' ? licencePageSize : pageSize;
  const { next } = first.data[list];
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['lineage-lines', about, list, first.position, next],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    initialPageParam: null as string | null,
    initialData: { pages: [first], pageParams: [null as string | null] },
    queryFn: ({ pageParam, signal }) =>
      pageParam === null ? Promise.resolve(first) : ask({ cursor: pageParam, pageSize: size }, signal),
    getNextPageParam: (page: LineagePage<Data>) => page.data[list].next,
  });
  return {
    lines: data.pages.flatMap((page) => page.data[list].lines) as Data[List]['lines'][number][],
    error,
    hasMore: hasNextPage,
    isFetching: isFetchingNextPage,
    fetchMore: () => void fetchNextPage(),
  };
};

/** All lines as a file, as of now or of the moment on the screen. */
export const useLineageFile = (about: Lineage) => {
  const api = useApi();
  const at = useMoment()?.position ?? undefined;
  return (format: 'csv' | 'xlsx'): Promise<void> => {
    const { path, query } = askedOf(about);
    const { format: placementFormat, ...rest } = query;
    return api.download(`${path}/export`, {
      name: `Строки.${format}`,
      query: { ...rest, ...(placementFormat !== undefined && { placementFormat }), format, at },
    });
  };
};

const amountIn = (entry: HistoryEntry, field: string): number => {
  const change = entry.changes.find((one) => one.field === field);
  if (change === undefined) return 0;
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return number(change.to) - number(change.from);
};

/** By how much an event moved the figure: roubles or leads; null where one event does not say it. */
export const movedBy = (
  figure: LinedLineage['figure'],
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
        : (figure === 'earnings' || figure === 'bonus') && isNew
          ? (line?.amount ?? 0)
          : 0;
  return by === 0 ? null : by;
};

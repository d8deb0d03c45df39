import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { HistoryEntry } from '@zakup/contracts/history';
import { useCallback, useEffect, useMemo } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { useReplica } from '../../shared/replica/replica-context.tsx';
import { useSession } from '../../shared/session/session-context.tsx';
import type { Filters } from './use-journal-filters.ts';

export interface AuditData {
  readonly entries: readonly HistoryEntry[];
  readonly nextCursor: string | null;
}

const pageSize = 100;
/** Milliseconds between two looks for what is new, and from something new in the team's lists to the look it calls for. */
const freshTime = 20_000;
const nudgeTime = 1_500;
/** Clocks of those who write the log may differ by so much. */
const skew = 10 * 60_000;

export interface Audit {
  /** Loaded so far, newest first. */
  readonly entries: readonly HistoryEntry[];
  /** True until the first answer. */
  readonly loading: boolean;
  /** Of the last attempt. */
  readonly error: unknown;
  /** Nothing older follows. */
  readonly complete: boolean;
  readonly fetching: boolean;
  /** Answers so far: a bounded look may bring none. */
  readonly pages: number;
  readonly more: () => void;
  readonly retry: () => void;
  /** Came since, and fits. */
  readonly fresh: readonly HistoryEntry[];
  /** Puts what came since on top. */
  readonly showFresh: () => void;
  /** Looks for what came since and puts it on top. */
  readonly bringFresh: () => void;
}

/** The journal with these filters, page by page; what comes in meanwhile waits beside. Asks nothing unless `enabled`. */
export const useAudit = (filters: Filters, enabled = true): Audit => {
  const api = useApi();
  const queries = useQueryClient();
  const replica = useReplica();
  const { person } = useSession();
  const queryKey = useMemo(() => ['audit', person.id, filters], [person.id, filters]);
  const {
    data,
    dataUpdatedAt,
    error: loadError,
    isPending,
    isFetching,
    hasNextPage,
    fetchNextPage,
    refetch: reload,
  } = useInfiniteQuery({
    queryKey,
    enabled,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.get<AuditData>('/api/audit', {
          query: { ...filters, limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) },
          signal,
        })
      ).data,
    getNextPageParam: (last) => last.nextCursor,
    // Rows never move by themselves: what is new is looked for beside.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const pages = data?.pages;
  const entries = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages]);
  const newest = entries[0]?.position ?? -1;
  // What came since is looked for near the end alone, however far back a rare thing would be.
  const last = entries[0] === undefined ? dataUpdatedAt : Date.parse(entries[0].at);
  const since = new Date(last - skew).toISOString();
  const from = filters.from === undefined || filters.from < since ? since : filters.from;

  const looking = enabled && pages !== undefined && (filters.to === undefined || filters.to >= since.slice(0, 10));
  const { data: latest, refetch } = useQuery({
    queryKey: ['audit-fresh', ...queryKey.slice(1)],
    enabled: looking,
    refetchInterval: freshTime,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) =>
      (await api.get<AuditData>('/api/audit', { query: { ...filters, from, limit: pageSize }, signal })).data,
  });
  useEffect(() => {
    if (!looking) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = replica.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        refetch().catch(() => undefined);
      }, nudgeTime);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [replica, refetch, looking]);

  const fresh = useMemo(() => latest?.entries.filter(({ position }) => position > newest) ?? [], [latest, newest]);

  const put = useCallback(
    (found: AuditData): void => {
      const added = found.entries.filter(({ position }) => position > newest);
      // More came than one look holds: begin anew.
      if (added.length === found.entries.length && found.nextCursor !== null && newest >= 0) {
        queries.resetQueries({ queryKey, exact: true }).catch(() => undefined);
        return;
      }
      queries.setQueryData<InfiniteData<AuditData, string | null>>(queryKey, (before) => {
        const [first, ...rest] = before?.pages ?? [];
        if (before === undefined || first === undefined) return before;
        return { ...before, pages: [{ ...first, entries: [...added, ...first.entries] }, ...rest] };
      });
    },
    [queries, queryKey, newest],
  );

  return {
    entries,
    loading: isPending,
    error: loadError,
    complete: pages !== undefined && !hasNextPage,
    fetching: isFetching,
    pages: pages?.length ?? 0,
    more: () => void fetchNextPage().catch(() => undefined),
    retry: () => void (pages === undefined ? reload() : fetchNextPage()).catch(() => undefined),
    fresh,
    showFresh: () => {
      if (latest !== undefined) put(latest);
    },
    bringFresh: () => {
      refetch()
        .then(({ data: found }) => found && put(found))
        .catch(() => undefined);
    },
  };
};

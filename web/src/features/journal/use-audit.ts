import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { HistoryEntry } from '@zakup/contracts/history';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { GetOptions } from '../../shared/api/api-client.ts';
import { useApi } from '../../shared/api/api-context.tsx';
import { useReplica } from '../../shared/replica/replica-context.tsx';
import { useSession } from '../../shared/session/session-context.tsx';
import type { Filters } from '../../shared/history/journal-address.ts';

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

type Pages = InfiniteData<AuditData, string | null>;

const newestOf = (pages: readonly AuditData[] | undefined): number =>
  pages?.find(({ entries }) => entries.length > 0)?.entries[0]?.position ?? -1;

const addedBy = ({ entries }: AuditData, newest: number): readonly HistoryEntry[] =>
  entries.filter(({ position }) => position > newest);

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
  /** The last look for what came since failed; `dataAt` (milliseconds since the epoch) is of the last that did not. */
  readonly stale: { readonly error: Error; readonly dataAt: number } | null;
  /** Came since, and fits. */
  readonly fresh: readonly HistoryEntry[];
  /** Looks for what came since. */
  readonly lookAgain: () => void;
  /** Puts what came since on top. */
  readonly showFresh: () => void;
  /**
   * Looks for what came since, the own change at `position` of the log with it, and puts it on top; where that fails, the next look that
   * does not puts it there.
   */
  readonly bringFresh: (position: number) => void;
}

type Key = readonly unknown[];

/** Puts what a look found on top of the pages of a list. */
const usePut = (queryKey: Key): ((found: AuditData) => void) => {
  const queries = useQueryClient();
  return useCallback(
    (found: AuditData): void => {
      // By what is there now: another look may have brought the same since this one began.
      const before = queries.getQueryData<Pages>(queryKey);
      const [first, ...rest] = before?.pages ?? [];
      if (before === undefined || first === undefined) return;
      const newest = newestOf(before.pages);
      const added = addedBy(found, newest);
      // More came than one look holds: begin anew.
      if (added.length === found.entries.length && found.nextCursor !== null && newest >= 0) {
        queries.resetQueries({ queryKey, exact: true }).catch(() => undefined);
        return;
      }
      // A page that is under way would end with what was there when it was asked for.
      queries.cancelQueries({ queryKey, exact: true }).catch(() => undefined);
      queries.setQueryData<Pages>(queryKey, {
        ...before,
        pages: [{ ...first, entries: [...added, ...first.entries] }, ...rest],
      });
    },
    [queries, queryKey],
  );
};

/** Looks again soon after something in the team's lists has changed. */
const useNudge = (look: () => Promise<unknown>, enabled: boolean): void => {
  const replica = useReplica();
  useEffect(() => {
    if (!enabled) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = replica.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        look().catch(() => undefined);
      }, nudgeTime);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [replica, look, enabled]);
};

/** The journal with these filters, page by page; what comes in meanwhile waits beside. Asks nothing unless `enabled`. */
export const useAudit = (filters: Filters, enabled = true): Audit => {
  const api = useApi();
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
  // What came since is looked for near the end alone, however far back a rare thing would be.
  const last = entries[0] === undefined ? dataUpdatedAt : Date.parse(entries[0].at);
  const since = new Date(last - skew).toISOString();
  const from = filters.from === undefined || filters.from < since ? since : filters.from;

  const put = usePut(queryKey);

  const looking = enabled && pages !== undefined && (filters.to === undefined || filters.to >= since.slice(0, 10));
  const look = async (options: Pick<GetOptions, 'after' | 'signal'>): Promise<AuditData> =>
    (await api.get<AuditData>('/api/audit', { ...options, query: { ...filters, from, limit: pageSize } })).data;
  /** The list that still lacks what was to be brought, and up to which position. */
  const owed = useRef<{ readonly to: Key; readonly after: number } | null>(null);
  const {
    data: latest,
    dataUpdatedAt: lookedAt,
    error: lookError,
    refetch,
  } = useQuery({
    queryKey: ['audit-fresh', ...queryKey.slice(1)],
    enabled: looking,
    refetchInterval: freshTime,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) => {
      const debt = owed.current?.to === queryKey ? owed.current : null;
      const found = await look({ signal, ...(debt !== null && { after: debt.after }) });
      if (debt !== null) {
        if (owed.current === debt) owed.current = null;
        put(found);
      }
      return found;
    },
  });
  useNudge(refetch, looking);

  const fresh = useMemo(() => (latest === undefined ? [] : addedBy(latest, newestOf(pages))), [latest, pages]);

  return {
    entries,
    loading: isPending,
    error: loadError,
    complete: pages !== undefined && !hasNextPage,
    fetching: isFetching,
    pages: pages?.length ?? 0,
    more: () => void fetchNextPage().catch(() => undefined),
    retry: () => void (pages === undefined ? reload() : fetchNextPage()).catch(() => undefined),
    stale: lookError === null ? null : { error: lookError, dataAt: Math.max(lookedAt, dataUpdatedAt) },
    lookAgain: () => void refetch().catch(() => undefined),
    fresh,
    showFresh: () => {
      if (latest !== undefined) put(latest);
    },
    bringFresh: (position) => {
      // By itself: a look that a live change begins meanwhile would end this one with what was there before.
      look({ after: position })
        .then(put)
        .catch(() => {
          const before = owed.current?.to === queryKey ? owed.current.after : 0;
          owed.current = { to: queryKey, after: Math.max(before, position) };
          // Tells why it fails, if it still does.
          refetch().catch(() => undefined);
        });
    },
  };
};

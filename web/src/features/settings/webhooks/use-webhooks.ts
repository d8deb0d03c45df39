import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { deliveriesData, webhooksData } from '@zakup/contracts/calls/replies';
import type { DeliveryWire, WebhookWire } from '@zakup/contracts/wire-entities';
import type { z } from 'zod';
import { useApi } from '../../../shared/api/api-context.tsx';
import { useSession } from '../../../shared/session/session-context.tsx';

type Webhooks = z.infer<typeof webhooksData>;
type Deliveries = z.infer<typeof deliveriesData>;

/** Milliseconds after which what is shown is asked for again: deliveries are told by no live message. */
const freshFor = 5000;
/** Deliveries of a page. */
const pageSize = 30;

/** The webhooks of the licence, oldest first; asked for on opening, after each change and every few seconds. */
export const useWebhooks = () => {
  const api = useApi();
  const queries = useQueryClient();
  const { person } = useSession();
  const queryKey = ['webhooks', person.licenseId];
  const { data, error, refetch } = useQuery({
    queryKey,
    staleTime: 0,
    refetchInterval: freshFor,
    queryFn: async ({ signal }) => (await api.get<Webhooks>('/api/webhooks', { signal })).data.webhooks,
  });
  return {
    /** Null = not known (yet). */
    webhooks: (data ?? null) as readonly WebhookWire[] | null,
    error,
    retry: (): void => void refetch(),
    changed: (): void => {
      queries.invalidateQueries({ queryKey }).catch(() => undefined);
    },
  };
};

/** What a webhook was told, newest first, page by page. */
export const useDeliveries = (webhookId: string) => {
  const api = useApi();
  const { person } = useSession();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['deliveries', person.licenseId, webhookId],
    staleTime: 0,
    refetchInterval: freshFor,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) };
      const path = `/api/webhooks/${encodeURIComponent(webhookId)}/deliveries`;
      return (await api.get<Deliveries>(path, { query, signal })).data;
    },
    getNextPageParam: ({ next }) => next,
  });
  return {
    /** Null = not known (yet). */
    deliveries: (data?.pages.flatMap((page) => page.deliveries) ?? null) as readonly DeliveryWire[] | null,
    error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: (): void => void fetchNextPage(),
    retry: (): void => void refetch(),
  };
};

import type { AnalyticsWire } from '@zakup/contracts/wire-entities';
import type { ApiClient } from '../api/api-client.ts';

const minute = 60_000;

const summaryOf = ({ summary }: AnalyticsWire): AnalyticsWire['summary'] => summary;

/** Asks for the figures of a campaign: for where the line does not bring them, or has not yet. `at`: of that position. */
export const analyticsQuery = (api: ApiClient, campaignId: string, at: number | null = null) => ({
  queryKey: ['campaign-analytics', campaignId, at],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<AnalyticsWire> =>
    (
      await api.get<AnalyticsWire>(`/api/campaigns/${campaignId}/analytics`, {
        signal,
        ...(at !== null && { query: { at } }),
      })
    ).data,
});

/** Its sums alone, a minute old at most; `at`: of that position, where they stay what they were. */
export const summaryQuery = (api: ApiClient, campaignId: string, at: number | null = null) => ({
  ...analyticsQuery(api, campaignId, at),
  staleTime: at === null ? minute : Number.POSITIVE_INFINITY,
  select: summaryOf,
});

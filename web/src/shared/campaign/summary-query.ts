import type { AnalyticsWire } from '@zakup/contracts/wire-entities';
import type { ApiClient } from '../api/api-client.ts';

const minute = 60_000;

/**
 * Asks for the sums of a campaign: for where the line does not bring them, or has not yet. A minute old at most; `at`: of that position,
 * where they stay what they were.
 */
export const summaryQuery = (api: ApiClient, campaignId: string, at: number | null = null) => ({
  queryKey: ['campaign-analytics', campaignId, at],
  staleTime: at === null ? minute : Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<AnalyticsWire['summary']> =>
    (
      await api.get<Pick<AnalyticsWire, 'summary'>>(`/api/campaigns/${campaignId}/analytics`, {
        signal,
        ...(at !== null && { query: { at } }),
      })
    ).data.summary,
});

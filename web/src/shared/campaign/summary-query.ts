import type { AnalyticsWire } from '@zakup/contracts/entities';
import type { ApiClient } from '../api/api-client.ts';

const minute = 60_000;

/** Asks for the sums of a campaign: for where the line does not bring them, or has not yet. A minute old at most. */
export const summaryQuery = (api: ApiClient, campaignId: string) => ({
  queryKey: ['campaign-analytics', campaignId],
  staleTime: minute,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<AnalyticsWire['summary']> =>
    (await api.get<Pick<AnalyticsWire, 'summary'>>(`/api/campaigns/${campaignId}/analytics`, { signal })).data.summary,
});

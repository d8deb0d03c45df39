import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { creativeResultsData } from '@zakup/contracts/calls/replies';
import type { CreativeWire } from '@zakup/contracts/wire-entities';
import type { z } from 'zod';
import { useApi } from '../../shared/api/api-context.tsx';

export type CreativeResults = z.infer<typeof creativeResultsData>;

/** What a creative brought, by campaign and with its newest placements; asked for anew whenever its sums move. */
export const useCreativeResults = (id: string, sums: CreativeWire['results']) => {
  const api = useApi();
  return useQuery({
    queryKey: ['creative-results', id, sums ?? null],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<CreativeResults> =>
      (await api.get<CreativeResults>(`/api/creatives/${id}/results`, { signal })).data,
  });
};

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { timelineData } from '@zakup/contracts/calls/replies';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { useApi } from '../api/api-context.tsx';
import type { Replica } from '../replica/replica.ts';

export type TimelineData = z.infer<typeof timelineData>;

export interface Timeline extends TimelineData {
  /** End of the log. */
  readonly head: number;
  /** What `at`, `previous` and `next` are of. */
  readonly around: string;
}

const calm = 1000;

/** Counts up, at most once a second, when anything changes now. */
const useTicks = (now: Replica | null): number => {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    if (now === null) return undefined;
    const stop = now.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = null;
        setTicks((before) => before + 1);
      }, calm);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [now]);
  return ticks;
};

/** How much happened when, the event of the moment and its neighbours; follows what happens now. */
export const useTimeline = (campaignId: string | null, around: string | null, now: Replica | null) => {
  const api = useApi();
  const ticks = useTicks(now);
  return useQuery({
    queryKey: ['timeline', campaignId, around, ticks],
    enabled: around !== null,
    gcTime: 60_000,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Timeline> => {
      const { data, position } = await api.get<TimelineData>('/api/timeline', {
        query: { campaign: campaignId, around },
        signal,
      });
      return { ...data, head: position ?? 0, around: around ?? '' };
    },
  });
};

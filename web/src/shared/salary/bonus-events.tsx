import type { salaryEventsData } from '@zakup/contracts/calls/replies';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { useApi } from '../api/api-context.tsx';
import { Skeleton } from '../ui/states.tsx';
import { LastEvents, NoLines } from '../why/lineage-parts.tsx';

/** Which part of the salary report a bonus is of: days are `YYYY-MM-DD`, both included. */
export interface BonusSelection {
  readonly campaign?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The last events that moved somebody's bonus, for its explanation. */
export const BonusEvents = ({
  userId,
  selection = {},
}: {
  readonly userId: string;
  readonly selection?: BonusSelection;
}) => {
  const api = useApi();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['salary-events', userId, selection],
    // What is asked for again is told anew: figures move all the time.
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const query = { ...selection, userId };
      return (await api.get<z.infer<typeof salaryEventsData>>('/api/reports/salary/events', { query, signal })).data;
    },
  });
  if (isPending) return <Skeleton rows={2} height={25} label="Загрузка событий" />;
  if (data === undefined) return <NoLines error={error} onRetry={() => void refetch()} />;
  return (
    <div className="z-why-foot">
      <LastEvents
        told={data}
        journal={selection.campaign === undefined ? {} : { campaign: selection.campaign }}
        onLeave={() => undefined}
      />
    </div>
  );
};

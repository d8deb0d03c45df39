import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { peopleActivityData } from '@zakup/contracts/calls/replies';
import type { z } from 'zod';
import { useApi } from '../../shared/api/api-context.tsx';
import { useSession } from '../../shared/session/session-context.tsx';

type Answer = z.infer<typeof peopleActivityData>;
export type PersonActivity = Answer['people'][number];

/** Between two looks while the screen is open. */
const everyMinute = 60_000;

/** When people were last here; asked for on opening, by the minute, on coming back to the window, and for somebody new. */
export const usePeopleActivity = (people: readonly { readonly id: string }[]) => {
  const api = useApi();
  const { person } = useSession();
  const ids = people.map(({ id }) => id).toSorted();
  const { data, isError, refetch } = useQuery({
    queryKey: ['people-activity', person.licenseId, ids.join(' ')],
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: everyMinute,
    queryFn: async ({ signal }) => {
      const { data: answer } = await api.get<Answer>('/api/users/activity', { signal });
      return new Map(answer.people.map((one) => [one.userId, one]));
    },
  });
  return {
    /** Undefined = not known (yet). */
    of: (id: string): PersonActivity | undefined => data?.get(id),
    /** Nothing is known, and that will not change by itself before the next look. */
    failed: isError && data === undefined,
    retry: (): void => void refetch(),
  };
};

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { keysData } from '@zakup/contracts/calls/replies';
import type { KeyWire } from '@zakup/contracts/wire-entities';
import type { z } from 'zod';
import { useApi } from '../../shared/api/api-context.tsx';
import { useSession } from '../../shared/session/session-context.tsx';

type Answer = z.infer<typeof keysData>;

/** The keys of the licence, oldest first; asked for on opening and after each change. */
export const useKeys = () => {
  const api = useApi();
  const queries = useQueryClient();
  const { person } = useSession();
  const queryKey = ['keys', person.licenseId];
  const { data, error, refetch } = useQuery({
    queryKey,
    staleTime: 0,
    queryFn: async ({ signal }) => (await api.get<Answer>('/api/keys', { signal })).data.keys,
  });
  return {
    /** Null = not known (yet). */
    keys: (data ?? null) as readonly KeyWire[] | null,
    error,
    retry: (): void => void refetch(),
    changed: (): void => {
      queries.invalidateQueries({ queryKey }).catch(() => undefined);
    },
  };
};

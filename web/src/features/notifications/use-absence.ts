import { useQuery } from '@tanstack/react-query';
import type { HistoryEntry } from '@zakup/contracts/history';
import { may } from '@zakup/domain/permissions';
import { useEffect, useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { useAsker } from '../../shared/live/use-may.ts';
import { lastVisitKey } from '../../shared/session/local-data.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { keepItem } from '../../shared/storage/keep-item.ts';

const hour = 3_600_000;
/** Entries of the audit that are looked through; where there are more, the number is followed by a plus. */
const most = 200;

export interface Absence {
  /** UTC instant of the last visit. */
  readonly since: string;
  /** What others did since then. */
  readonly events: number;
  /** There are more than were counted. */
  readonly more: boolean;
}

/** When the person was here last; null = never, or less than an hour ago. Notes from then on that they are here. */
const useLastVisit = (): string | null => {
  const { person } = useSession();
  const key = lastVisitKey(person.licenseId, person.id);
  const [since] = useState(() => {
    const before = Number(localStorage.getItem(key) ?? Number.NaN);
    return Date.now() - before > hour ? new Date(before).toISOString() : null;
  });
  useEffect(() => {
    const here = (): void => {
      if (document.visibilityState === 'visible') keepItem(localStorage, key, String(Date.now()));
    };
    here();
    const timer = setInterval(here, 60_000);
    document.addEventListener('visibilitychange', here);
    window.addEventListener('pagehide', here);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', here);
      window.removeEventListener('pagehide', here);
    };
  }, [key]);
  return since;
};

/** What happened while the person was away for over an hour; null = nothing, or they may not read it. Asked when `wanted`. */
export const useAbsence = (wanted: boolean): Absence | null => {
  const api = useApi();
  const { person } = useSession();
  const asker = useAsker();
  const since = useLastVisit();
  const readable = asker !== null && may(asker, 'reports.read').allowed;
  const { data } = useQuery({
    queryKey: ['absence', person.id, since],
    enabled: wanted && readable && since !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (
        await api.get<{ readonly entries: readonly HistoryEntry[]; readonly nextCursor: string | null }>('/api/audit', {
          query: { from: since, limit: most },
          signal,
        })
      ).data,
  });
  if (since === null || data === undefined) return null;
  const events = data.entries.filter(({ actor }) => actor.userId !== person.id).length;
  return events === 0 ? null : { since, events, more: data.nextCursor !== null };
};

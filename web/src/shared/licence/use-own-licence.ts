import { useQuery } from '@tanstack/react-query';
import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { useApi } from '../api/api-context.tsx';
import { useDocs } from '../replica/replica-context.tsx';
import { licenceInfoKey } from '../session/local-data.ts';
import { useSession } from '../session/session-context.tsx';
import { keepItem } from '../storage/keep-item.ts';

export const ownLicenceKey = (licenceId: string): readonly string[] => ['licence', licenceId];

/** The licence as known here and now: live, else what this browser kept of it; null = not at all. */
export const useKnownLicence = (): LicenseWire | null => {
  const { licence } = useSession();
  const live = useDocs('license')[0];
  return live ?? licence;
};

/**
 * The own licence: what this browser knows at once, then as the server answers, which is kept for the next time.
 * `openSessions` is null until then, and `dataAt` (milliseconds since the epoch) too.
 */
export const useOwnLicence = () => {
  const api = useApi();
  const { person } = useSession();
  const known = useKnownLicence();
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: ownLicenceKey(person.licenseId),
    queryFn: async ({ signal }) => {
      const { data: answer } = await api.get<{ readonly license: LicenseWire; readonly openSessions: number }>(
        '/api/license',
        { signal },
      );
      keepItem(localStorage, licenceInfoKey, JSON.stringify(answer.license));
      return answer;
    },
  });
  const answered = data?.license ?? null;
  // What came live after the answer is newer.
  const licence = answered !== null && (known === null || answered.revision >= known.revision) ? answered : known;
  return { licence, openSessions: data?.openSessions ?? null, dataAt: data ? dataUpdatedAt : null, error, refetch };
};

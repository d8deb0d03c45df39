import type { Person } from '@zakup/domain/permissions';
import { useMemo } from 'react';
import { useMoment } from '../moment/moment-context.ts';
import { useDocs } from '../replica/replica-context.tsx';
import { useSession } from '../session/session-context.tsx';

/** The signed-in person in the form `may` asks for; `null` while the licence is unknown, and where the past is shown: nobody changes it. */
export const useAsker = (): Person | null => {
  const { person, permissions, licence } = useSession();
  // The live licence, so that a flipped switch hides what it closed; the session's until it arrives.
  const [live] = useDocs('license');
  const isPast = useMoment() !== null;
  const current = isPast ? null : (live ?? licence);
  return useMemo(
    () =>
      current && {
        userId: person.id,
        name: person.name,
        role: person.role,
        permissions,
        isActive: true,
        isOwner: person.isOwner ?? false,
        licence: {
          id: person.licenseId,
          status: current.status,
          features: current.features,
          settings: current.settings,
        },
      },
    [person, permissions, current],
  );
};

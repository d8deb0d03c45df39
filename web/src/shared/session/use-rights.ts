import type { LicenseWire } from '@zakup/contracts/wire-entities';
import {
  type Action,
  features,
  isRole,
  may,
  type Permissions,
  type Person,
  permissionKeys,
  type Subjects,
} from '@zakup/domain/permissions';
import { useMemo } from 'react';
import { useMoment } from '../moment/moment-context.ts';
import { useDocs } from '../replica/replica-context.tsx';
import { useSession } from './session-context.tsx';

type About<A extends Action> = A extends keyof Subjects ? [subject: Subjects[A] | 'some'] : [];

export interface Rights {
  /** The signed-in person, as the rules of the domain want them. */
  readonly actor: Person;
  /** `may` of the actor; false for everything while nothing can be changed at all, and of the past. */
  readonly can: <A extends Action>(action: A, ...subject: About<A>) => boolean;
}

/** What the signed-in person may do, by the licence as it is now. */
export const useRights = (): Rights => {
  const { person, permissions, licence, readOnly } = useSession();
  const isPast = useMoment() !== null;
  const live: LicenseWire | undefined = useDocs('license')[0];
  return useMemo((): Rights => {
    const current = live ?? licence;
    const actor: Person = {
      userId: person.id,
      name: person.name,
      role: isRole(person.role) ? person.role : 'MEDIA_BUYER',
      permissions: Object.fromEntries(permissionKeys.map((key) => [key, permissions[key] === true])) as Permissions,
      isActive: true,
      isOwner: person.isOwner === true,
      licence: {
        id: person.licenseId,
        status: current?.status ?? 'active',
        features: current?.features ?? features,
        settings: {
          buyersEditAll: current?.settings.buyersEditAll ?? true,
          earningsVisible: current?.settings.earningsVisible ?? true,
        },
      },
    };
    return {
      actor,
      can: (action, ...subject) => readOnly === null && !isPast && may(actor, action, ...subject).allowed,
    };
  }, [person, permissions, licence, readOnly, live, isPast]);
};

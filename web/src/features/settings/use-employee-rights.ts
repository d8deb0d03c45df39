import type { PersonWire } from '@zakup/contracts/wire-entities';
import { effectivePermissions, type Role, roles } from '@zakup/domain/permissions';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { subjectOf } from './employee-form.ts';

/** What the signed-in person may do to another one, or to themselves. */
export interface EmployeeRights {
  readonly editable: boolean;
  /** Roles that may be given, with the one that is held. */
  readonly openRoles: readonly Role[];
  readonly mayDisable: boolean;
  readonly mayEnable: boolean;
  readonly mayReissue: boolean;
  readonly mayResetSecondFactor: boolean;
  readonly maySeeSessions: boolean;
}

export const useEmployeeRights = (person: PersonWire): EmployeeRights => {
  const { actor, can } = useRights();
  const people = useDocs('person');
  const before = subjectOf(person);
  const openRoles = roles.filter(
    (one) =>
      one === person.role ||
      can('employee.change', {
        before,
        after: { role: one, permissions: effectivePermissions(one, person.permissions) },
      }),
  );
  const otherCeos = people.some(({ id, role, isActive }) => isActive && role === 'CEO' && id !== person.id);
  const mayReissue = person.isActive && can('employee.reissue', { before });
  return {
    editable: person.isActive && can('employee.change', { before, after: before }),
    openRoles,
    mayDisable: person.isActive && can('employee.deactivate', { before, lastOwner: !otherCeos }),
    mayEnable: !person.isActive && can('employee.reactivate', { before }),
    mayReissue,
    mayResetSecondFactor: mayReissue && !person.isOwner && person.id !== actor.userId,
    maySeeSessions: person.isActive && can('session.ofOthers'),
  };
};

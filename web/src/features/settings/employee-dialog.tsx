import type { PersonWire } from '@zakup/contracts/wire-entities';
import { createEmployeeRequest } from '@zakup/contracts/requests/people.requests';
import { rolePermissions, roles } from '@zakup/domain/permissions';
import { EntityDialog } from '../../shared/form/entity-dialog.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { useRights } from '../../shared/session/use-rights.ts';
import { EmployeeFields } from './employee-fields.tsx';
import { employeeBody, employeeValues } from './employee-form.ts';

export interface CreatedEmployee {
  readonly user: PersonWire;
  readonly authCode: string;
  /** Absent when the same call had been answered before. */
  readonly temporaryPassword?: string;
}

/** A new person; code and password come with the answer. */
export const EmployeeDialog = ({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedEmployee) => void;
}) => {
  const { can } = useRights();
  const form = useEntityForm<PersonWire, CreatedEmployee>({
    doc: null,
    valuesOf: employeeValues,
    bodyOf: employeeBody,
    schema: createEmployeeRequest,
    send: (send, body) => send('POST', '/api/employees/create', body),
    docOf: (data) => data.user,
    onSaved: onCreated,
    duplicate: 'email',
  });
  const open = roles.filter((role) => can('employee.create', { after: { role, permissions: rolePermissions(role) } }));
  return (
    <EntityDialog title="Добавить сотрудника" save="Добавить" endsWithAnswer form={form} onClose={onClose}>
      <EmployeeFields form={form} roles={open} fresh />
      <p className="z-secondary">Код доступа и временный пароль появятся после сохранения.</p>
    </EntityDialog>
  );
};

import type { PersonWire } from '@zakup/contracts/entities';
import { createEmployeeRequest } from '@zakup/contracts/requests/people.requests';
import { rolePermissions, roles } from '@zakup/domain/permissions';
import { roleLabels } from '@zakup/domain/topics';
import { useId } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field, TextField } from '../../shared/ui/field.tsx';
import { employeeBody, employeeValues } from './employee-form.ts';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { TermsFields } from './terms-fields.tsx';
import { useRights } from '../../shared/session/use-rights.ts';

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
  const formId = useId();
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
    <Dialog
      title="Добавить сотрудника"
      onClose={onClose}
      dirty={form.dirty}
      closeOnOutsideClick={!form.dirty}
      footer={
        <>
          <Button onClick={onClose} disabled={form.busy}>
            Отмена
          </Button>
          <Button look="primary" type="submit" form={formId} disabled={form.busy}>
            {form.busy ? 'Сохранение…' : 'Добавить'}
          </Button>
        </>
      }
    >
      <CheckedForm id={formId} form={form}>
        <TextField
          label="Имя"
          focusOnMount
          autoComplete="off"
          value={form.text('name')}
          error={form.error('name')}
          onChange={(name) => form.set({ name })}
        />
        <TextField
          label="Почта"
          type="email"
          autoComplete="off"
          value={form.text('email')}
          error={form.error('email')}
          onChange={(email) => form.set({ email })}
        />
        <TermsFields
          leading={
            <Field label="Роль" error={form.error('role')}>
              {(control) => (
                <select
                  {...control}
                  className="z-input"
                  value={form.text('role')}
                  onChange={(event) => form.set({ role: event.target.value })}
                >
                  {open.map((role) => (
                    <option key={role} value={role}>
                      {roleLabels[role]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          }
          values={{
            salaryType: form.text('salaryType'),
            salaryRate: form.text('salaryRate'),
            threshold: form.text('performanceThreshold'),
          }}
          errors={{
            salaryType: form.error('salaryType'),
            salaryRate: form.error('salaryRate'),
            threshold: form.error('performanceThreshold'),
          }}
          onChange={({ threshold, ...change }) =>
            form.set({ ...change, ...(threshold !== undefined && { performanceThreshold: threshold }) })
          }
        />
        <p className="z-secondary">Код доступа и временный пароль появятся после сохранения.</p>
        <FormProblem text={form.problem} />
      </CheckedForm>
    </Dialog>
  );
};

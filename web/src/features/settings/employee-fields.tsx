import type { Role } from '@zakup/domain/permissions';
import { roleLabels } from '@zakup/domain/topics';
import type { EntityForm } from '../../shared/form/use-entity-form.ts';
import { TextField } from '../../shared/ui/field.tsx';
import { SelectField } from '../../shared/ui/select-field.tsx';
import { TermsFields } from './terms-fields.tsx';

/** Name, email, role and terms of a person, new or known. */
export const EmployeeFields = ({
  form,
  roles,
  fresh = false,
  disabled = false,
  roleDisabled = disabled,
}: {
  readonly form: EntityForm;
  /** Those that may be given. */
  readonly roles: readonly Role[];
  /** Nobody is there yet: the name gets the keyboard, and the browser puts nothing in. */
  readonly fresh?: boolean;
  readonly disabled?: boolean;
  readonly roleDisabled?: boolean;
}) => {
  const typed = { disabled, ...(fresh && { autoComplete: 'off' }) };
  return (
    <>
      <TextField label="Имя" focusOnMount={fresh} {...typed} {...form.field('name')} />
      <TextField label="Почта" type="email" {...typed} {...form.field('email')} />
      <TermsFields
        form={form}
        disabled={disabled}
        leading={
          <SelectField
            label="Роль"
            disabled={roleDisabled}
            options={roles.map((role) => [role, roleLabels[role]])}
            {...form.field('role')}
          />
        }
      />
    </>
  );
};

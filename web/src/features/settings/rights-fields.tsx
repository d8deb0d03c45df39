import type { PersonWire } from '@zakup/contracts/wire-entities';
import { rolePermissions } from '@zakup/domain/permissions';
import { useId } from 'react';
import type { EntityForm } from '../../shared/form/use-entity-form.ts';
import { useRights } from '../../shared/session/use-rights.ts';
import { rightsOf, rightsShown, withRight } from './employee-form.ts';

/** What a person may open, beside what the role brings; an owner may open everything. */
export const RightsFields = ({
  form,
  person,
  editable,
}: {
  readonly form: EntityForm;
  readonly person: PersonWire;
  readonly editable: boolean;
}) => {
  const { actor } = useRights();
  const errorId = useId();
  const error = form.error('permissions');
  const rights = rightsOf(form.values);
  const byRole = rolePermissions(form.text('role'));
  const changed = rightsShown.filter(([key]) => rights[key] !== byRole[key]).length;
  const takeRole = (): void =>
    form.set({
      ownRights: false,
      ...Object.fromEntries(Object.entries(byRole).map(([key, open]) => [`permissions/${key}`, open])),
    });
  return (
    <>
      {!person.isOwner && (
        <fieldset className="z-rights" disabled={!editable}>
          <legend>
            Права
            <span className="z-quiet">{changed === 0 ? 'по роли' : `по роли, изменено: ${changed}`}</span>
          </legend>
          {rightsShown.map(([key, name]) => (
            <label key={key}>
              <input
                type="checkbox"
                {...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': errorId })}
                checked={rights[key]}
                disabled={!rights[key] && !actor.permissions[key]}
                onChange={(event) => form.set(withRight(form.values, key, event.target.checked))}
              />
              {name}
            </label>
          ))}
          {form.flag('ownRights') && editable && (
            <button type="button" className="z-link" onClick={takeRole}>
              Вернуть права роли
            </button>
          )}
        </fieldset>
      )}
      {error !== undefined && (
        <p id={errorId} className="z-field-error">
          {error}
        </p>
      )}
    </>
  );
};

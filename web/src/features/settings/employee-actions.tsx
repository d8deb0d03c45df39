import type { PersonWire } from '@zakup/contracts/wire-entities';
import { SavedNote } from '../../shared/form/saved-note.tsx';
import type { EntityForm } from '../../shared/form/use-entity-form.ts';
import { Button } from '../../shared/ui/button.tsx';
import type { EmployeeAccess } from './use-employee-access.ts';
import type { EmployeeRights } from './use-employee-rights.ts';

/** Saves the form of a person, gives and takes the means of signing in. */
export const EmployeeActions = ({
  form,
  saved,
  person,
  rights: { editable, mayReissue, mayDisable, mayEnable },
  access: { busy, ask, enable },
}: {
  readonly form: EntityForm;
  /** It has been saved since it was opened. */
  readonly saved: boolean;
  readonly person: PersonWire;
  readonly rights: EmployeeRights;
  readonly access: EmployeeAccess;
}) => (
  <div className="z-employee-actions">
    {editable && (
      <Button look="primary" type="submit" disabled={form.busy}>
        {form.busy ? 'Сохранение…' : 'Сохранить'}
      </Button>
    )}
    {saved && !form.dirty && <SavedNote>Сотрудник сохранён</SavedNote>}
    {mayReissue && (
      <Button disabled={busy} onClick={() => ask('code')}>
        Новый код
      </Button>
    )}
    {mayReissue && !person.isOwner && (
      <Button disabled={busy} onClick={() => ask('password')}>
        Новый временный пароль
      </Button>
    )}
    {mayDisable && (
      <Button look="danger" disabled={busy} onClick={() => ask('disable')}>
        Отключить
      </Button>
    )}
    {mayEnable && (
      <Button look="primary" disabled={busy} onClick={enable}>
        Включить
      </Button>
    )}
  </div>
);

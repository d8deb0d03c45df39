import { Cross } from '@blueprintjs/icons';
import type { PersonWire } from '@zakup/contracts/wire-entities';
import { changeUserRequest } from '@zakup/contracts/requests/people.requests';
import { dayOf, showDateWithYear } from '@zakup/domain/calendar';
import { effectivePermissions, rolePermissions, roles } from '@zakup/domain/permissions';
import { formatNumber } from '@zakup/domain/russian';
import { roleLabels } from '@zakup/domain/topics';
import { Fragment, useEffect, useId, useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { AccessCode } from './access-code.tsx';
import { EmployeeFields } from './employee-fields.tsx';
import {
  employeeBody,
  employeeFieldLabels,
  employeeValues,
  rightsOf,
  rightsShown,
  subjectOf,
  withRight,
} from './employee-form.ts';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { showInstant } from '../../shared/day/shown-day.ts';
import { ConflictNotice } from '../../shared/form/conflict-notice.tsx';
import { SavedNote } from '../../shared/form/saved-note.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { textOf, useEntityForm } from '../../shared/form/use-entity-form.ts';
import { useSend } from '../../shared/form/use-send.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import type { IssuedSecret } from './issued-secrets.ts';
import { SecondFactorOf } from './second-factor-of.tsx';
import { schemeLabels } from './terms-fields.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { SessionList } from '../../shared/session/session-list.tsx';

const validFor = 72 * 60 * 60 * 1000;

const showValue = (field: string, value: unknown): string => {
  if (field === 'role') return Object.entries(roleLabels).find(([role]) => role === value)?.[1] ?? '—';
  if (field === 'salaryType') return schemeLabels[textOf(value)] ?? 'Не заданы';
  if (typeof value === 'boolean') return value ? 'да' : 'нет';
  if (typeof value === 'number') return formatNumber(value);
  return textOf(value) === '' ? '—' : textOf(value);
};

/** One person: name, role, terms, rights, and the means of signing in. */
export const EmployeePanel = ({
  person,
  signedInAt,
  beside,
  onClose,
  now,
  onIssued,
  onDirtyChange,
}: {
  readonly person: PersonWire;
  /** UTC instant of the last sign-in; null = not known, or there was none. */
  readonly signedInAt: string | null;
  /** It stands beside the list, without the frame of a dialog. */
  readonly beside: boolean;
  readonly onClose: () => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onIssued: (secret: IssuedSecret) => void;
  /** Told whether something typed would be lost; stable. */
  readonly onDirtyChange: (dirty: boolean) => void;
}) => {
  const { actor, can } = useRights();
  const send = useSend();
  const people = useDocs('person');
  const [asking, setAsking] = useState<'disable' | 'code' | 'password' | null>(null);
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  const form = useEntityForm<PersonWire, { readonly user: PersonWire }>({
    doc: person,
    valuesOf: employeeValues,
    bodyOf: employeeBody,
    schema: changeUserRequest,
    send: (sender, body) => sender('PUT', `/api/users/${person.id}`, body),
    docOf: (data) => data.user,
    onSaved: () => setSaved(true),
    duplicate: 'email',
  });

  const rightsErrorId = useId();
  const sessionsId = useId();
  const rightsError = form.error('permissions');
  useEffect(() => {
    onDirtyChange(form.dirty);
    return () => onDirtyChange(false);
  }, [form.dirty, onDirtyChange]);

  const before = subjectOf(person);
  const editable = person.isActive && can('employee.change', { before, after: before });
  const rights = person.isOwner ? before.permissions : rightsOf(form.values);
  const role = form.text('role');
  const byRole = rolePermissions(role);
  const changed = rightsShown.filter(([key]) => rights[key] !== byRole[key]).length;
  const openRoles = roles.filter(
    (one) =>
      one === person.role ||
      can('employee.change', {
        before,
        after: { role: one, permissions: effectivePermissions(one, person.permissions) },
      }),
  );
  const otherCeos = people.some(({ id, role: held, isActive }) => isActive && held === 'CEO' && id !== person.id);
  const mayDisable = person.isActive && can('employee.deactivate', { before, lastOwner: !otherCeos });
  const mayEnable = !person.isActive && can('employee.reactivate', { before });
  const mayReissue = person.isActive && can('employee.reissue', { before });

  const run = (action: () => Promise<void>): void => {
    setBusy(true);
    setAsking(null);
    action()
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => setBusy(false));
  };
  const reissueCode = (): void =>
    run(async () => {
      const { data } = await send<{ readonly authCode: string }>('POST', `/api/users/${person.id}/reissue-code`);
      onIssued({
        userId: person.id,
        name: person.name,
        authCode: data.authCode,
        temporaryPassword: null,
        validUntil: '',
      });
    });
  const issuePassword = (): void =>
    run(async () => {
      const { data } = await send<{ readonly temporaryPassword?: string }>(
        'POST',
        `/api/users/${person.id}/temporary-password`,
      );
      onIssued({
        userId: person.id,
        name: person.name,
        authCode: data.temporaryPassword === undefined ? null : person.authCode,
        temporaryPassword: data.temporaryPassword ?? null,
        validUntil: new Date(now() + validFor).toISOString(),
      });
    });
  const enable = (): void =>
    run(async () => {
      const { data } = await send<{ readonly user: PersonWire }>('PUT', `/api/users/${person.id}`, {
        isActive: true,
        baseRevision: person.revision,
      });
      onIssued({
        userId: person.id,
        name: person.name,
        authCode: data.user.authCode,
        temporaryPassword: null,
        validUntil: '',
      });
    });

  return (
    <div className="z-employee">
      <header>
        <Avatar name={person.name} id={person.id} />
        <span className="z-settings-name">
          <h2>{person.name}</h2>
          <small className="z-secondary">
            в команде с {showDateWithYear(dayOf(person.createdAt))}
            {signedInAt !== null && (
              <>
                <br />
                последний вход {showInstant(signedInAt)}
              </>
            )}
          </small>
        </span>
        {beside && <Button look="plain" icon={<Cross size={16} />} aria-label="Закрыть карточку" onClick={onClose} />}
      </header>
      <CheckedForm onSubmit={form.submit}>
        <EmployeeFields form={form} roles={openRoles} disabled={!editable} roleDisabled={!editable || person.isOwner} />
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
                  {...(rightsError !== undefined && { 'aria-invalid': true, 'aria-describedby': rightsErrorId })}
                  checked={rights[key]}
                  disabled={!rights[key] && !actor.permissions[key]}
                  onChange={(event) => form.set(withRight(form.values, key, event.target.checked))}
                />
                {name}
              </label>
            ))}
            {form.flag('ownRights') && editable && (
              <button
                type="button"
                className="z-link"
                onClick={() =>
                  form.set({
                    ownRights: false,
                    ...Object.fromEntries(Object.entries(byRole).map(([key, open]) => [`permissions/${key}`, open])),
                  })
                }
              >
                Вернуть права роли
              </button>
            )}
          </fieldset>
        )}
        {rightsError !== undefined && (
          <p id={rightsErrorId} className="z-field-error">
            {rightsError}
          </p>
        )}
        <ConflictNotice form={form} label={(field) => employeeFieldLabels[field] ?? field} show={showValue} />
        <FormProblem text={form.problem} />
        {person.isActive && (
          <div className="z-employee-code">
            <span className="z-quiet">Код доступа</span>
            <AccessCode code={person.authCode} of={person.name} copy />
          </div>
        )}
        <div className="z-employee-actions">
          {editable && (
            <Button look="primary" type="submit" disabled={form.busy}>
              {form.busy ? 'Сохранение…' : 'Сохранить'}
            </Button>
          )}
          {saved && !form.dirty && <SavedNote>Сотрудник сохранён</SavedNote>}
          {mayReissue && (
            <Button disabled={busy} onClick={() => setAsking('code')}>
              Новый код
            </Button>
          )}
          {mayReissue && !person.isOwner && (
            <Button disabled={busy} onClick={() => setAsking('password')}>
              Новый временный пароль
            </Button>
          )}
          {mayDisable && (
            <Button look="danger" disabled={busy} onClick={() => setAsking('disable')}>
              Отключить
            </Button>
          )}
          {mayEnable && (
            <Button look="primary" disabled={busy} onClick={enable}>
              Включить
            </Button>
          )}
        </div>
      </CheckedForm>
      {mayReissue && !person.isOwner && person.id !== actor.userId && (
        <SecondFactorOf key={person.id} person={person} beside={beside} />
      )}
      {person.isActive && can('session.ofOthers') && (
        <section className="z-employee-sessions" aria-labelledby={sessionsId}>
          <h3 id={sessionsId}>Сессии</h3>
          <SessionList path={`/api/users/${person.id}/sessions`} personId={person.id} endAll="Завершить все" />
        </section>
      )}
      {/* Asked anew where the card has become a dialog: over it. */}
      <Fragment key={String(beside)}>
        {asking === 'code' && (
          <ConfirmDialog
            title="Выдать новый код доступа?"
            confirm="Выдать"
            onConfirm={reissueCode}
            onCancel={() => setAsking(null)}
          >
            Прежний код {person.name} перестанет действовать.
          </ConfirmDialog>
        )}
        {asking === 'password' && (
          <ConfirmDialog
            title="Выдать новый временный пароль?"
            confirm="Выдать"
            onConfirm={issuePassword}
            onCancel={() => setAsking(null)}
          >
            Прежний пароль перестанет действовать, открытые сессии завершатся.
          </ConfirmDialog>
        )}
        {asking === 'disable' && (
          <RemoveDialog
            title={`Отключить: ${person.name}?`}
            confirm="Отключить"
            path={`/api/users/${person.id}`}
            revision={person.revision}
            onClose={() => setAsking(null)}
          >
            Вход закроется сразу, открытые сессии завершатся. Размещения останутся за этим человеком.
          </RemoveDialog>
        )}
      </Fragment>
    </div>
  );
};

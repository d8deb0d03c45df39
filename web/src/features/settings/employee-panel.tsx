import { Cross } from '@blueprintjs/icons';
import type { PersonWire } from '@zakup/contracts/wire-entities';
import { changeUserRequest } from '@zakup/contracts/requests/people.requests';
import { dayOf, showDateWithYear } from '@zakup/domain/calendar';
import { formatNumber } from '@zakup/domain/russian';
import { roleLabels } from '@zakup/domain/topics';
import { useEffect, useId, useState } from 'react';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { AccessCode } from './access-code.tsx';
import { EmployeeAccessDialogs } from './employee-access-dialogs.tsx';
import { EmployeeActions } from './employee-actions.tsx';
import { EmployeeFields } from './employee-fields.tsx';
import { employeeBody, employeeFieldLabels, employeeValues } from './employee-form.ts';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { showInstant } from '../../shared/day/shown-day.ts';
import { ConflictNotice } from '../../shared/form/conflict-notice.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { textOf, useEntityForm } from '../../shared/form/use-entity-form.ts';
import type { IssuedSecret } from './issued-secrets.ts';
import { RightsFields } from './rights-fields.tsx';
import { SecondFactorOf } from './second-factor-of.tsx';
import { schemeLabels } from './terms-fields.tsx';
import { useEmployeeAccess } from './use-employee-access.ts';
import { useEmployeeRights } from './use-employee-rights.ts';
import { SessionList } from '../../shared/session/session-list.tsx';

const showValue = (field: string, value: unknown): string => {
  if (field === 'role') return Object.entries(roleLabels).find(([role]) => role === value)?.[1] ?? '—';
  if (field === 'salaryType') return schemeLabels[textOf(value)] ?? 'Не заданы';
  if (typeof value === 'boolean') return value ? 'да' : 'нет';
  if (typeof value === 'number') return formatNumber(value);
  return textOf(value) === '' ? '—' : textOf(value);
};

const EmployeeHead = ({
  person,
  signedInAt,
  onClose,
}: {
  readonly person: PersonWire;
  readonly signedInAt: string | null;
  /** Null = the frame around it closes it. */
  readonly onClose: (() => void) | null;
}) => (
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
    {onClose !== null && (
      <Button look="plain" icon={<Cross size={16} />} aria-label="Закрыть карточку" onClick={onClose} />
    )}
  </header>
);

const EmployeeSessions = ({ personId }: { readonly personId: string }) => {
  const titleId = useId();
  return (
    <section className="z-employee-sessions" aria-labelledby={titleId}>
      <h3 id={titleId}>Сессии</h3>
      <SessionList path={`/api/users/${personId}/sessions`} personId={personId} endAll="Завершить все" />
    </section>
  );
};

/** The form over a person; `onDirtyChange`, stable, is told whether something typed would be lost. */
const useEmployeeForm = (person: PersonWire, onDirtyChange: (dirty: boolean) => void) => {
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
  useEffect(() => {
    onDirtyChange(form.dirty);
    return () => onDirtyChange(false);
  }, [form.dirty, onDirtyChange]);
  return { form, saved };
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
  const { form, saved } = useEmployeeForm(person, onDirtyChange);
  const rights = useEmployeeRights(person);
  const access = useEmployeeAccess({ person, now, onIssued });
  const { editable } = rights;
  return (
    <div className="z-employee">
      <EmployeeHead person={person} signedInAt={signedInAt} onClose={beside ? onClose : null} />
      <CheckedForm onSubmit={form.submit}>
        <EmployeeFields
          form={form}
          roles={rights.openRoles}
          disabled={!editable}
          roleDisabled={!editable || person.isOwner}
        />
        <RightsFields form={form} person={person} editable={editable} />
        <ConflictNotice form={form} label={(field) => employeeFieldLabels[field] ?? field} show={showValue} />
        <FormProblem text={form.problem} />
        {person.isActive && (
          <div className="z-employee-code">
            <span className="z-quiet">Код доступа</span>
            <AccessCode code={person.authCode} of={person.name} copy />
          </div>
        )}
        <EmployeeActions form={form} saved={saved} person={person} rights={rights} access={access} />
      </CheckedForm>
      {rights.mayResetSecondFactor && <SecondFactorOf key={person.id} person={person} beside={beside} />}
      {rights.maySeeSessions && <EmployeeSessions personId={person.id} />}
      {/* Asked anew where the card has become a dialog: over it. */}
      <EmployeeAccessDialogs key={String(beside)} person={person} access={access} />
    </div>
  );
};

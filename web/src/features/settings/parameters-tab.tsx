import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { licenceSettingsRequest } from '@zakup/contracts/requests/auth.requests';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { NumberField } from '../../shared/form/number-field.tsx';
import { useId, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { Skeleton } from '../../shared/ui/states.tsx';
import { fieldText, roublesOf } from './amounts.ts';
import { roubles } from '../../shared/money/roubles.ts';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { ConflictNotice } from '../../shared/form/conflict-notice.tsx';
import { SavedNote } from '../../shared/form/saved-note.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { textOf, useEntityForm } from '../../shared/form/use-entity-form.ts';
import { useRights } from '../../shared/session/use-rights.ts';

const switches = [
  ['buyersEditAll', 'Байеры правят все размещения', 'Выключено: каждый медиа-байер меняет только свои.'],
  ['earningsVisible', 'Заработок коллег виден всем', 'Выключено: каждый видит только свой.'],
  ['codeOnlyLogin', 'Вход только по коду', 'Сотрудник входит по коду доступа, пароль не спрашивается.'],
  [
    'secondFactorForAll',
    'Второй фактор для всех',
    'Кроме пароля у каждого спрашивается код из приложения. У кого его нет, настроит при следующем входе; открытые сессии без него завершатся.',
  ],
  [
    'changeGivenPasswords',
    'Пароли, заданные другим, меняют при первом входе',
    'Кому пароль задаёт коллега, входит с ним только за тем, чтобы задать свой. Временные пароли меняют и без этого.',
  ],
  ['countZeroLeads', 'Засчитывать размещения без лидов', 'В оплате за результат их CPL считается равным нулю.'],
] as const;

const labels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(switches.map(([field, label]) => [field, label])),
  leadValue: 'Цена лида, ₽',
};

const Switches = ({ licence }: { readonly licence: LicenseWire }) => {
  const { can } = useRights();
  const editable = can('licence.settings');
  // Who sees the codes of others could sign in as them.
  const opensDoor = can('licence.codeOnlyLogin');
  const guardsDoor = can('licence.secondFactorForAll');
  const errorId = useId();
  const [saved, setSaved] = useState(false);
  const form = useEntityForm<LicenseWire, { readonly license: LicenseWire }>({
    doc: licence,
    valuesOf: (doc) => ({ ...doc?.settings, leadValue: fieldText(doc?.settings.leadValue ?? null) }),
    bodyOf: (values, touched) => ({
      ...Object.fromEntries(switches.filter(([field]) => touched.has(field)).map(([field]) => [field, values[field]])),
      ...(touched.has('leadValue') && { leadValue: roublesOf(textOf(values['leadValue'])) }),
    }),
    schema: licenceSettingsRequest,
    send: (send, body) => send('PUT', '/api/license/settings', body),
    docOf: (data) => data.license,
    onSaved: () => setSaved(true),
  });
  return (
    <CheckedForm onSubmit={form.submit} className="z-panel z-form z-parameters">
      {switches.map(([field, label, hint]) => (
        <label key={field} className="z-parameter">
          <input
            type="checkbox"
            disabled={
              !editable || (field === 'codeOnlyLogin' && !opensDoor) || (field === 'secondFactorForAll' && !guardsDoor)
            }
            {...(form.error(field) !== undefined && {
              'aria-invalid': true,
              'aria-describedby': `${errorId}-${field}`,
            })}
            checked={form.flag(field)}
            onChange={(event) => form.set({ [field]: event.target.checked })}
          />
          <span>
            {label}
            <small className="z-secondary">{hint}</small>
            {form.error(field) !== undefined && (
              <small id={`${errorId}-${field}`} className="z-field-error">
                {form.error(field)}
              </small>
            )}
          </span>
        </label>
      ))}
      <NumberField
        label="Цена лида, ₽"
        hint="Для расчёта ROI"
        className="z-right"
        inputMode="decimal"
        disabled={!editable}
        value={form.text('leadValue')}
        error={form.error('leadValue')}
        onChange={(leadValue) => form.set({ leadValue })}
      />
      <ConflictNotice
        form={form}
        label={(field) => labels[field] ?? field}
        show={(_, value) =>
          typeof value === 'boolean'
            ? value
              ? 'включено'
              : 'выключено'
            : typeof value === 'number'
              ? roubles(value)
              : '—'
        }
      />
      <FormProblem text={form.problem} />
      {editable && (
        <div className="z-saving">
          <Button look="primary" type="submit" disabled={form.busy}>
            {form.busy ? 'Сохранение…' : 'Сохранить'}
          </Button>
          {saved && !form.dirty && <SavedNote>Параметры сохранены</SavedNote>}
        </div>
      )}
    </CheckedForm>
  );
};

/** The switches of the whole team. */
export const ParametersTab = () => {
  const licence = useDocs('license')[0];
  return (
    <div className="z-settings-body">
      {licence === undefined ? <Skeleton rows={5} height={44} /> : <Switches licence={licence} />}
    </div>
  );
};

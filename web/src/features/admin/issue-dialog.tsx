import { type FormEvent, useState } from 'react';
import { features } from '@zakup/domain/permissions';
import { useApi } from '../../shared/api/api-context.tsx';
import { ApiProblem, problemText } from '../../shared/api/api-problem.ts';
import { DayField } from '../../shared/day/day-field.tsx';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { NumberField } from '../../shared/form/number-field.tsx';
import { featureLabel } from '../../shared/licence/licence-labels.ts';
import { Button } from '../../shared/ui/button.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field, TextField } from '../../shared/ui/field.tsx';
import type { AdminLicence } from './admin-api.tsx';

type Name = 'teamName' | 'ownerName' | 'ownerEmail' | 'ownerTelegram' | 'expiresAt' | 'maxConcurrentSessions';

const inAYear = (): string => {
  const date = new Date();
  date.setFullYear(date.getFullYear() + 1);
  return date.toISOString().slice(0, 10);
};

/** What is no whole number stays text, so that the server names the mistake. */
const wholeOf = (text: string): number | string => (/^\d+$/u.test(text.trim()) ? Number(text) : text);

/** What each field asks for when it is empty: one text for all would not say what is missing. */
const asked = {
  teamName: 'Введите название команды',
  ownerName: 'Введите имя владельца',
  ownerEmail: 'Введите почту владельца',
  ownerTelegram: 'Введите Telegram владельца',
  expiresAt: 'Выберите, до какого дня действует лицензия',
} as const;
const required = Object.keys(asked) as readonly (keyof typeof asked)[];

interface Issued {
  readonly license: AdminLicence;
  readonly activationCode: string;
}

/** The form of a new licence, then its key and code, shown once. */
export const IssueDialog = ({ onClose, onIssued }: { readonly onClose: () => void; readonly onIssued: () => void }) => {
  const api = useApi();
  const [values, setValues] = useState<Record<Name, string>>({
    teamName: '',
    ownerName: '',
    ownerEmail: '',
    ownerTelegram: '',
    expiresAt: inAYear(),
    maxConcurrentSessions: '10',
  });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(features));
  const [errors, setErrors] = useState<Readonly<Partial<Record<Name, string>>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [touched, setTouched] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);

  const set = (name: Name) => (value: string) => {
    setTouched(true);
    setErrors({ ...errors, [name]: undefined });
    setValues({ ...values, [name]: value });
  };
  const submit = async (): Promise<void> => {
    const missing = required.filter((name) => values[name].trim() === '');
    setErrors(Object.fromEntries(missing.map((name) => [name, asked[name]])));
    if (missing.length > 0) return;
    setBusy(true);
    setProblem(null);
    try {
      const { data } = await api.send<Issued>('POST', '/api/admin/licenses', {
        ...values,
        maxConcurrentSessions: wholeOf(values.maxConcurrentSessions),
        features: features.filter((feature) => open.has(feature)),
      });
      setIssued(data);
      onIssued();
    } catch (thrown) {
      const found = thrown instanceof ApiProblem ? thrown.errors : [];
      setErrors(Object.fromEntries(found.map(({ pointer, detail }) => [pointer.replace(/^\//u, ''), detail])));
      setProblem(problemText(thrown));
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit().catch(() => undefined);
  };

  if (issued !== null)
    return (
      <Dialog
        title="Лицензия выдана"
        onClose={onClose}
        closeOnOutsideClick={false}
        footer={
          <Button look="primary" onClick={onClose}>
            Готово
          </Button>
        }
      >
        <div className="z-form">
          <p>Передайте владельцу ключ и код. Код действует 10 минут, новый делает кнопка «Код».</p>
          <dl className="z-issued">
            <dt>Лицензионный ключ</dt>
            <dd>
              <b className="z-mono" data-testid="issued-key">
                {issued.license.licenseKey}
              </b>
              <CopyButton text={issued.license.licenseKey} what="лицензионный ключ" small />
            </dd>
            <dt>Код активации</dt>
            <dd>
              <b className="z-mono" data-testid="issued-code">
                {issued.activationCode}
              </b>
              <CopyButton text={issued.activationCode} what="код активации" small />
            </dd>
          </dl>
        </div>
      </Dialog>
    );

  return (
    <FormDialog
      title="Выдать лицензию"
      save="Выдать"
      width={520}
      busy={busy}
      endsWithAnswer
      dirty={touched}
      closeOnOutsideClick={false}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label="Команда"
        value={values.teamName}
        error={errors.teamName}
        focusOnMount
        onChange={set('teamName')}
      />
      <div className="z-form-row">
        <TextField label="Владелец" value={values.ownerName} error={errors.ownerName} onChange={set('ownerName')} />
        <TextField
          label="Telegram владельца"
          value={values.ownerTelegram}
          error={errors.ownerTelegram}
          placeholder="@nick"
          onChange={set('ownerTelegram')}
        />
      </div>
      <TextField
        label="Почта владельца"
        type="email"
        value={values.ownerEmail}
        error={errors.ownerEmail}
        onChange={set('ownerEmail')}
      />
      <div className="z-form-row">
        <Field label="Действует до" error={errors.expiresAt}>
          {(control) => <DayField {...control} value={values.expiresAt} onChange={set('expiresAt')} />}
        </Field>
        <NumberField
          label="Одновременных сессий"
          inputMode="numeric"
          value={values.maxConcurrentSessions}
          error={errors.maxConcurrentSessions}
          onChange={set('maxConcurrentSessions')}
        />
      </div>
      <fieldset className="z-checks">
        <legend>Разделы</legend>
        {features.map((feature) => (
          <label key={feature}>
            <input
              type="checkbox"
              checked={open.has(feature)}
              onChange={(event) => {
                const next = new Set(open);
                if (event.target.checked) next.add(feature);
                else next.delete(feature);
                setTouched(true);
                setOpen(next);
              }}
            />
            {featureLabel(feature)}
          </label>
        ))}
      </fieldset>
      {problem !== null && (
        <p className="z-alert" role="alert">
          {problem}
        </p>
      )}
    </FormDialog>
  );
};

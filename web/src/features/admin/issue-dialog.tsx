import { features } from '@zakup/domain/permissions';
import { DayField } from '../../shared/day/day-field.tsx';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { NumberField } from '../../shared/form/number-field.tsx';
import { featureLabel } from '../../shared/licence/licence-labels.ts';
import { Button } from '../../shared/ui/button.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field, TextField } from '../../shared/ui/field.tsx';
import { type Issued, type IssueForm, useIssueForm } from './use-issue-form.ts';

const IssuedDialog = ({
  issued: { license, activationCode },
  onClose,
}: {
  readonly issued: Issued;
  readonly onClose: () => void;
}) => (
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
            {license.licenseKey}
          </b>
          <CopyButton text={license.licenseKey} what="лицензионный ключ" small />
        </dd>
        <dt>Код активации</dt>
        <dd>
          <b className="z-mono" data-testid="issued-code">
            {activationCode}
          </b>
          <CopyButton text={activationCode} what="код активации" small />
        </dd>
      </dl>
    </div>
  </Dialog>
);

const LicenceFields = ({ form: { field } }: { readonly form: IssueForm }) => {
  const { error, ...expiresAt } = field('expiresAt');
  return (
    <>
      <TextField label="Команда" focusOnMount {...field('teamName')} />
      <div className="z-form-row">
        <TextField label="Владелец" {...field('ownerName')} />
        <TextField label="Telegram владельца" placeholder="@nick" {...field('ownerTelegram')} />
      </div>
      <TextField label="Почта владельца" type="email" {...field('ownerEmail')} />
      <div className="z-form-row">
        <Field label="Действует до" error={error}>
          {(control) => <DayField {...control} {...expiresAt} />}
        </Field>
        <NumberField label="Одновременных сессий" inputMode="numeric" {...field('maxConcurrentSessions')} />
      </div>
    </>
  );
};

const FeatureChecks = ({ form: { open, setOpen } }: { readonly form: IssueForm }) => (
  <fieldset className="z-checks">
    <legend>Разделы</legend>
    {features.map((feature) => (
      <label key={feature}>
        <input
          type="checkbox"
          checked={open.has(feature)}
          onChange={(event) => setOpen(feature, event.target.checked)}
        />
        {featureLabel(feature)}
      </label>
    ))}
  </fieldset>
);

/** The form of a new licence, then its key and code, shown once. */
export const IssueDialog = ({ onClose, onIssued }: { readonly onClose: () => void; readonly onIssued: () => void }) => {
  const form = useIssueForm(onIssued);
  if (form.issued !== null) return <IssuedDialog issued={form.issued} onClose={onClose} />;
  return (
    <FormDialog
      title="Выдать лицензию"
      save="Выдать"
      width={520}
      busy={form.busy}
      endsWithAnswer
      dirty={form.touched}
      closeOnOutsideClick={false}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <LicenceFields form={form} />
      <FeatureChecks form={form} />
      {form.problem !== null && (
        <p className="z-alert" role="alert">
          {form.problem}
        </p>
      )}
    </FormDialog>
  );
};

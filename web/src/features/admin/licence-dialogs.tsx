import { type FormEvent, useState } from 'react';
import { messages } from '@zakup/domain/messages';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { ConfirmDialog, Dialog } from '../../shared/ui/dialog.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import type { AdminLicence } from './admin-api.tsx';

interface AskDialogProps {
  readonly licence: AdminLicence;
  readonly action: 'renew' | 'suspend';
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks for the one thing the change needs: the new date, or the reason. */
export const AskDialog = ({ licence, action, onClose, onDone }: AskDialogProps) => {
  const api = useApi();
  const renewing = action === 'renew';
  const [first] = useState(renewing ? licence.expiresAt.slice(0, 10) : '');
  const [value, setValue] = useState(first);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const verb = renewing ? 'Продлить' : 'Приостановить';

  const submit = async (): Promise<void> => {
    if (value.trim() === '') {
      setProblem(messages.fieldsRequired);
      return;
    }
    setBusy(true);
    try {
      await api.send(
        'POST',
        `/api/admin/licenses/${licence.id}/${action}`,
        renewing ? { expiresAt: value } : { reason: value.trim() },
      );
      onDone();
      onClose();
    } catch (thrown) {
      setProblem(problemText(thrown));
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit().catch(() => undefined);
  };
  return (
    <FormDialog
      title={`${verb}: ${licence.teamName}`}
      save={verb}
      saving={verb}
      danger={!renewing}
      busy={busy}
      dirty={value !== first}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label={renewing ? 'Действует до' : 'Причина'}
        type={renewing ? 'date' : 'text'}
        value={value}
        error={problem}
        focusOnMount
        onChange={setValue}
      />
    </FormDialog>
  );
};

/** For an owner who has lost telephone and recovery codes: nobody in the licence could help. */
export const SecondFactorDialog = ({ licence, onClose, onDone }: Omit<AskDialogProps, 'action'>) => {
  const api = useApi();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const reset = (): void => {
    setBusy(true);
    api
      .send('POST', `/api/admin/licenses/${licence.id}/second-factor/reset`, {})
      .then(onClose)
      .catch((thrown: unknown) => setProblem(problemText(thrown)))
      .finally(() => {
        setBusy(false);
        onDone();
      });
  };
  return (
    <ConfirmDialog
      title={`Снять второй фактор владельца: ${licence.teamName}?`}
      confirm="Снять"
      danger
      busy={busy}
      onConfirm={reset}
      onCancel={onClose}
    >
      <p>
        Сначала убедитесь, что просит сам владелец, {licence.ownerName}. Его сессии завершатся, войти можно будет одним
        паролем, пока второй фактор не включат снова. Запись останется в журнале лицензии.
      </p>
      {problem !== null && (
        <p className="z-alert" role="alert">
          {problem}
        </p>
      )}
    </ConfirmDialog>
  );
};

/** A fresh activation code. */
export const CodeDialog = ({
  licence,
  code,
  onClose,
}: {
  readonly licence: AdminLicence;
  readonly code: string;
  readonly onClose: () => void;
}) => (
  <Dialog
    title={`Код активации: ${licence.teamName}`}
    onClose={onClose}
    footer={
      <Button look="primary" onClick={onClose}>
        Готово
      </Button>
    }
  >
    <div className="z-form">
      <p>Действует 10 минут и заменяет прежний.{licence.activated && ' По нему владелец задаст новый пароль.'}</p>
      <dl className="z-issued">
        <dt>Лицензионный ключ</dt>
        <dd>
          <b className="z-mono">{licence.licenseKey}</b>
          <CopyButton text={licence.licenseKey} what="лицензионный ключ" small />
        </dd>
        <dt>Код активации</dt>
        <dd>
          <b className="z-mono" data-testid="fresh-code">
            {code}
          </b>
          <CopyButton text={code} what="код активации" small />
        </dd>
      </dl>
    </div>
  </Dialog>
);

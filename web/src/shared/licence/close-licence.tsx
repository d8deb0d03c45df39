import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { may } from '@zakup/domain/permissions';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { FormProblem } from '../form/form-problem.tsx';
import { useSend } from '../form/use-send.ts';
import { useSession } from '../session/session-context.tsx';
import { useRights } from '../session/use-rights.ts';
import { announce, toasts } from '../toasts/toasts.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { dateText } from './licence-labels.ts';
import { ownLicenceKey } from './use-own-licence.ts';

const word = 'ЗАКРЫТЬ';

interface Answer {
  readonly license: LicenseWire;
}

/** Whether the signed-in person may close the licence, whatever it stands at. */
const useMayClose = (): boolean => may(useRights().actor, 'licence.close').allowed;

const useChanged = (): (() => void) => {
  const queries = useQueryClient();
  const { person } = useSession();
  return () => {
    queries.invalidateQueries({ queryKey: ownLicenceKey(person.licenseId) }).catch(() => undefined);
  };
};

const CloseDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const send = useSend();
  const changed = useChanged();
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<{ readonly typed?: string; readonly reason?: string }>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (): Promise<void> => {
    if (typed.trim().toUpperCase() !== word) {
      setWrong({ typed: `Введите слово ${word}` });
      return;
    }
    setWrong({});
    setProblem(null);
    setBusy(true);
    try {
      const said = reason.trim();
      const { data } = await send<Answer>('POST', '/api/license/close', said === '' ? {} : { reason: said });
      changed();
      toasts.info(
        data.license.closesAt === null
          ? 'Лицензия закрывается'
          : `Лицензия закроется ${dateText(data.license.closesAt)}. До этого можно передумать`,
      );
      onClose();
    } catch (thrown) {
      const detail = thrown instanceof ApiProblem ? thrown.errorAt('/reason') : null;
      if (detail === null) setProblem(problemText(thrown));
      else setWrong({ reason: detail });
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit().catch(() => undefined);
  };
  return (
    <FormDialog
      title="Закрыть лицензию?"
      save="Закрыть лицензию"
      danger
      busy={busy}
      dirty={typed !== '' || reason !== ''}
      closeOnOutsideClick={false}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <p>
        Через 7 дней доступ команды закончится: сотрудники не смогут войти, а вы увидите данные только для чтения и
        сможете их выгрузить. До этого всё работает, и закрытие можно отменить. Команда увидит дату.
      </p>
      <TextField
        label={`Введите слово ${word}`}
        value={typed}
        error={wrong.typed}
        autoComplete="off"
        spellCheck={false}
        focusOnMount
        onChange={setTyped}
      />
      <TextField
        label="Причина, если хотите её назвать"
        hint="Её увидит администратор площадки"
        value={reason}
        error={wrong.reason}
        onChange={setReason}
      />
      <FormProblem text={problem} />
    </FormDialog>
  );
};

/** The owner's way to close the licence; nothing for anybody else, and nothing once it is being closed. */
export const CloseLicence = ({ licence }: { readonly licence: LicenseWire }) => {
  const mayClose = useMayClose();
  const [asking, setAsking] = useState(false);
  if (!mayClose || licence.closesAt !== null) return null;
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Закрыть лицензию
      </Button>
      {asking && <CloseDialog onClose={() => setAsking(false)} />}
    </>
  );
};

/** The owner's way back, while the licence is not closed yet; nothing for anybody else. */
export const KeepLicenceOpen = ({
  licence,
  now,
  small = false,
}: {
  readonly licence: LicenseWire;
  readonly now: number;
  readonly small?: boolean;
}) => {
  const mayClose = useMayClose();
  const send = useSend();
  const changed = useChanged();
  const [busy, setBusy] = useState(false);
  if (!mayClose || licence.closesAt === null || Date.parse(licence.closesAt) <= now) return null;
  const keep = (): void => {
    setBusy(true);
    const cancel = async (): Promise<void> => {
      await send<Answer>('POST', '/api/license/close/cancel', {});
      changed();
      announce('Лицензия остаётся открытой');
    };
    cancel()
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => setBusy(false));
  };
  return (
    <Button small={small} disabled={busy} onClick={keep}>
      {busy ? 'Сохранение…' : 'Оставить открытой'}
    </Button>
  );
};

import type { createdKeyData } from '@zakup/contracts/calls/replies';
import { messages } from '@zakup/domain/messages';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { ApiProblem, problemText } from '../../shared/api/api-problem.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useSend } from '../../shared/form/use-send.ts';
import { TextField } from '../../shared/ui/field.tsx';
import { SelectField } from '../../shared/ui/select-field.tsx';

export type CreatedKey = z.infer<typeof createdKeyData>;

export const accessLabels = { read: 'Только чтение', write: 'Чтение и изменения' } as const;

const dayMs = 24 * 60 * 60_000;
const terms = [
  ['', 'Без срока'],
  ['30', '30 дней'],
  ['90', '90 дней'],
  ['365', 'Год'],
] as const;

/** A new key: what it is for, what it may, and until when. */
export const KeyDialog = ({
  now,
  onCreated,
  onClose,
}: {
  /** UTC milliseconds. */
  readonly now: () => number;
  readonly onCreated: (created: CreatedKey) => void;
  readonly onClose: () => void;
}) => {
  const send = useSend();
  const [name, setName] = useState('');
  const [access, setAccess] = useState<string>('read');
  const [days, setDays] = useState('90');
  const [wrong, setWrong] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (): Promise<void> => {
    if (name.trim() === '') {
      setWrong(messages.nameInvalid);
      return;
    }
    setWrong(null);
    setProblem(null);
    setBusy(true);
    const expiresAt = days === '' ? null : new Date(now() + Number(days) * dayMs).toISOString();
    try {
      const { data } = await send<CreatedKey>('POST', '/api/keys', { name, access, expiresAt });
      onCreated(data);
      onClose();
    } catch (thrown) {
      const detail = thrown instanceof ApiProblem ? thrown.errorAt('/name') : null;
      if (detail === null) setProblem(problemText(thrown));
      else setWrong(detail);
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit().catch(() => undefined);
  };
  return (
    <FormDialog
      title="Новый ключ"
      save="Создать ключ"
      busy={busy}
      dirty={name !== ''}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <p className="z-secondary">
        С ключом программа действует от вашего имени: видит данные команды и, если разрешить, меняет их. Кодов, почты и
        условий оплаты она не видит, войти за человека не может.
      </p>
      <TextField
        label="Название"
        hint="Его увидят в журнале: «Ключ: …»"
        value={name}
        error={wrong}
        focusOnMount
        maxLength={120}
        onChange={setName}
      />
      <SelectField label="Доступ" value={access} options={Object.entries(accessLabels)} onChange={setAccess} />
      <SelectField label="Срок" value={days} options={terms} onChange={setDays} />
      <FormProblem text={problem} />
    </FormDialog>
  );
};

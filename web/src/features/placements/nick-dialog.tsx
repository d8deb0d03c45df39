import { parseNick } from '@zakup/domain/nick';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ComboField } from '../../shared/table/combo-field.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';

/** Asks for another nick. Empty or the same one changes nothing. */
export const NickDialog = ({
  nick,
  nicks,
  onSave,
  onClose,
}: {
  readonly nick: string;
  readonly nicks: readonly string[];
  /** Gets the nick with its leading `@`. */
  readonly onSave: (nick: string) => void;
  readonly onClose: () => void;
}) => {
  const [text, setText] = useState(nick);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const parsed = parseNick(text);
    if (parsed.kind === 'invalid') return setError(parsed.message);
    if (parsed.kind === 'nick' && parsed.adminUsername.toLowerCase() !== nick.toLowerCase())
      onSave(parsed.adminUsername);
    onClose();
  };
  return (
    <Dialog
      title="Контрагент"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Отмена</Button>
          <Button look="primary" type="submit" form="change-nick">
            Сохранить
          </Button>
        </>
      }
    >
      <form id="change-nick" noValidate onSubmit={submit}>
        <Field label="Введите новый ник контрагента:" error={error}>
          {(control) => (
            <ComboField
              {...control}
              value={text}
              onChange={(next) => {
                setText(next);
                setError(null);
              }}
              options={nicks}
              limit={8}
              label="Известные контрагенты"
              maxLength={200}
              inputRef={field}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
};

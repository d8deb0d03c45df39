import { parseNick } from '@zakup/domain/nick';
import { type FormEvent, useState } from 'react';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { ComboField } from '../../../shared/ui/combo-field.tsx';
import { Field } from '../../../shared/ui/field.tsx';

/** As soon as the field is there: the dialog around it comes later than this component. */
const select = (field: HTMLInputElement | null): void => field?.select();

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
    <FormDialog title="Контрагент" save="Сохранить" dirty={text !== nick} onSubmit={submit} onClose={onClose}>
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
            inputRef={select}
          />
        )}
      </Field>
    </FormDialog>
  );
};

import { messages } from '@zakup/domain/messages';
import { maxCommentLength } from '@zakup/domain/placement/remarks';
import { type FormEvent, useState } from 'react';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';

/** Asks for another comment, of several lines. The same one changes nothing, an empty one takes it away. */
export const CommentDialog = ({
  nick,
  comment,
  onSave,
  onClose,
}: {
  readonly nick: string;
  readonly comment: string;
  readonly onSave: (comment: string) => void;
  readonly onClose: () => void;
}) => {
  const [text, setText] = useState(comment);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const said = text.trim();
    if (said.length > maxCommentLength) return setError(messages.commentTooLong);
    if (said !== comment) onSave(said);
    onClose();
  };
  return (
    <FormDialog
      title={`Размещение ${nick}`}
      save="Сохранить"
      dirty={text !== comment}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Комментарий" error={error}>
        {(control) => (
          <textarea
            {...control}
            className="z-input"
            rows={5}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setError(null);
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
};

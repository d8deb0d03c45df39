import { type FormEvent, useState } from 'react';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { changedBody, type FormError, formErrors, formOf } from './placement-form.ts';
import { PlacementFields } from './placement-fields.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';
import { useChoices } from '../rows/use-choices.ts';

/** All fields of an existing placement, for screens without room for a table. Sends only what was changed. */
export const EditPlacementDialog = ({
  row,
  onSave,
  onClose,
}: {
  readonly row: PlacementRow;
  readonly onSave: (body: Readonly<Record<string, unknown>>) => void;
  readonly onClose: () => void;
}) => {
  const choices = useChoices();
  // Taken once: what arrives meanwhile does not touch what is being typed.
  const [first] = useState(() => formOf(row.placement, row.nick));
  const [form, setForm] = useState(first);
  const [errors, setErrors] = useState<readonly FormError[]>([]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = formErrors(row.stored.campaignId, form).filter(
      (error) => error.field !== 'category' || form.category !== first.category,
    );
    setErrors(found);
    if (found.length > 0) return;
    const body = changedBody(first, form);
    if (Object.keys(body).length > 0) onSave(body);
    onClose();
  };
  return (
    <FormDialog
      title={`Размещение ${row.nick}`}
      save="Сохранить"
      width={520}
      dirty={form !== first}
      closeOnOutsideClick={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <PlacementFields
        form={form}
        onChange={(change) => setForm({ ...form, ...change })}
        errors={errors}
        choices={choices}
        existing
      />
    </FormDialog>
  );
};

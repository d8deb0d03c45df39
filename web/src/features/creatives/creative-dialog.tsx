import type { CreativeWire } from '@zakup/contracts/entities';
import { changeCreativeRequest, createCreativeRequest } from '@zakup/contracts/requests/catalog.requests';
import { creativeTypeLabels, showCreativeType } from '@zakup/domain/topics';
import { useId } from 'react';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field, TextField } from '../../shared/ui/field.tsx';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { ConflictNotice } from '../../shared/form/conflict-notice.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';

const fields = ['name', 'type', 'abbreviation', 'notes'] as const;
const labels: Readonly<Record<string, string>> = {
  name: 'Название',
  type: 'Тип',
  abbreviation: 'Сокращение',
  notes: 'Заметки',
  isActive: 'Активен',
};

const show = (field: string, value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'да' : 'нет';
  if (typeof value !== 'string' || value === '') return '—';
  return field === 'type' ? showCreativeType(value) : value;
};

/** A new creative, or changes to one. */
export const CreativeDialog = ({
  creative,
  onClose,
}: {
  readonly creative: CreativeWire | null;
  readonly onClose: () => void;
}) => {
  const formId = useId();
  const form = useEntityForm<CreativeWire, { readonly creative: CreativeWire }>({
    doc: creative,
    valuesOf: (doc) => ({
      name: doc?.name ?? '',
      type: doc?.type ?? 'TEXT_WITH_IMAGE',
      abbreviation: doc?.abbreviation ?? '',
      notes: doc?.notes ?? '',
    }),
    bodyOf: (values, touched) =>
      Object.fromEntries(fields.filter((field) => touched.has(field)).map((field) => [field, values[field]])),
    schema: creative === null ? createCreativeRequest : changeCreativeRequest,
    send: (send, body) =>
      creative === null ? send('POST', '/api/creatives', body) : send('PUT', `/api/creatives/${creative.id}`, body),
    docOf: (data) => data.creative,
    onSaved: () => {
      if (creative === null) toasts.success('Креатив добавлен');
      onClose();
    },
  });
  return (
    <Dialog
      title={creative === null ? 'Новый креатив' : 'Изменить креатив'}
      onClose={onClose}
      dirty={form.dirty}
      closeOnOutsideClick={!form.dirty}
      footer={
        <>
          <Button onClick={onClose} disabled={form.busy}>
            Отмена
          </Button>
          <Button look="primary" type="submit" form={formId} disabled={form.busy}>
            {form.busy ? 'Сохранение…' : creative === null ? 'Добавить' : 'Сохранить'}
          </Button>
        </>
      }
    >
      <CheckedForm id={formId} form={form}>
        <TextField
          label="Название"
          focusOnMount
          value={form.text('name')}
          error={form.error('name')}
          onChange={(name) => form.set({ name })}
        />
        <div className="z-form-row">
          <Field label="Тип" error={form.error('type')}>
            {(control) => (
              <select
                {...control}
                className="z-input"
                value={form.text('type')}
                onChange={(event) => form.set({ type: event.target.value })}
              >
                {Object.entries(creativeTypeLabels).map(([type, label]) => (
                  <option key={type} value={type}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TextField
            label="Сокращение"
            value={form.text('abbreviation')}
            error={form.error('abbreviation')}
            onChange={(abbreviation) => form.set({ abbreviation })}
          />
        </div>
        <Field label="Заметки" error={form.error('notes')}>
          {(control) => (
            <textarea
              {...control}
              className="z-input"
              rows={4}
              value={form.text('notes')}
              onChange={(event) => form.set({ notes: event.target.value })}
            />
          )}
        </Field>
        <ConflictNotice form={form} label={(field) => labels[field] ?? field} show={show} />
        <FormProblem text={form.problem} />
      </CheckedForm>
    </Dialog>
  );
};

import type { CreativeWire } from '@zakup/contracts/entities';
import { changeCreativeRequest, createCreativeRequest } from '@zakup/contracts/requests/catalog.requests';
import { creativeTypeLabels, showCreativeType } from '@zakup/domain/topics';
import { EntityDialog } from '../../shared/form/entity-dialog.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { useMade } from '../../shared/form/use-made.ts';
import { announce } from '../../shared/toasts/toasts.ts';
import { Field, TextField } from '../../shared/ui/field.tsx';
import { SelectField } from '../../shared/ui/select-field.tsx';

const fields = ['name', 'type', 'abbreviation', 'notes'] as const;
const labels = {
  name: 'Название',
  type: 'Тип',
  abbreviation: 'Сокращение',
  notes: 'Заметки',
  isActive: 'Активен',
} as const;

const label = (field: string): string => (labels as Readonly<Record<string, string>>)[field] ?? field;

const show = (field: string, value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'да' : 'нет';
  if (typeof value !== 'string' || value === '') return '—';
  return field === 'type' ? showCreativeType(value) : value;
};

/** A new creative, or changes to one. */
export const CreativeDialog = ({
  creative: given,
  onClose,
}: {
  readonly creative: CreativeWire | null;
  readonly onClose: () => void;
}) => {
  const { entity: creative, onMade } = useMade('creative', given);
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
    onSaved: (data) => {
      if (creative !== null) return;
      onMade(data.creative);
      announce('Креатив добавлен');
    },
    onDone: onClose,
  });
  return (
    <EntityDialog
      title={creative === null ? 'Новый креатив' : 'Изменить креатив'}
      save={creative === null ? 'Добавить' : 'Сохранить'}
      form={form}
      conflict={{ label, show }}
      onClose={onClose}
    >
      <TextField label={labels.name} focusOnMount {...form.field('name')} />
      <div className="z-form-row">
        <SelectField label={labels.type} options={Object.entries(creativeTypeLabels)} {...form.field('type')} />
        <TextField label={labels.abbreviation} {...form.field('abbreviation')} />
      </div>
      <Field label={labels.notes} error={form.error('notes')}>
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
    </EntityDialog>
  );
};

import type { CreativeWire } from '@zakup/contracts/wire-entities';
import { changeCreativeRequest, createCreativeRequest } from '@zakup/contracts/requests/catalog.requests';
import { creativeTypeLabels, showCreativeType } from '@zakup/domain/topics';
import { EntityDialog } from '../../shared/form/entity-dialog.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { useKeptEntity } from '../../shared/kept/use-kept-entity.ts';
import type { Entry } from '../../shared/outbox/entry.ts';
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
  entry = null,
  onClose,
}: {
  readonly creative: CreativeWire | null;
  /** Of its mark in the list. */
  readonly entry?: Entry | null;
  readonly onClose: () => void;
}) => {
  const { entity: creative, ...kept } = useKeptEntity({
    kind: 'creative',
    given,
    entry,
    valuesOf: (doc) => ({
      name: doc?.name ?? '',
      type: doc?.type ?? 'TEXT_WITH_IMAGE',
      abbreviation: doc?.abbreviation ?? '',
      notes: doc?.notes ?? '',
    }),
    paths: { create: '/api/creatives', all: '/api/creatives' },
    words: { created: 'Новый креатив', changed: 'Креатив' },
  });
  const form = useEntityForm<CreativeWire, { readonly creative: CreativeWire }>({
    doc: creative,
    begun: kept.begun,
    valuesOf: kept.valuesOf,
    bodyOf: (values, touched) =>
      Object.fromEntries(fields.filter((field) => touched.has(field)).map((field) => [field, values[field]])),
    schema: creative === null ? createCreativeRequest : changeCreativeRequest,
    send: (_, body) => kept.save(body),
    docOf: (data) => data.creative,
    onSaved: (data, isKept) => kept.onSaved(data.creative, isKept, 'Креатив добавлен'),
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

import type { ChannelWire } from '@zakup/contracts/wire-entities';
import { changeChannelRequest, createChannelRequest } from '@zakup/contracts/requests/catalog.requests';
import { EntityDialog } from '../../shared/form/entity-dialog.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { useKeptEntity } from '../../shared/kept/use-kept-entity.ts';
import type { Entry } from '../../shared/outbox/entry.ts';
import { TextField } from '../../shared/ui/field.tsx';

interface Answer {
  readonly channel: ChannelWire;
}

const labels = { name: 'Название', avatar: 'Аватар' } as const;
const label = (field: string): string => (labels as Readonly<Record<string, string>>)[field] ?? field;
const show = (_: string, value: unknown): string => (typeof value === 'string' && value !== '' ? value : '—');

/** A new channel, or another name and avatar for one. */
export const ChannelDialog = ({
  channel: given,
  entry = null,
  onClose,
}: {
  readonly channel: ChannelWire | null;
  /** Of its mark in the list. */
  readonly entry?: Entry | null;
  readonly onClose: () => void;
}) => {
  const { entity: channel, ...kept } = useKeptEntity({
    kind: 'channel',
    given,
    entry,
    valuesOf: (doc) => ({ name: doc?.name ?? '', avatar: doc?.avatar ?? '' }),
    paths: { create: '/api/channels', all: '/api/channels' },
    words: { created: 'Новый канал', changed: 'Канал' },
  });
  const form = useEntityForm<ChannelWire, Answer>({
    doc: channel,
    begun: kept.begun,
    valuesOf: kept.valuesOf,
    bodyOf: ({ name, avatar }, touched) => ({
      ...(touched.has('name') && { name }),
      ...(touched.has('avatar') && { avatar: avatar === '' ? null : avatar }),
    }),
    schema: channel === null ? createChannelRequest : changeChannelRequest,
    send: (_, body) => kept.save(body),
    docOf: (data) => data.channel,
    onSaved: (data, isKept) => kept.onSaved(data.channel, isKept, 'Канал добавлен'),
    onDone: onClose,
  });
  return (
    <EntityDialog
      title={channel === null ? 'Новый канал' : 'Изменить канал'}
      save={channel === null ? 'Добавить' : 'Сохранить'}
      form={form}
      conflict={{ label, show }}
      onClose={onClose}
    >
      <TextField label={labels.name} focusOnMount {...form.field('name')} />
      <TextField
        label={labels.avatar}
        hint="Эмодзи или одна-две буквы. Можно оставить пустым"
        {...form.field('avatar')}
      />
    </EntityDialog>
  );
};

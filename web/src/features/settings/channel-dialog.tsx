import type { ChannelWire } from '@zakup/contracts/entities';
import { changeChannelRequest, createChannelRequest } from '@zakup/contracts/requests/catalog.requests';
import { EntityDialog } from '../../shared/form/entity-dialog.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { useMade } from '../../shared/form/use-made.ts';
import { announce } from '../../shared/toasts/toasts.ts';
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
  onClose,
}: {
  readonly channel: ChannelWire | null;
  readonly onClose: () => void;
}) => {
  const { entity: channel, onMade } = useMade('channel', given);
  const form = useEntityForm<ChannelWire, Answer>({
    doc: channel,
    valuesOf: (doc) => ({ name: doc?.name ?? '', avatar: doc?.avatar ?? '' }),
    bodyOf: ({ name, avatar }, touched) => ({
      ...(touched.has('name') && { name }),
      ...(touched.has('avatar') && { avatar: avatar === '' ? null : avatar }),
    }),
    schema: channel === null ? createChannelRequest : changeChannelRequest,
    send: (send, body) =>
      channel === null ? send('POST', '/api/channels', body) : send('PUT', `/api/channels/${channel.id}`, body),
    docOf: (data) => data.channel,
    onSaved: (data) => {
      if (channel !== null) return;
      onMade(data.channel);
      announce('Канал добавлен');
    },
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

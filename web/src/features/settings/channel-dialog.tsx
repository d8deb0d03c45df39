import type { ChannelWire } from '@zakup/contracts/entities';
import { changeChannelRequest, createChannelRequest } from '@zakup/contracts/requests/catalog.requests';
import { useId } from 'react';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { ConflictNotice } from '../../shared/form/conflict-notice.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';

interface Answer {
  readonly channel: ChannelWire;
}

const labels: Readonly<Record<string, string>> = { name: 'Название', avatar: 'Аватар' };

/** A new channel, or another name and avatar for one. */
export const ChannelDialog = ({
  channel,
  onClose,
}: {
  readonly channel: ChannelWire | null;
  readonly onClose: () => void;
}) => {
  const formId = useId();
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
    onSaved: () => {
      if (channel === null) toasts.success('Канал добавлен');
      onClose();
    },
  });
  return (
    <Dialog
      title={channel === null ? 'Новый канал' : 'Изменить канал'}
      onClose={onClose}
      dirty={form.dirty}
      closeOnOutsideClick={!form.dirty}
      footer={
        <>
          <Button onClick={onClose} disabled={form.busy}>
            Отмена
          </Button>
          <Button look="primary" type="submit" form={formId} disabled={form.busy}>
            {form.busy ? 'Сохранение…' : channel === null ? 'Добавить' : 'Сохранить'}
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
        <TextField
          label="Аватар"
          hint="Эмодзи, одна-две буквы или адрес картинки. Можно оставить пустым"
          value={form.text('avatar')}
          error={form.error('avatar')}
          onChange={(avatar) => form.set({ avatar })}
        />
        <ConflictNotice
          form={form}
          label={(field) => labels[field] ?? field}
          show={(_, value) => (typeof value === 'string' && value !== '' ? value : '—')}
        />
        <FormProblem text={form.problem} />
      </CheckedForm>
    </Dialog>
  );
};

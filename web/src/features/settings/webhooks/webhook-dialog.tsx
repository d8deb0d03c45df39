import type { createdWebhookData } from '@zakup/contracts/calls/replies';
import type { WebhookWire } from '@zakup/contracts/wire-entities';
import { everyEvent } from '@zakup/domain/webhooks/webhooks.decider';
import { showCampaignName } from '@zakup/domain/topics';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { ApiProblem, problemText } from '../../../shared/api/api-problem.ts';
import { inOrder } from '../../../shared/campaign/campaign-choice.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useSend } from '../../../shared/form/use-send.ts';
import { useDocs } from '../../../shared/replica/replica-context.tsx';
import { TextField } from '../../../shared/ui/field.tsx';
import { MultiSelectField } from '../../../shared/ui/multi-select-field.tsx';
import { SelectField } from '../../../shared/ui/select-field.tsx';
import { eventLabel, eventLabels } from './event-labels.ts';

export type CreatedWebhook = z.infer<typeof createdWebhookData>;

const offered = Object.entries(eventLabels);

interface Wrong {
  readonly url?: string;
  readonly events?: string;
  readonly campaignId?: string;
}

/** A new webhook, or one as it is to be. */
export const WebhookDialog = ({
  webhook,
  onSaved,
  onClose,
}: {
  /** Absent = a new one. */
  readonly webhook?: WebhookWire;
  readonly onSaved: (saved: CreatedWebhook) => void;
  readonly onClose: () => void;
}) => {
  const send = useSend();
  const campaigns = inOrder(useDocs('campaign'));
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [all, setAll] = useState(webhook === undefined || webhook.events.includes(everyEvent));
  const [events, setEvents] = useState<readonly string[]>(webhook?.events.filter((type) => type !== everyEvent) ?? []);
  const [campaignId, setCampaignId] = useState(webhook?.campaignId ?? '');
  const [wrong, setWrong] = useState<Wrong>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const dirty =
    url !== (webhook?.url ?? '') ||
    campaignId !== (webhook?.campaignId ?? '') ||
    all !== (webhook === undefined || webhook.events.includes(everyEvent)) ||
    (!all && events.join() !== (webhook?.events ?? []).join());

  const submit = async (): Promise<void> => {
    if (!all && events.length === 0) {
      setWrong({ events: 'Выберите хотя бы одно событие' });
      return;
    }
    setWrong({});
    setProblem(null);
    setBusy(true);
    const body = {
      url: url.trim(),
      events: all ? [everyEvent] : events,
      campaignId: campaignId === '' ? null : campaignId,
    };
    try {
      const { data } =
        webhook === undefined
          ? await send<CreatedWebhook>('POST', '/api/webhooks', body)
          : await send<CreatedWebhook>('PUT', `/api/webhooks/${encodeURIComponent(webhook.id)}`, {
              ...body,
              status: webhook.status === 'paused' ? 'paused' : 'active',
            });
      onSaved(data);
      onClose();
    } catch (thrown) {
      const at = (pointer: string): string | undefined =>
        (thrown instanceof ApiProblem ? thrown.errorAt(pointer) : null) ?? undefined;
      const found = { url: at('/url'), events: at('/events'), campaignId: at('/campaignId') };
      const told = Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined));
      setWrong(told);
      if (Object.keys(told).length === 0) setProblem(problemText(thrown));
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit().catch(() => undefined);
  };
  const unoffered = events.filter((type) => !Object.hasOwn(eventLabels, type));
  return (
    <FormDialog
      title={webhook === undefined ? 'Новый вебхук' : 'Изменить вебхук'}
      save={webhook === undefined ? 'Создать вебхук' : 'Сохранить'}
      busy={busy}
      dirty={dirty}
      problem={problem}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <p className="z-secondary">
        О каждом событии адрес получает подписанный запрос POST. Если он не отвечает, отправка повторяется три дня.
      </p>
      <TextField
        label="Адрес"
        type="url"
        inputMode="url"
        placeholder="https://example.ru/zakup"
        value={url}
        error={wrong.url ?? null}
        focusOnMount
        maxLength={2000}
        onChange={setUrl}
      />
      <SelectField
        label="События"
        value={all ? 'all' : 'some'}
        options={[
          ['all', 'Все, которые вам видны'],
          ['some', 'Только выбранные'],
        ]}
        error={wrong.events ?? null}
        onChange={(value) => setAll(value === 'all')}
      />
      {!all && (
        <MultiSelectField
          label="Какие события"
          values={events}
          options={[...offered, ...unoffered.map((type) => [type, eventLabel(type)] as const)]}
          blank="Не выбраны"
          onChange={setEvents}
        />
      )}
      <SelectField
        label="Кампания"
        value={campaignId}
        options={[
          ['', 'Все кампании и вся команда'],
          ...campaigns.map(({ id, name }) => [id, showCampaignName(name)] as const),
        ]}
        error={wrong.campaignId ?? null}
        onChange={setCampaignId}
      />
    </FormDialog>
  );
};

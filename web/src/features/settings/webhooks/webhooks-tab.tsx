import { Edit, Pause, Play, Plus, Trash } from '@blueprintjs/icons';
import type { WebhookWire } from '@zakup/contracts/wire-entities';
import { showCampaignName } from '@zakup/domain/topics';
import { useState } from 'react';
import { problemText } from '../../../shared/api/api-problem.ts';
import { relativeTime } from '../../../shared/day/relative-time.ts';
import { FormProblem } from '../../../shared/form/form-problem.tsx';
import { useSend } from '../../../shared/form/use-send.ts';
import { useDocs } from '../../../shared/replica/replica-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Chip } from '../../../shared/ui/chip.tsx';
import { ListBar } from '../../../shared/ui/list-bar.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../shared/ui/states.tsx';
import { shownOnce } from '../shown-once.ts';
import { RemoveDialog } from '../remove-dialog.tsx';
import { ShownSecret } from '../shown-secret.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { eventsText } from './event-labels.ts';
import { useWebhooks } from './use-webhooks.ts';
import { type CreatedWebhook, WebhookDialog } from './webhook-dialog.tsx';
import { addressParts, statusChips, tryText } from './webhook-texts.ts';

const useCreatedWebhooks = shownOnce(({ webhook }: CreatedWebhook) => webhook.id);

type Opened =
  | { readonly kind: 'form' }
  | { readonly kind: 'edit' | 'deliveries' | 'remove'; readonly webhookId: string };

interface ItemProps {
  readonly shown: WebhookWire;
  /** Its campaign; null = it tells of the whole team. */
  readonly campaign: string | null;
  readonly now: number;
  readonly busy: boolean;
  readonly onOpen: (kind: 'edit' | 'deliveries' | 'remove') => void;
  readonly onSwitch: () => void;
}

const WebhookItem = ({ shown, campaign, now, busy, onOpen, onSwitch }: ItemProps) => {
  const { host, rest } = addressParts(shown.url);
  const { tone, text } = statusChips[shown.status];
  const last = shown.lastDelivery;
  const isOn = shown.status === 'active';
  return (
    <li>
      <span className="z-settings-name">
        <b title={shown.url}>
          {host}
          <span className="z-secondary">{rest}</span>
        </b>
        <small className="z-secondary">
          {eventsText(shown.events)}, {campaign === null ? 'вся команда' : `«${campaign}»`},{' '}
          {last === null ? 'отправок ещё нет' : `${tryText(last)}, ${relativeTime(last.at, now)}`}
        </small>
      </span>
      <Chip tone={tone}>{text}</Chip>
      <Button small onClick={() => onOpen('deliveries')} aria-label={`Отправки: ${host}`}>
        Отправки
      </Button>
      <Button
        look="plain"
        icon={isOn ? <Pause size={14} /> : <Play size={14} />}
        disabled={busy}
        aria-label={`${isOn ? 'Приостановить' : 'Включить'}: ${host}`}
        onClick={onSwitch}
      />
      <Button look="plain" icon={<Edit size={14} />} aria-label={`Изменить: ${host}`} onClick={() => onOpen('edit')} />
      <Button
        look="plain"
        icon={<Trash size={14} />}
        aria-label={`Удалить: ${host}`}
        onClick={() => onOpen('remove')}
      />
    </li>
  );
};

/** The addresses that are told of events. */
export const WebhooksTab = ({ now = Date.now }: { readonly now?: () => number }) => {
  const send = useSend();
  const campaigns = useDocs('campaign');
  const { webhooks, error, retry, changed } = useWebhooks();
  const [opened, setOpened] = useState<Opened | null>(null);
  const created = useCreatedWebhooks();
  const [switching, setSwitching] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const close = (): void => setOpened(null);
  const target =
    opened === null || opened.kind === 'form' ? undefined : webhooks?.find(({ id }) => id === opened.webhookId);
  const campaignOf = ({ campaignId }: WebhookWire): string | null => {
    if (campaignId === null) return null;
    const found = campaigns.find(({ id }) => id === campaignId);
    return found === undefined ? 'удалённая кампания' : showCampaignName(found.name);
  };
  const switchOne = async ({ id, status }: WebhookWire): Promise<void> => {
    setProblem(null);
    setSwitching(id);
    try {
      await send('PUT', `/api/webhooks/${encodeURIComponent(id)}`, {
        status: status === 'active' ? 'paused' : 'active',
      });
      changed();
    } catch (thrown) {
      setProblem(problemText(thrown));
    }
    setSwitching(null);
  };
  const add = (
    <Button look="primary" icon={<Plus size={14} />} onClick={() => setOpened({ kind: 'form' })}>
      Создать вебхук
    </Button>
  );
  return (
    <div className="z-settings-body">
      {created.shown.map((one) => (
        <ShownSecret
          key={one.webhook.id}
          title={`Создан вебхук ${addressParts(one.webhook.url).host}`}
          secret={one.secret}
          what={`секрет вебхука ${addressParts(one.webhook.url).host}`}
          note="Им проверяют подпись. Показан один раз: скопируйте его сейчас."
          lost="Если его не записали, удалите вебхук и создайте новый."
          testId="webhook-secret"
          onClose={() => created.putAway(one.webhook.id)}
        />
      ))}
      <FormProblem text={problem} />
      {webhooks === null ? (
        error === null ? (
          <Skeleton rows={4} height={38} />
        ) : (
          <ErrorState error={error} onRetry={retry} />
        )
      ) : webhooks.length === 0 ? (
        <EmptyState title="Вебхуков ещё нет" actions={add}>
          Вебхук сообщает вашей программе о каждом изменении: в таблицу, бот или учётную систему.
        </EmptyState>
      ) : (
        <>
          <ListBar>{add}</ListBar>
          <ul className="z-settings-list z-key-list z-webhook-list z-panel z-panel-flush" aria-label="Вебхуки">
            {webhooks.map((webhook) => (
              <WebhookItem
                key={webhook.id}
                shown={webhook}
                campaign={campaignOf(webhook)}
                now={now()}
                busy={switching !== null}
                onOpen={(kind) => setOpened({ kind, webhookId: webhook.id })}
                onSwitch={() => {
                  switchOne(webhook).catch(() => undefined);
                }}
              />
            ))}
          </ul>
        </>
      )}
      {opened?.kind === 'form' && (
        <WebhookDialog
          onSaved={(made) => {
            created.add(made);
            changed();
          }}
          onClose={close}
        />
      )}
      {opened?.kind === 'edit' && target !== undefined && (
        <WebhookDialog webhook={target} onSaved={changed} onClose={close} />
      )}
      {opened?.kind === 'deliveries' && target !== undefined && (
        <DeliveriesDialog webhook={target} now={now} onChanged={changed} onClose={close} />
      )}
      {opened?.kind === 'remove' && target !== undefined && (
        <RemoveDialog
          title={`Удалить вебхук ${addressParts(target.url).host}?`}
          path={`/api/webhooks/${encodeURIComponent(target.id)}`}
          onRemoved={() => {
            created.putAway(target.id);
            changed();
          }}
          onClose={close}
        >
          Адрес больше ничего не получит, и то, что ждёт отправки, пропадёт. У нового вебхука будет другой секрет.
        </RemoveDialog>
      )}
    </div>
  );
};

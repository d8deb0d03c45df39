import { Repeat, SendMessage } from '@blueprintjs/icons';
import { isTaken } from '@zakup/contracts/deliveries';
import type { webhookTestData } from '@zakup/contracts/calls/replies';
import type { DeliveryTryWire, DeliveryWire, WebhookWire } from '@zakup/contracts/wire-entities';
import { formatNumber } from '@zakup/domain/russian';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { problemText } from '../../../shared/api/api-problem.ts';
import { relativeTime } from '../../../shared/day/relative-time.ts';
import { showInstant } from '../../../shared/day/shown-day.ts';
import { FormProblem } from '../../../shared/form/form-problem.tsx';
import { useSend } from '../../../shared/form/use-send.ts';
import { LiveRegion } from '../../../shared/toasts/live-region.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Chip } from '../../../shared/ui/chip.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { TextField } from '../../../shared/ui/field.tsx';
import { LoadMore } from '../../../shared/ui/load-more.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../shared/ui/states.tsx';
import { eventLabel } from './event-labels.ts';
import { useDeliveries } from './use-webhooks.ts';
import { addressParts, deliveryChip, triesText, tryText } from './webhook-texts.ts';

type Tested = z.infer<typeof webhookTestData>;

const pathOf = ({ id }: WebhookWire): string => `/api/webhooks/${encodeURIComponent(id)}`;

const DeliveryItem = ({
  shown,
  now,
  onResend,
}: {
  readonly shown: DeliveryWire;
  readonly now: number;
  readonly onResend: () => void;
}) => {
  const { position, type, tries, next } = shown;
  const last = tries.at(-1);
  const { tone, text } = deliveryChip(shown);
  return (
    <li>
      <span className="z-settings-name">
        <b>{eventLabel(type)}</b>
        <small className="z-secondary">
          № {formatNumber(position)}
          {last !== undefined && `, ${tryText(last)}, ${relativeTime(last.at, now)}`}
          {tries.length > 1 && `, ${triesText(tries.length)}`}
          {next !== null && last !== undefined && `, ещё раз ${showInstant(next)}`}
        </small>
      </span>
      <Chip tone={tone}>{text}</Chip>
      <Button
        look="plain"
        icon={<Repeat size={14} />}
        aria-label={`Отправить ещё раз: ${eventLabel(type)}, № ${position}`}
        onClick={onResend}
      />
    </li>
  );
};

/** From which position on everything is told again. */
const ReplayForm = ({
  webhook,
  onReplayed,
}: {
  readonly webhook: WebhookWire;
  readonly onReplayed: (after: number) => void;
}) => {
  const send = useSend();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    const digits = text.replace(/\s/gu, '');
    if (!/^\d{1,15}$/u.test(digits)) {
      setWrong('Номер события: целое число, 0 для всех');
      return;
    }
    setWrong(null);
    setBusy(true);
    try {
      await send('POST', `${pathOf(webhook)}/replay`, { after: Number(digits) });
      onReplayed(Number(digits));
    } catch (thrown) {
      setWrong(problemText(thrown));
    }
    setBusy(false);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit().catch(() => undefined);
  };
  return (
    <form className="z-replay" noValidate onSubmit={onSubmit}>
      <TextField
        label="Заново после события №"
        inputMode="numeric"
        value={text}
        error={wrong}
        maxLength={24}
        onChange={setText}
      />
      <Button type="submit" disabled={busy || text === ''}>
        Отправить заново
      </Button>
    </form>
  );
};

/** What a webhook was told and what came of it, with a test, each once more, and all anew. */
export const DeliveriesDialog = ({
  webhook,
  now,
  onChanged,
  onClose,
}: {
  readonly webhook: WebhookWire;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** The webhook is to be asked for again. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) => {
  const send = useSend();
  const { deliveries, error, hasMore, isLoadingMore, loadMore, retry } = useDeliveries(webhook.id);
  const [said, setSaid] = useState('');
  const [tested, setTested] = useState<DeliveryTryWire | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setProblem(null);
    setBusy(true);
    try {
      await work();
      retry();
      onChanged();
    } catch (thrown) {
      setProblem(problemText(thrown));
    }
    setBusy(false);
  };
  const start = (work: () => Promise<void>): void => {
    attempt(work).catch(() => undefined);
  };
  const test = (): void =>
    start(async () => {
      setTested(null);
      setTested((await send<Tested>('POST', `${pathOf(webhook)}/test`)).data.delivery);
    });
  const resend = ({ position }: DeliveryWire): void =>
    start(async () => {
      await send('POST', `${pathOf(webhook)}/deliveries/${position}/resend`);
      setSaid(`Отправляется ещё раз: № ${formatNumber(position)}`);
    });

  return (
    <Dialog title={`Отправки: ${addressParts(webhook.url).host}`} width={640} onClose={onClose}>
      <div className="z-form">
        <div className="z-webhook-test">
          <Button icon={<SendMessage size={14} />} disabled={busy} onClick={test}>
            Пробная отправка
          </Button>
          {tested !== null && (
            <Chip tone={isTaken(tested) ? 'good' : 'bad'}>
              <output>{tryText(tested)}</output>
            </Chip>
          )}
        </div>
        <ReplayForm
          webhook={webhook}
          onReplayed={(after) => {
            setSaid(`Отправляется заново всё после № ${formatNumber(after)}`);
            retry();
            onChanged();
          }}
        />
        <LiveRegion className="z-secondary">{said}</LiveRegion>
        <FormProblem text={problem} />
        {deliveries === null ? (
          error === null ? (
            <Skeleton rows={4} height={38} />
          ) : (
            <ErrorState error={error} onRetry={retry} />
          )
        ) : deliveries.length === 0 ? (
          <EmptyState title="Отправок ещё нет">Они появятся с первым событием, о котором сообщает вебхук.</EmptyState>
        ) : (
          <ul className="z-settings-list z-key-list z-panel z-panel-flush" aria-label="Отправки">
            {deliveries.map((shown) => (
              <DeliveryItem
                key={`${shown.position} ${shown.id}`}
                shown={shown}
                now={now()}
                onResend={() => resend(shown)}
              />
            ))}
          </ul>
        )}
        {hasMore && <LoadMore busy={isLoadingMore} onMore={loadMore} />}
      </div>
    </Dialog>
  );
};

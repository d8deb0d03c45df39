import type { DeliveryTryWire, DeliveryWire, WebhookWire } from '@zakup/contracts/wire-entities';
import { formatNumber, plural } from '@zakup/domain/russian';
import type { Tone } from '../../../shared/ui/chip.tsx';

/** How it stands with a webhook, for its chip. */
export const statusChips: Readonly<Record<WebhookWire['status'], { readonly tone: Tone; readonly text: string }>> = {
  active: { tone: 'good', text: 'работает' },
  paused: { tone: 'neutral', text: 'приостановлен' },
  failing: { tone: 'bad', text: 'остановлен' },
};

/** Whether the receiver took it. */
export const isTaken = ({ status, error }: DeliveryTryWire): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

/** «200 за 120 мс», or why there was no answer. */
export const tryText = ({ status, ms, error }: DeliveryTryWire): string =>
  status === null ? `нет ответа${error === null ? '' : `: ${error}`}` : `ответ ${status} за ${formatNumber(ms)} мс`;

/** How it stands with a delivery: taken, waiting for its next try, or given up. */
export const deliveryChip = ({ tries, next }: DeliveryWire): { readonly tone: Tone; readonly text: string } => {
  const last = tries.at(-1);
  if (last !== undefined && isTaken(last) && next === null) return { tone: 'good', text: 'доставлено' };
  if (next !== null) return { tone: 'mid', text: last === undefined ? 'в очереди' : 'повторится' };
  return { tone: 'bad', text: 'не доставлено' };
};

/** «3 попытки». */
export const triesText = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'попытка', 'попытки', 'попыток')}`;

/** Host, and what follows it. */
export const addressParts = (url: string): { readonly host: string; readonly rest: string } => {
  if (!URL.canParse(url)) return { host: url, rest: '' };
  const { protocol, host, pathname, search } = new URL(url);
  const rest = `${pathname === '/' ? '' : pathname}${search}`;
  return { host: protocol === 'https:' ? host : `${protocol}//${host}`, rest };
};

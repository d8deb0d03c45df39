import { isTaken } from '@zakup/contracts/deliveries';
import type { DeliveryTryWire, DeliveryWire, WebhookWire } from '@zakup/contracts/wire-entities';
import { formatNumber, plural } from '@zakup/domain/russian';
import type { Tone } from '../../../shared/ui/chip.tsx';

/** How it stands with a webhook, for its chip. */
export const statusChips: Readonly<Record<WebhookWire['status'], { readonly tone: Tone; readonly text: string }>> = {
  active: { tone: 'good', text: 'работает' },
  paused: { tone: 'neutral', text: 'приостановлен' },
  failing: { tone: 'bad', text: 'остановлен' },
};

/** «ответ 200 за 120 мс», «ответ 302: адрес перенаправляет…», or why there was none. */
export const tryText = ({ status, ms, error }: DeliveryTryWire): string => {
  if (error === null) return status === null ? 'нет ответа' : `ответ ${status} за ${formatNumber(ms)} мс`;
  const reason = `${error.charAt(0).toLowerCase()}${error.slice(1)}`;
  return status === null ? reason : `ответ ${status}: ${reason}`;
};

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

import { isKept } from '@zakup/domain/limits';
import { readLeads } from '@zakup/domain/leads';
import { messages } from '@zakup/domain/messages';
import { type Kopecks, readPrice } from '@zakup/domain/money';
import { parseNick } from '@zakup/domain/nick';
import type { PaymentStatus, PlacementStatus } from '@zakup/domain/placement/events';
import { paymentLabel, placementStatusLabels } from '@zakup/domain/placement/labels';
import { maxCommentLength, parsePostUrl } from '@zakup/domain/placement/remarks';
import { formats, topics } from '@zakup/domain/topics';
import type { TableCell } from './file/table.ts';
import { textKey } from './text-key.ts';

/** What a cell that is not empty says, or what is wrong with it in the words of the field. */
export type ReadCell<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'wrong'; readonly detail: string };

const orWrong = <Value>(value: Value | null | undefined, detail: string): ReadCell<Value> =>
  value === null || value === undefined ? { kind: 'wrong', detail } : { kind: 'value', value };

const currency = /\s*(?:руб(?:\.|лей|ля|ль)?|р\.?|rub)$/iu;

/** Numbers of a workbook are reckoned with errors far behind the kopecks. */
const whole = (amount: number, decimals: number): number => {
  const scale = 10 ** decimals;
  const rounded = Math.round(amount * scale) / scale;
  return Math.abs(rounded - amount) < 1e-6 ? rounded : amount;
};

export const readPriceCell = (cell: TableCell): ReadCell<Kopecks> =>
  orWrong(
    readPrice(typeof cell === 'number' ? whole(cell, 2) : cell.trim().replace(currency, '')),
    messages.priceInvalid,
  );

export const readLeadsCell = (cell: TableCell): ReadCell<number> =>
  orWrong(readLeads(typeof cell === 'number' ? whole(cell, 0) : cell), messages.leadsInvalid);

/** `@` and the nick as it is spelled. */
export const readNickCell = (cell: TableCell): ReadCell<{ readonly nick: string; readonly adminUsername: string }> => {
  const parsed = parseNick(String(cell).slice(0, 1000));
  if (parsed.kind === 'nick') return { kind: 'value', value: parsed };
  return { kind: 'wrong', detail: parsed.kind === 'empty' ? messages.nickRequired : parsed.message };
};

const keyed = <Value extends string>(values: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> =>
  new Map(values.map(([name, value]) => [textKey(name), value] as const));

const topicByKey = keyed(topics.map((topic) => [topic, topic] as const));
const formatByKey = keyed(formats.map((format) => [format, format] as const));
const statusByKey = keyed(
  (Object.entries(placementStatusLabels) as [PlacementStatus, string][]).flatMap(([status, label]) => [
    [label, status] as const,
    [status, status] as const,
  ]),
);
const paymentByKey = keyed<PaymentStatus>([
  ...([paymentLabel('paid'), 'оплачен', 'paid', 'да', 'yes', '+', '1'] as const).map((name) => [name, 'paid'] as const),
  ...([paymentLabel('unpaid'), 'не оплачен', 'unpaid', 'нет', 'no', '-', '0'] as const).map(
    (name) => [name, 'unpaid'] as const,
  ),
]);

export const readTopicCell = (cell: TableCell): ReadCell<string> =>
  orWrong(topicByKey.get(textKey(String(cell))), messages.chooseTopic);

export const readFormatCell = (cell: TableCell): ReadCell<string> =>
  orWrong(formatByKey.get(textKey(String(cell)).replaceAll(' ', '')), messages.formatInvalid);

export const readStatusCell = (cell: TableCell): ReadCell<PlacementStatus> =>
  orWrong(statusByKey.get(textKey(String(cell))), messages.statusInvalid);

export const readPaymentCell = (cell: TableCell): ReadCell<PaymentStatus> =>
  orWrong(paymentByKey.get(textKey(String(cell))), messages.paymentInvalid);

export const readCommentCell = (cell: TableCell): ReadCell<string> => {
  const comment = String(cell).trim();
  if (comment.length > maxCommentLength) return { kind: 'wrong', detail: messages.commentTooLong };
  return orWrong(isKept(comment) ? comment : null, messages.textInvalid);
};

export const readPostUrlCell = (cell: TableCell): ReadCell<string> =>
  orWrong(parsePostUrl(String(cell).slice(0, 1000)), messages.postUrlInvalid);

import { isKept } from '../limits.ts';
import { messages } from '../messages.ts';
import { parseNick } from '../nick.ts';
import { textKey } from '../text-key.ts';
import { formats, topics } from '../topics.ts';
import type { PaymentStatus, PlacementStatus } from './events.ts';
import { paymentLabel, placementStatusLabels } from './labels.ts';
import { maxCommentLength, parsePostUrl } from './remarks.ts';

/** What a cell that is not empty says, or what is wrong with it in the words of the field. */
export type ReadCell<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'wrong'; readonly detail: string };

/** `null` and `undefined` = the text is no value of the field. */
export const orWrong = <Value>(value: Value | null | undefined, detail: string): ReadCell<Value> =>
  value === null || value === undefined ? { kind: 'wrong', detail } : { kind: 'value', value };

/** Longer texts are neither nicks nor links. */
const longest = 1000;

/** `@` and the nick as it is spelled; links are read as NICKS-1 says. */
export const readNickText = (text: string): ReadCell<{ readonly nick: string; readonly adminUsername: string }> => {
  const parsed = parseNick(text.slice(0, longest));
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

export const readTopicText = (text: string): ReadCell<string> =>
  orWrong(topicByKey.get(textKey(text)), messages.chooseTopic);

/** Blanks within it do not count. */
export const readFormatText = (text: string): ReadCell<string> =>
  orWrong(formatByKey.get(textKey(text).replaceAll(' ', '')), messages.formatInvalid);

/** By its label or its name on the wire. */
export const readStatusText = (text: string): ReadCell<PlacementStatus> =>
  orWrong(statusByKey.get(textKey(text)), messages.statusInvalid);

export const readPaymentText = (text: string): ReadCell<PaymentStatus> =>
  orWrong(paymentByKey.get(textKey(text)), messages.paymentInvalid);

export const readCommentText = (text: string): ReadCell<string> => {
  const comment = text.trim();
  if (comment.length > maxCommentLength) return { kind: 'wrong', detail: messages.commentTooLong };
  return orWrong(isKept(comment) ? comment : null, messages.textInvalid);
};

export const readPostUrlText = (text: string): ReadCell<string> =>
  orWrong(parsePostUrl(text.slice(0, longest)), messages.postUrlInvalid);

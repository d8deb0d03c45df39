import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { parseLeadsExpression, parsePriceExpression } from '@zakup/domain/amount-expression';
import { parseDay } from '@zakup/domain/calendar';
import { messages } from '@zakup/domain/messages';
import { toRoubles } from '@zakup/domain/money';
import { parseNick } from '@zakup/domain/nick';
import { noCreative } from '@zakup/domain/placement/events';
import { maxCommentLength, parsePostUrl } from '@zakup/domain/placement/remarks';
import { defaultFormat, isFormat, isTopic } from '@zakup/domain/topics';

/** A placement as it is typed. */
export interface PlacementForm {
  /** `YYYY-MM-DD`; empty = what was typed is no day. */
  readonly date: string;
  readonly buyerId: string;
  readonly contractor: string;
  readonly format: string;
  readonly price: string;
  readonly leads: string;
  /** Empty = without a creative. */
  readonly creativeId: string;
  readonly category: string;
  readonly paymentStatus: 'paid' | 'unpaid';
  readonly comment: string;
  /** Empty = none. */
  readonly postUrl: string;
}

export type PlacementField = keyof PlacementForm;

export const emptyForm = (today: string): PlacementForm => ({
  date: today,
  buyerId: '',
  contractor: '',
  format: defaultFormat,
  price: '',
  leads: '0',
  creativeId: '',
  category: '',
  paymentStatus: 'unpaid',
  comment: '',
  postUrl: '',
});

export interface FormError {
  /** `null` = not a field's. */
  readonly field: PlacementField | null;
  readonly message: string;
}

/** What is wrong, in the order of ADD-1; the first is what is said. */
export const formErrors = (campaignId: string | null, form: PlacementForm): readonly FormError[] => {
  const errors: FormError[] = [];
  if (campaignId === null) errors.push({ field: null, message: messages.campaignNotChosen });
  const nick = parseNick(form.contractor);
  if (nick.kind !== 'nick') errors.push({ field: 'contractor', message: nick.message });
  if (form.buyerId === '') errors.push({ field: 'buyerId', message: messages.chooseBuyer });
  if (!isTopic(form.category)) errors.push({ field: 'category', message: messages.chooseTopic });
  if (parseDay(form.date) === null) errors.push({ field: 'date', message: messages.dateInvalid });
  if (!isFormat(form.format)) errors.push({ field: 'format', message: messages.formatInvalid });
  if (parsePriceExpression(form.price) === null) errors.push({ field: 'price', message: messages.priceInvalid });
  if (parseLeadsExpression(form.leads) === null) errors.push({ field: 'leads', message: messages.leadsInvalid });
  if (form.comment.trim().length > maxCommentLength)
    errors.push({ field: 'comment', message: messages.commentTooLong });
  if (form.postUrl.trim() !== '' && parsePostUrl(form.postUrl) === null)
    errors.push({ field: 'postUrl', message: messages.postUrlInvalid });
  return errors;
};

const remarksOf = ({ comment, postUrl }: PlacementForm) => ({
  comment: comment.trim(),
  postUrl: parsePostUrl(postUrl),
});

/** Members of POST /api/placements; the form has no errors. */
export const addBody = (campaignId: string, form: PlacementForm) => {
  const nick = parseNick(form.contractor);
  const price = parsePriceExpression(form.price);
  const remarks = remarksOf(form);
  return {
    campaignId,
    date: form.date,
    buyerId: form.buyerId,
    contractor: nick.kind === 'nick' ? nick.adminUsername : form.contractor,
    format: form.format,
    price: price === null ? 0 : toRoubles(price),
    creativeId: form.creativeId === '' ? noCreative : form.creativeId,
    category: form.category,
    paymentStatus: form.paymentStatus,
    ...(remarks.comment !== '' && { comment: remarks.comment }),
    ...(remarks.postUrl !== null && { postUrl: remarks.postUrl }),
  };
};

export const formOf = (placement: PlacementWire, nick: string): PlacementForm => ({
  date: placement.date,
  buyerId: placement.buyerId,
  contractor: nick,
  format: placement.format,
  price: String(placement.price),
  leads: String(placement.leads),
  creativeId: placement.creativeId === noCreative ? '' : placement.creativeId,
  category: placement.category,
  paymentStatus: placement.paymentStatus === 'paid' ? 'paid' : 'unpaid',
  comment: placement.comment,
  postUrl: placement.postUrl ?? '',
});

/** Members of PATCH that differ from what the form began with; the form has no errors. Payment is not one of them. */
export const changedBody = (before: PlacementForm, after: PlacementForm): Readonly<Record<string, unknown>> => {
  const { campaignId: _, paymentStatus: __, ...was } = addBody('', before);
  const { campaignId: ___, paymentStatus: ____, ...is } = addBody('', after);
  const from: Record<string, unknown> = { ...was, ...remarksOf(before), leads: parseLeadsExpression(before.leads) };
  const to: Record<string, unknown> = { ...is, ...remarksOf(after), leads: parseLeadsExpression(after.leads) };
  return Object.fromEntries(Object.entries(to).filter(([name, value]) => value !== from[name]));
};

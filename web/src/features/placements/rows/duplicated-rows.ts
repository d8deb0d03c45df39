import { noCreative } from '@zakup/domain/placement/events';
import { formErrors, formOf, type PlacementForm } from '../dialogs/placement-form.ts';
import type { PlacementRow } from './placement-row.ts';
import type { Choices } from './use-choices.ts';

export interface DuplicateDeps {
  readonly campaignId: string;
  readonly choices: Pick<Choices, 'buyers' | 'creatives'>;
  /** Whether a placement of this buyer may be added. */
  readonly mayAddFor: (buyerId: string) => boolean;
  /** Who takes the place of a buyer for whom none may be added. */
  readonly personId: string;
  /** `YYYY-MM-DD` at UTC+3. */
  readonly today: string;
}

export interface DuplicatedRows {
  readonly forms: readonly PlacementForm[];
  readonly skipped: number;
  /** Each once. */
  readonly reasons: readonly string[];
}

/** Rows once more: contractor, topic, format, creative, price and buyer as they are, of today, unpaid, without «Приход» and remarks. */
export const duplicatedRows = (
  rows: readonly PlacementRow[],
  { campaignId, choices, mayAddFor, personId, today }: DuplicateDeps,
): DuplicatedRows => {
  const buys = (id: string): boolean => mayAddFor(id) && choices.buyers.some(({ value }) => value === id);
  const forms: PlacementForm[] = [];
  const reasons = new Set<string>();
  for (const { placement, nick } of rows) {
    const { buyerId, creativeId } = placement;
    const form: PlacementForm = {
      ...formOf(placement, nick),
      buyerId: [buyerId, personId].find(buys) ?? '',
      creativeId:
        creativeId !== noCreative && choices.creatives.some(({ value }) => value === creativeId) ? creativeId : '',
      date: today,
      leads: '0',
      paymentStatus: 'unpaid',
      comment: '',
      postUrl: '',
    };
    const [wrong] = formErrors(campaignId, form);
    if (wrong === undefined) forms.push(form);
    else reasons.add(wrong.field === 'buyerId' ? 'за этого байера размещение не добавить' : wrong.message);
  }
  return { forms, skipped: rows.length - forms.length, reasons: [...reasons] };
};

import { noCreative } from '@zakup/domain/placement/events';
import type { PartDraft } from '../../../shared/outbox/batch.ts';
import { roubles } from '../../../shared/money/roubles.ts';
import { draftsFor } from '../rows/block-changes.ts';
import { fieldName, fieldText } from '../rows/placement-commands.ts';
import type { Names } from '../rows/placement-row.ts';
import type { Addition, PastePlan } from './paste-plan.ts';

const additionDraft = ({ contractor, buyerId, category, date, members }: Addition, campaignId: string): PartDraft => {
  const { price = 0, creativeId = noCreative, ...rest } = members;
  return {
    target: { kind: 'placement', id: null },
    method: 'POST',
    path: '/api/placements',
    body: { campaignId, contractor, buyerId, category, date, price, creativeId, ...rest },
    baseRevision: null,
    label: `Размещение ${contractor}, ${roubles(Number(price))}`,
    scope: `campaign:${campaignId}`,
  };
};

/** Of the placement that the part at this place makes. */
const laterDraft = ({ later }: Addition, part: number, campaignId: string, names: Names): PartDraft => ({
  target: { kind: 'placement', id: null, part },
  method: 'PATCH',
  path: '/api/placements/{id}',
  body: later,
  baseRevision: null,
  label: Object.entries(later)
    .map(([field, value]) => `${fieldName(field)}: ${fieldText(field, value, names)}`)
    .join(', '),
  scope: `campaign:${campaignId}`,
});

/**
 * The commands of a paste: one for each placement that changes, one more for its payment, one for each that is made, in its order, and behind
 * them one for each of these for what a new one cannot have.
 */
export const pasteDrafts = (
  { changes, additions }: Pick<PastePlan, 'changes' | 'additions'>,
  campaignId: string,
  names: Names,
): readonly PartDraft[] => {
  const changed = changes.flatMap(({ row, body }) => draftsFor(row, body, names));
  const made = additions.map((addition) => additionDraft(addition, campaignId));
  const later = additions.flatMap((addition, at) =>
    Object.keys(addition.later).length > 0 ? [laterDraft(addition, changed.length + at, campaignId, names)] : [],
  );
  return [...changed, ...made, ...later];
};

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

/** The commands of a paste, in its order: one for each placement that changes or is made, one more for its payment, or for what a new one cannot have. */
export const pasteDrafts = (
  { changes, additions }: Pick<PastePlan, 'changes' | 'additions'>,
  campaignId: string,
  names: Names,
): readonly PartDraft[] => {
  const drafts: PartDraft[] = changes.flatMap(({ row, body }) => draftsFor(row, body, names));
  for (const addition of additions) {
    drafts.push(additionDraft(addition, campaignId));
    if (Object.keys(addition.later).length > 0) drafts.push(laterDraft(addition, drafts.length - 1, campaignId, names));
  }
  return drafts;
};

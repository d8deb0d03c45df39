import type { ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { isFormat, isTopic } from '@zakup/domain/topics';
import { useState } from 'react';
import { newestFirst } from '../../../shared/contractor/newest-first.ts';
import { dayText } from '../../../shared/day/day-text.ts';
import { useScope } from '../../../shared/live/live-context.tsx';
import { useDocs, useDrawn } from '../../../shared/replica/replica-context.tsx';
import type { PlacementForm } from './placement-form.ts';

/** What a form takes over from the last deal with a contractor. */
export type Proposal = Partial<Pick<PlacementForm, 'format' | 'price' | 'category'>>;

/** A deal for nothing proposes no price, and what is no format or topic any more is not proposed. */
export const proposalOf = ({ format, price, category }: PlacementWire): Proposal => ({
  ...(isFormat(format) && { format }),
  ...(price > 0 && { price: String(price) }),
  ...(isTopic(category) && { category }),
});

/** `как в прошлый раз, 12.10.2026`. */
export const lastTime = ({ date }: PlacementWire): string => `как в прошлый раз, ${dayText(date)}`;

export interface LastDeal {
  /** Null = there is none, or it is on its way. */
  readonly deal: PlacementWire | null;
  readonly isComing: boolean;
}

/**
 * The contractor's last deal (ADD-12) in any campaign that the person may see, as it was when it came: what is proposed does not change
 * under their hands.
 */
export const useLastDeal = (contractor: ContractorWire | null): LastDeal => {
  const scope = contractor !== null && contractor.totalPlacements > 0 ? `contractor:${contractor.id}` : null;
  useScope(scope);
  const drawn = useDrawn(scope);
  const placements = useDocs('placement', { scope: scope ?? 'contractor:' });
  const [known, setKnown] = useState<{ readonly scope: string | null; readonly last: PlacementWire | null }>({
    scope: null,
    last: null,
  });
  if (known.scope !== scope && (scope === null || drawn))
    setKnown({ scope, last: scope === null ? null : (newestFirst(placements)[0] ?? null) });
  return known.scope === scope ? { deal: known.last, isComing: false } : { deal: null, isComing: scope !== null };
};

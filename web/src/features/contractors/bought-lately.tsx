import { WarningSign } from '@blueprintjs/icons';
import type { PlacementWire, UserWire } from '@zakup/contracts/wire-entities';
import { formatRoubles } from '@zakup/domain/money';
import { money } from '../../shared/campaign/figures.ts';
import { buyerName } from '../../shared/contractor/buyer-name.ts';
import { boughtByAnother, daysAgo, isLately } from '../../shared/contractor/deal-labels.ts';
import { newestFirst } from '../../shared/contractor/newest-first.ts';
import { showDate } from '../../shared/day/shown-day.ts';
import { useToday } from '../../shared/moment/moment-context.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { PlacementFigure } from '../../shared/explanations/placement-figure.tsx';

const buys: ReadonlySet<UserWire['role']> = new Set(['MEDIA_BUYER', 'TEAM_LEAD']);

/** Says that somebody else bought the contractor lately: than who looks, or, for those who do not buy, than who bought it last. */
export const BoughtLately = ({ placements }: { readonly placements: readonly PlacementWire[] }) => {
  const { actor } = useRights();
  const users = useDocs('user');
  const creatives = useDocs('creative');
  const today = useToday();
  const sorted = newestFirst(placements);
  const buyerId = buys.has(actor.role) ? actor.userId : (sorted[0]?.buyerId ?? '');
  const another = boughtByAnother(sorted, buyerId);
  if (another === null || !isLately(another.date, today)) return null;
  const creative = creatives.find(({ id }) => id === another.creativeId);
  return (
    <p className="z-contractor-warning z-contractor-lately">
      <WarningSign size={14} />
      <span>
        <b>Куплено другим байером {daysAgo(another.date, today)}.</b> {buyerName(users, another.buyerId)},{' '}
        {showDate(another.date)},{' '}
        <PlacementFigure placement={{ ...another, placementId: another.id }} figure="spent">
          {formatRoubles(money(another.price))}
        </PlacementFigure>
        {creative && `, ${creative.name}`}
      </span>
    </p>
  );
};

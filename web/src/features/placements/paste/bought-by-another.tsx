import { buyerName } from '../../../shared/contractor/buyer-name.ts';
import { boughtByAnother, daysAgo } from '../../../shared/contractor/deal-labels.ts';
import { newestFirst } from '../../../shared/contractor/newest-first.ts';
import { useScope } from '../../../shared/live/live-context.tsx';
import { useDocs } from '../../../shared/replica/replica-context.tsx';

/** Says who else bought of a contractor, and when. Days as `YYYY-MM-DD`. */
export const BoughtByAnother = ({
  contractorId,
  buyerId,
  today,
}: {
  readonly contractorId: string;
  readonly buyerId: string;
  readonly today: string;
}) => {
  const scope = `contractor:${contractorId}`;
  useScope(scope);
  const placements = useDocs('placement', { scope });
  const users = useDocs('user');
  const another = boughtByAnother(newestFirst(placements), buyerId);
  return (
    another && (
      <span className="z-mid">
        Куплено другим байером {daysAgo(another.date, today)}: {buyerName(users, another.buyerId)}
      </span>
    )
  );
};

import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { showCpl } from '@zakup/domain/analytics/cpl';
import { showDate } from '../../../shared/day/shown-day.ts';
import { fromRoubles, kopecks, parseRoubles } from '@zakup/domain/money';
import { formatNumber, plural } from '@zakup/domain/russian';
import { buyerName } from '../../../shared/contractor/buyer-name.ts';
import { DealTable } from '../../../shared/contractor/deal-table.tsx';
import { newestFirst } from '../../../shared/contractor/newest-first.ts';
import { useScope } from '../../../shared/live/live-context.tsx';
import { ScopeWaiting } from '../../../shared/live/scope-waiting.tsx';
import { useDocs, useDrawn } from '../../../shared/replica/replica-context.tsx';
import { againstLast, boughtByAnother, daysAgo } from '../../../shared/contractor/deal-labels.ts';
import { roubles } from '../../../shared/money/roubles.ts';

const lastCount = 5;

export interface ContractorDealsProps {
  readonly contractor: ContractorWire;
  /** The price that is agreed, as typed. */
  readonly price: string;
  /** Who buys; blank = not chosen yet. */
  readonly buyerId: string;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** Averages of a contractor, the last price against the one entered, who bought when, and the last five placements. */
export const ContractorDeals = ({ contractor, price, buyerId, today }: ContractorDealsProps) => {
  const scope = `contractor:${contractor.id}`;
  const status = useScope(scope);
  const drawn = useDrawn(scope);
  const placements = useDocs('placement', { scope });
  const users = useDocs('user');
  const sorted = newestFirst(placements);
  const [last] = sorted;
  const compared =
    last && againstLast(fromRoubles(last.price) ?? kopecks(0), price === '' ? null : parseRoubles(price));
  const another = boughtByAnother(sorted, buyerId);
  const count = contractor.totalPlacements;
  return (
    <>
      <p>
        {formatNumber(count)} {plural(count, 'размещение', 'размещения', 'размещений')} · средняя цена{' '}
        {roubles(contractor.averagePlacementPrice)} · средний CPL{' '}
        {showCpl(fromRoubles(contractor.totalSpent) ?? kopecks(0), contractor.totalLeads)}
        {contractor.lastUsed !== null && ` · последнее ${showDate(contractor.lastUsed)}`}
      </p>
      {last === undefined ? (
        (!drawn || status.kind === 'refused') && <ScopeWaiting status={status} rows={3} height={24} />
      ) : (
        <>
          <p>
            Последняя цена <b>{roubles(last.price)}</b>, {daysAgo(last.date, today)}
            {compared && (
              <>
                : <b className={compared.tone === null ? undefined : `z-${compared.tone}`}>{compared.text}</b>
              </>
            )}
          </p>
          {another && (
            <p className="z-mid">
              Куплено другим байером {daysAgo(another.date, today)}: {buyerName(users, another.buyerId)}
            </p>
          )}
          <div className="z-table-scroll">
            <DealTable
              label="Последние размещения у контрагента"
              placements={sorted.slice(0, lastCount)}
              columns={['date', 'price', 'leads', 'cpl', 'buyer', 'campaign']}
              dayText={showDate}
            />
          </div>
        </>
      )}
    </>
  );
};

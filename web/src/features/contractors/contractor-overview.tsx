import type { ContractorWire, PlacementWire } from '@zakup/contracts/entities';
import { cplClass, cplClassLabels } from '@zakup/domain/analytics/cpl';
import { formatRoubles } from '@zakup/domain/money';
import { formatNumber, formatPercent, plural } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { useId } from 'react';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { Metric, MetricStrip } from '../../shared/ui/page.tsx';
import { cplToneOf, type Group, groupBy, kopecksOf, lastPriceOf, newestFirst } from './contractor-figures.ts';
import { CplValue } from './cpl-value.tsx';

const limitNotes = { good: 'ниже 100 ₽', middle: '100–200 ₽', bad: 'выше 200 ₽', none: cplClassLabels.none } as const;

const GroupTable = ({
  title,
  groups,
  nameOf,
}: {
  readonly title: string;
  readonly groups: readonly Group[];
  readonly nameOf: (id: string) => string;
}) => {
  const titleId = useId();
  return (
    <section className="z-contractor-group">
      <h3 id={titleId}>{title}</h3>
      <div className="z-table-scroll">
        <table className="z-table" aria-labelledby={titleId}>
          <thead>
            <tr>
              <th scope="col">
                <span className="z-visually-hidden">Название</span>
              </th>
              <th scope="col" className="z-right">
                Разм.
              </th>
              <th scope="col" className="z-right">
                Расход
              </th>
              <th scope="col" className="z-right">
                Приход
              </th>
              <th scope="col" className="z-right">
                CPL
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.id}>
                <th scope="row">{nameOf(group.id)}</th>
                <td className="z-right">{formatNumber(group.placements)}</td>
                <td className="z-right">{formatRoubles(group.spent)}</td>
                <td className="z-right">{formatNumber(group.leads)}</td>
                <td className="z-right">
                  <CplValue spent={group.spent} leads={group.leads} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};

/** What the contractor has cost and brought, whole and by campaign and buyer. */
export const ContractorOverview = ({
  contractor,
  placements,
}: {
  readonly contractor: ContractorWire;
  readonly placements: readonly PlacementWire[];
}) => {
  const campaigns = useDocs('campaign');
  const users = useDocs('user');
  const spent = kopecksOf(contractor.totalSpent);
  const leads = contractor.totalLeads;
  const count = contractor.totalPlacements;
  const rank = cplClass(spent, leads);
  const byCampaign = groupBy(placements, ({ campaignId }) => campaignId);
  const byBuyer = groupBy(placements, ({ buyerId }) => buyerId);
  const last = lastPriceOf(newestFirst(placements));
  const campaignName = (id: string): string => showCampaignName(campaigns.find((one) => one.id === id)?.name ?? '');
  const buyerName = (id: string): string => users.find((one) => one.id === id)?.name ?? 'Неизвестный байер';
  return (
    <>
      <MetricStrip label="Итоги по контрагенту">
        <Metric
          label="Потрачено"
          value={formatRoubles(spent)}
          note={
            count > 0 ? `средняя цена ${formatRoubles(kopecksOf(contractor.averagePlacementPrice))}` : 'пока ничего'
          }
        />
        <Metric
          label="Приход"
          value={formatNumber(leads)}
          note={count > 0 ? `по ${formatNumber(Math.round(leads / count))} на размещение` : undefined}
        />
        <Metric
          label="Размещения"
          value={formatNumber(count)}
          note={
            byCampaign.length > 0
              ? `${byCampaign.length} ${plural(byCampaign.length, 'кампания', 'кампании', 'кампаний')}`
              : undefined
          }
        />
        <Metric
          label="Средний CPL"
          tone={cplToneOf({ spent, leads }) ?? undefined}
          value={rank === 'none' ? '—' : <CplValue spent={spent} leads={leads} />}
          note={limitNotes[rank]}
        />
        {last !== null && (
          <Metric
            label="Последняя цена"
            value={formatRoubles(last.price)}
            note={
              last.change === null ? undefined : last.change === 0 ? (
                'как в прошлый раз'
              ) : (
                <span className={last.change > 0 ? 'z-mid' : 'z-good'}>
                  {last.change > 0 ? '▲' : '▼'} {formatPercent(Math.abs(last.change))} к прошлой
                </span>
              )
            }
          />
        )}
      </MetricStrip>
      {placements.length > 0 && (
        <div className="z-contractor-groups">
          <GroupTable title="По кампаниям" groups={byCampaign} nameOf={campaignName} />
          <GroupTable title="По байерам" groups={byBuyer} nameOf={buyerName} />
        </div>
      )}
    </>
  );
};

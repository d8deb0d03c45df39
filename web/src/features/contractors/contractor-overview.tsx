import type { ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { cplClass, cplClassLabels, showCpl } from '@zakup/domain/analytics/cpl';
import { explainFigure, figureTitles } from '@zakup/domain/analytics/figures';
import type { Sums } from '@zakup/domain/analytics/sums';
import { formatRoubles } from '@zakup/domain/money';
import { formatNumber, formatPercent, plural } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import type { ReactNode } from 'react';
import { CplValue } from '../../shared/campaign/cpl-value.tsx';
import { cplTone, money } from '../../shared/campaign/figures.ts';
import { operandsOf } from '../../shared/campaign/operands.ts';
import { shortCampaignName } from '../../shared/campaign/short-campaign-name.ts';
import { SumsTable } from '../../shared/explanations/sums-table.tsx';
import { buyerName } from '../../shared/contractor/buyer-name.ts';
import { newestFirst } from '../../shared/contractor/newest-first.ts';
import { useNowDoc } from '../../shared/moment/moment-context.ts';
import { OfNow } from '../../shared/moment/now-word.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { Metric, MetricStrip } from '../../shared/ui/page.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';
import { BoughtLately } from './bought-lately.tsx';
import { DealCharts } from './deal-charts.tsx';
import { type Group, groupBy, type LastPrice, lastPriceOf } from './contractor-figures.ts';

const limitNotes = { good: 'ниже 100 ₽', middle: '100–200 ₽', bad: 'выше 200 ₽', none: cplClassLabels.none } as const;

type ContractorFigureName = 'spent' | 'leads' | 'placements' | 'cpl' | 'averagePrice';

const formulaOf = (figure: ContractorFigureName, figures: Sums): string =>
  explainFigure(figure, operandsOf(figures)).formula;

/** Of the newest placement, against the one before it. */
const LastPriceMetric = ({ contractorId, last }: { readonly contractorId: string; readonly last: LastPrice }) => (
  <Metric
    label="Последняя цена"
    value={
      <Figure
        label="Последняя цена"
        formula="цена последнего по дате размещения"
        about={{ of: 'contractor', id: contractorId, figure: 'spent', placementId: last.placementId }}
      >
        {formatRoubles(last.price)}
      </Figure>
    }
    note={
      last.change === null ? undefined : last.change === 0 ? (
        'как в прошлый раз'
      ) : (
        <span className={last.change > 0 ? 'z-mid' : 'z-good'}>
          {last.change > 0 ? '▲' : '▼'}{' '}
          <Figure
            label="К прошлой цене"
            formula={`${formatRoubles(last.price)} против ${formatRoubles(last.previous)} за размещение перед ним`}
            about={{ of: 'contractor', id: contractorId, figure: 'averagePrice' }}
          >
            {formatPercent(Math.abs(last.change))}
          </Figure>{' '}
          к прошлой
        </span>
      )
    }
  />
);

/** The same by campaign and by buyer. */
const ContractorGroups = ({
  contractorId,
  byCampaign,
  placements,
}: {
  readonly contractorId: string;
  readonly byCampaign: readonly Group[];
  readonly placements: readonly PlacementWire[];
}) => {
  const campaigns = useDocs('campaign');
  const users = useDocs('user');
  const channels = useDocs('channel');
  const campaignName = (id: string): string => showCampaignName(campaigns.find((one) => one.id === id)?.name ?? '');
  const wordsOf = (id: string): string => {
    const channelId = campaigns.find((one) => one.id === id)?.channelId;
    return shortCampaignName(campaignName(id), channels.find((one) => one.id === channelId)?.name);
  };
  /** Shortened only where nothing else here is called that. */
  const shownCampaign = (id: string): string =>
    byCampaign.some((other) => other.id !== id && wordsOf(other.id) === wordsOf(id)) ? campaignName(id) : wordsOf(id);
  return (
    <div className="z-contractor-groups">
      <SumsTable
        title="По кампаниям"
        lines={byCampaign.map((group) => ({
          ...group,
          name: campaignName(group.id),
          shownName: shownCampaign(group.id),
          about: { of: 'campaign', id: group.id, contractorId },
        }))}
      />
      <SumsTable
        title="По байерам"
        lines={groupBy(placements, ({ buyerId }) => buyerId).map((group) => ({
          ...group,
          name: buyerName(users, group.id),
          about: { of: 'contractor', id: contractorId, userId: group.id },
        }))}
      />
    </div>
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
  const spent = money(contractor.totalSpent);
  const leads = contractor.totalLeads;
  const count = contractor.totalPlacements;
  const rank = cplClass(spent, leads);
  const byCampaign = groupBy(placements, ({ campaignId }) => campaignId);
  const last = lastPriceOf(newestFirst(placements));
  const present = useNowDoc('contractor', contractor.id);
  const noteOf = (now: string | false | null, otherwise: ReactNode): ReactNode =>
    now ? <OfNow>{now}</OfNow> : otherwise;
  const why = (figure: ContractorFigureName, content: ReactNode) => (
    <Figure
      label={figureTitles[figure]}
      formula={formulaOf(figure, { spent, leads, placements: count })}
      about={{ of: 'contractor', id: contractor.id, figure }}
    >
      {content}
    </Figure>
  );
  return (
    <>
      <MetricStrip label="Итоги по контрагенту">
        <Metric
          label="Потрачено"
          value={why('spent', formatRoubles(spent))}
          note={noteOf(
            present && formatRoubles(money(present.totalSpent)),
            count > 0 ? (
              <>средняя цена {why('averagePrice', formatRoubles(money(contractor.averagePlacementPrice)))}</>
            ) : (
              'пока ничего'
            ),
          )}
        />
        <Metric
          label="Приход"
          value={why('leads', formatNumber(leads))}
          note={noteOf(
            present && formatNumber(present.totalLeads),
            count > 0 ? `по ${formatNumber(Math.round(leads / count))} на размещение` : undefined,
          )}
        />
        <Metric
          label="Размещения"
          value={why('placements', formatNumber(count))}
          note={noteOf(
            present && formatNumber(present.totalPlacements),
            byCampaign.length > 0
              ? `${formatNumber(byCampaign.length)} ${plural(byCampaign.length, 'кампания', 'кампании', 'кампаний')}`
              : undefined,
          )}
        />
        <Metric
          label="Средний CPL"
          tone={cplTone(spent, leads) ?? undefined}
          value={why('cpl', rank === 'none' ? '—' : <CplValue spent={spent} leads={leads} />)}
          note={noteOf(present && showCpl(money(present.totalSpent), present.totalLeads), limitNotes[rank])}
        />
        {last !== null && <LastPriceMetric contractorId={contractor.id} last={last} />}
      </MetricStrip>
      <BoughtLately placements={placements} />
      {placements.length > 0 && <DealCharts contractor={contractor} placements={placements} />}
      {placements.length > 0 && (
        <ContractorGroups contractorId={contractor.id} byCampaign={byCampaign} placements={placements} />
      )}
    </>
  );
};

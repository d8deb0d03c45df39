import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { defaultLeadValue } from '@zakup/domain/analytics/indicators';
import { noCreative } from '@zakup/domain/placement/events';
import { showCampaignName } from '@zakup/domain/topics';
import { money } from '../../shared/campaign/figures.ts';
import { campaignOperands } from '../../shared/campaign/operands.ts';
import { periodText } from '../../shared/campaign/period-text.ts';
import { StatusChip } from '../../shared/campaign/status-chip.tsx';
import { useScope } from '../../shared/live/live-context.tsx';
import { ScopeWaiting } from '../../shared/live/scope-waiting.tsx';
import { PastButton } from '../../shared/time-travel/past-button.tsx';
import { useThenSuffix } from '../../shared/moment/then-name.ts';
import { useDoc, useDocs } from '../../shared/replica/replica-context.tsx';
import { ErrorBoundary } from '../../shared/ui/error-boundary.tsx';
import { PageHeader } from '../../shared/ui/page.tsx';
import { EmptyState, Skeleton } from '../../shared/ui/states.tsx';
import { BudgetCard } from './budget-card.tsx';
import { BuyersCard } from './buyers-card.tsx';
import { CreativesCard } from './creatives-card.tsx';
import { DaysCard } from './days-card.tsx';
import { KeyIndicators } from './key-indicators.tsx';
import { PricesCard } from './prices-card.tsx';
import { ReportMetrics } from './report-metrics.tsx';
import { KindNote } from '../../shared/explanations/figure-kind.tsx';

/** The report of one campaign, live. */
export const Report = ({ campaign, today }: { readonly campaign: CampaignWire; readonly today: string }) => {
  const status = useScope(`campaign:${campaign.id}`);
  useScope('me');
  const analytics = useDoc('analytics', campaign.id);
  const [licence] = useDocs('license');
  const suffix = useThenSuffix();

  if (status.kind === 'refused') return <ScopeWaiting status={status} />;
  const head = (
    <PageHeader
      title={showCampaignName(campaign.name)}
      aside={
        <>
          <StatusChip status={campaign.status} />
          <span className="z-secondary">{periodText(campaign, today)}</span>
          <KindNote campaignId={campaign.id} />
        </>
      }
      actions={<PastButton campaignId={campaign.id} />}
    />
  );
  if (!analytics)
    return (
      <>
        {head}
        <Skeleton rows={1} height={56} label="Загрузка показателей" />
        <Skeleton rows={1} height={300} label="Загрузка отчёта" />
      </>
    );

  const leadValue = licence ? money(licence.settings.leadValue) : defaultLeadValue;
  const operands = campaignOperands(analytics.summary, {
    buyers: analytics.byBuyer.length,
    creatives: analytics.byCreative.filter(({ creativeId }) => creativeId !== noCreative).length,
    leadValue,
  });
  const fileName = showCampaignName(campaign.name).replaceAll(/[^\p{L}\p{N}]+/gu, '-') + suffix;
  const ranked = { campaignId: campaign.id, analytics, leadValue, fileName };
  return (
    <>
      {head}
      <ErrorBoundary small>
        <ReportMetrics campaignId={campaign.id} analytics={analytics} operands={operands} />
      </ErrorBoundary>
      {analytics.summary.totalPlacements === 0 ? (
        <EmptyState title="Размещений ещё нет">Отчёт появится с первым размещением кампании.</EmptyState>
      ) : (
        <div className="z-report">
          <div className="z-report-column">
            <ErrorBoundary small>
              <DaysCard analytics={analytics} fileName={fileName} />
            </ErrorBoundary>
            <ErrorBoundary small>
              <BuyersCard {...ranked} />
            </ErrorBoundary>
            <ErrorBoundary small>
              <CreativesCard {...ranked} />
            </ErrorBoundary>
          </div>
          <div className="z-report-column">
            <ErrorBoundary small>
              <BudgetCard campaign={campaign} analytics={analytics} today={today} fileName={fileName} />
            </ErrorBoundary>
            <ErrorBoundary small>
              <PricesCard campaignId={campaign.id} analytics={analytics} fileName={fileName} />
            </ErrorBoundary>
          </div>
          <ErrorBoundary small>
            <KeyIndicators campaignId={campaign.id} operands={operands} />
          </ErrorBoundary>
        </div>
      )}
    </>
  );
};

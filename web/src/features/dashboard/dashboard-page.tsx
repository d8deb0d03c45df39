import type { CampaignWire, EarningsWire } from '@zakup/contracts/entities';
import { may } from '@zakup/domain/permissions';
import { showCampaignName } from '@zakup/domain/topics';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import { PlacementsSlot } from '../../shared/dialogs/placements-slot.tsx';
import { useLive, useScope } from '../../shared/live/live-context.tsx';
import { useAsker } from '../../shared/live/use-may.ts';
import { useMoment, useToday } from '../../shared/past/moment-context.ts';
import { useDoc, useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';
import { useTitle } from '../../shared/ui/use-title.ts';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { CampaignHeader } from './campaign-header.tsx';
import { CompletedNotice } from './completed-notice.tsx';
import { CreativeCards } from './creative-cards.tsx';
import './dashboard.css';
import { EmployeeCards } from './employee-cards.tsx';
import { creativeFigures, employeeFigures, withoutCreativeCount } from '../../shared/campaign/figures.ts';
import { CampaignMetrics } from './metric-strip.tsx';
import { NoCampaign } from './no-campaign.tsx';
import { useCurrentCampaign } from './use-current-campaign.ts';

const metricsHeight = 76;

/** Figures of one campaign; `null` documents are still on their way. */
const CampaignSummary = ({ campaign, today }: { readonly campaign: CampaignWire; readonly today: string }) => {
  const scope = `campaign:${campaign.id}`;
  const status = useScope(scope);
  const live = useLive();
  const analytics = useDoc('analytics', campaign.id);
  const users = useDocs('user');
  const creatives = useDocs('creative');
  // Where others' earnings are hidden, one's own come with `me`.
  useScope('me');
  const ofCampaign = useCallback((one: EarningsWire) => one.campaignId === campaign.id, [campaign.id]);
  const earnings = useDocs('earnings', { where: ofCampaign });
  const placements = useDocs('placement', { scope });
  const withoutLeads = useMemo(() => placements.filter((placement) => placement.leads === 0).length, [placements]);
  const employees = useMemo(
    () => employeeFigures(campaign, analytics, users, earnings),
    [campaign, analytics, users, earnings],
  );
  const cards = useMemo(() => creativeFigures(analytics, creatives), [analytics, creatives]);
  if (status.kind === 'refused')
    return (
      <ErrorState
        error={
          new ApiProblem({
            code: status.problem.code,
            status: status.problem.status,
            message: status.problem.error,
            requestId: status.problem.instance,
          })
        }
        onRetry={() => live.retryNow()}
      />
    );
  if (!analytics) return <Skeleton rows={1} height={metricsHeight} label="Загрузка показателей" />;
  return (
    <>
      <CampaignMetrics campaign={campaign} analytics={analytics} withoutLeads={withoutLeads} today={today} />
      <EmployeeCards campaignId={campaign.id} employees={employees} />
      <CreativeCards campaignId={campaign.id} creatives={cards} without={withoutCreativeCount(analytics)} />
    </>
  );
};

/** The first screen: the current campaign with its figures and placements, or the way to one. */
export const DashboardPage = () => {
  const drawn = useDrawn('workspace');
  const channels = useDocs('channel');
  const campaigns = useDocs('campaign');
  const [campaign, choose] = useCurrentCampaign(campaigns);
  const asker = useAsker();
  const [adding, setAdding] = useState(false);
  const today = useToday();
  const moment = useMoment();

  const mayAdd =
    campaign !== null &&
    campaign.status !== 'COMPLETED' &&
    asker !== null &&
    may(asker, 'placement.add', 'some').allowed;
  const channelName = channels.find((channel) => channel.id === campaign?.channelId)?.name ?? '';
  const title = campaign ? showCampaignName(campaign.name) : 'Дашборд';

  useTitle(title);

  useEffect(() => {
    if (!mayAdd) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      // By code: the same key in every keyboard layout.
      const add = event.code === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!add || event.defaultPrevented || document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      event.preventDefault();
      setAdding(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [mayAdd]);

  if (!drawn && campaigns.length === 0)
    return (
      <div className="z-page z-dashboard">
        <Skeleton rows={6} label="Загрузка" />
      </div>
    );
  const sorted = channels.toSorted((a, b) => a.name.localeCompare(b.name, 'ru'));
  return (
    <div className="z-page z-dashboard">
      <CampaignHeader
        channels={sorted}
        campaigns={campaigns}
        campaign={campaign}
        today={today}
        onChoose={choose}
        onAdd={mayAdd ? () => setAdding(true) : null}
      />
      {campaign ? (
        <>
          {campaign.status === 'COMPLETED' && <CompletedNotice campaign={campaign} />}
          <CampaignSummary key={`summary ${campaign.id}`} campaign={campaign} today={today} />
          <PlacementsSlot
            key={campaign.id}
            campaign={campaign}
            channelName={channelName}
            adding={adding}
            onAddingChange={setAdding}
          />
        </>
      ) : moment !== null ? (
        <EmptyState title="Тогда этой кампании ещё не было">Выберите другую кампанию или другой момент.</EmptyState>
      ) : (
        <NoCampaign campaigns={campaigns} channels={sorted} />
      )}
    </div>
  );
};

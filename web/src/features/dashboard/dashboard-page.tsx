import type { CampaignWire, EarningsWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { may } from '@zakup/domain/permissions';
import { showCampaignName } from '@zakup/domain/topics';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useCampaignPreview } from '../../shared/campaign/use-campaign-preview.ts';
import { useOnAddPlacement } from '../../shared/dialogs/add-placement-requests.ts';
import { PlacementsSlot } from '../../shared/dialogs/placements-slot.tsx';
import { useAsker } from '../../shared/live/use-may.ts';
import { ScopeWaiting } from '../../shared/live/scope-waiting.tsx';
import { useMoment, useToday } from '../../shared/moment/moment-context.ts';
import { useScope } from '../../shared/live/live-context.tsx';
import { useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';
import { movedWithoutLeads } from '../../shared/predictions/predicted-totals.ts';
import { usePredictedCampaign } from '../../shared/predictions/use-predicted-campaign.ts';
import { countKeeper } from '../../shared/table/incremental-list.ts';
import { useTitle } from '../../shared/moment/use-title.ts';
import { ErrorBoundary } from '../../shared/ui/error-boundary.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { CampaignHeader } from './campaign-header.tsx';
import { CompletedNotice } from './completed-notice.tsx';
import { CompletionNote } from './completion-note.tsx';
import { CreativeCards } from './creative-cards.tsx';
import './dashboard.css';
import { EmployeeCards } from './employee-cards.tsx';
import { creativeFigures, employeeFigures, withoutCreativeCount } from '../../shared/campaign/figures.ts';
import { CampaignMetrics } from './campaign-metrics.tsx';
import { NoCampaign } from './no-campaign.tsx';
import { PredictedScreen } from '../../shared/explanations/figure-kind.tsx';
import { useCurrentCampaign } from './use-current-campaign.ts';

const metricsHeight = 76;
const isWithoutLeads = ({ leads }: PlacementWire): boolean => leads === 0;

/**
 * Figures of one campaign; `null` documents are still on their way. They are asked for meanwhile: they are there long before a campaign of
 * 100,000 placements is. `children` stand below, and wait for all figures: nothing moves down.
 */
const CampaignSummary = ({
  campaign,
  today,
  children,
}: {
  readonly campaign: CampaignWire;
  readonly today: string;
  readonly children: ReactNode;
}) => {
  const scope = `campaign:${campaign.id}`;
  const status = useScope(scope);
  const drawn = useDrawn(scope);
  const now = useMoment() === null;
  const asked = useCampaignPreview(campaign.id, status.kind === 'refused');
  const { analytics, moving } = usePredictedCampaign(campaign.id);
  const summary = analytics?.summary ?? asked;
  const users = useDocs('user');
  const creatives = useDocs('creative');
  // Where others' earnings are hidden, one's own come with `me`.
  useScope('me');
  const ofCampaign = useCallback((one: EarningsWire) => one.campaignId === campaign.id, [campaign.id]);
  const earnings = useDocs('earnings', { where: ofCampaign });
  const placements = useDocs('placement', { scope });
  const [count] = useState(() => countKeeper(isWithoutLeads));
  const withoutLeads = useMemo(() => count(placements), [count, placements]) + movedWithoutLeads(moving);
  const employees = useMemo(
    () => employeeFigures(campaign, analytics, users, earnings),
    [campaign, analytics, users, earnings],
  );
  const cards = useMemo(() => creativeFigures(analytics, creatives), [analytics, creatives]);
  return (
    <>
      {status.kind === 'refused' || !summary ? (
        <ScopeWaiting status={status} rows={1} height={metricsHeight} label="Загрузка показателей" />
      ) : (
        <ErrorBoundary small>
          <CampaignMetrics
            campaign={campaign}
            summary={summary}
            withoutLeads={drawn && analytics ? withoutLeads : null}
            arrivedToday={now ? (analytics?.byDay.find(({ date }) => date === today)?.leads ?? 0) : 0}
            today={today}
          />
        </ErrorBoundary>
      )}
      {status.kind !== 'refused' && analytics && (
        <>
          <ErrorBoundary small>
            <EmployeeCards campaignId={campaign.id} employees={employees} isWhole={drawn} />
          </ErrorBoundary>
          <ErrorBoundary small>
            <CreativeCards campaignId={campaign.id} creatives={cards} without={withoutCreativeCount(analytics)} />
          </ErrorBoundary>
        </>
      )}
      {status.kind !== 'refused' && summary && !analytics && (
        <ScopeWaiting status={status} counted rows={8} label="Загрузка размещений" />
      )}
      <div className="z-below-summary" hidden={!analytics && status.kind !== 'refused'}>
        {children}
      </div>
    </>
  );
};

/** Whether a campaign was completed when `key` came on screen, whatever has become of it since. */
const useWasCompleted = (key: string, isCompleted: boolean): boolean => {
  const [opened, setOpened] = useState({ key, isCompleted });
  if (opened.key === key) return opened.isCompleted;
  setOpened({ key, isCompleted });
  return isCompleted;
};

/** The first screen: the current campaign with its figures and placements, or the way to one. */
export const DashboardPage = () => {
  const status = useScope('workspace');
  const drawn = useDrawn('workspace');
  const channels = useDocs('channel');
  const campaigns = useDocs('campaign');
  const [campaign, choose] = useCurrentCampaign(campaigns);
  const asker = useAsker();
  const [adding, setAdding] = useState(false);
  const today = useToday();
  const moment = useMoment();
  const isCompleted = campaign?.status === 'COMPLETED';
  const wasCompleted = useWasCompleted(`${campaign?.id} ${moment?.at}`, isCompleted);

  const mayAdd =
    campaign !== null &&
    campaign.status !== 'COMPLETED' &&
    asker !== null &&
    may(asker, 'placement.add', 'some').allowed;
  const channelName = channels.find((channel) => channel.id === campaign?.channelId)?.name ?? '';
  const title = campaign ? showCampaignName(campaign.name) : 'Дашборд';

  useTitle(title);
  useOnAddPlacement(campaign === null ? null : mayAdd, () => setAdding(true));

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
        <ScopeWaiting status={status} rows={6} label="Загрузка" />
      </div>
    );
  const sorted = channels.toSorted((a, b) => a.name.localeCompare(b.name, 'ru'));
  const page = (
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
          {wasCompleted && <CompletedNotice campaign={campaign} />}
          <CompletionNote campaign={campaign} />
          <CampaignSummary key={campaign.id} campaign={campaign} today={today}>
            <PlacementsSlot
              campaign={campaign}
              channelName={channelName}
              notice={isCompleted && !wasCompleted && <CompletedNotice campaign={campaign} isLine />}
              adding={adding}
              onAddingChange={setAdding}
            />
          </CampaignSummary>
        </>
      ) : moment !== null ? (
        <EmptyState title="Тогда этой кампании ещё не было">Выберите другую кампанию или другой момент.</EmptyState>
      ) : (
        <NoCampaign campaigns={campaigns} channels={sorted} />
      )}
    </div>
  );
  return campaign === null ? page : <PredictedScreen campaignId={campaign.id}>{page}</PredictedScreen>;
};

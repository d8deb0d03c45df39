import { showCampaignName } from '@zakup/domain/topics';
import { useScope } from '../../shared/live/live-context.tsx';
import { ScopeWaiting } from '../../shared/live/scope-waiting.tsx';
import { useToday } from '../../shared/moment/moment-context.ts';
import { useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { useTitle } from '../../shared/moment/use-title.ts';
import './analytics.css';
import { CampaignRail } from './campaign-rail.tsx';
import { NothingToReport } from './nothing-to-report.tsx';
import { Report } from './report.tsx';
import { useSelection } from './use-selection.ts';

/** Pick a channel, then a campaign; its report beside them. */
export const AnalyticsPage = () => {
  const status = useScope('workspace');
  const drawn = useDrawn('workspace');
  const channels = useDocs('channel');
  const campaigns = useDocs('campaign');
  const selection = useSelection(channels, campaigns);
  const today = useToday();
  const { campaign } = selection;
  useTitle(campaign ? `Аналитика: ${showCampaignName(campaign.name)}` : 'Аналитика');

  if (!drawn && campaigns.length === 0)
    return (
      <div className="z-page">
        <ScopeWaiting status={status} rows={6} label="Загрузка" />
      </div>
    );
  if (channels.length === 0 || campaigns.length === 0)
    return (
      <div className="z-page z-analytics-none">
        <NothingToReport missing={channels.length === 0 ? 'channel' : 'campaign'} />
      </div>
    );
  return (
    <div className="z-analytics">
      <CampaignRail channels={channels} campaigns={campaigns} selection={selection} />
      <div className="z-page z-analytics-report">
        {campaign ? (
          <Report key={campaign.id} campaign={campaign} today={today} />
        ) : (
          <EmptyState level={1} title="Выберите кампанию">
            Сначала канал, потом кампания. Активные стоят первыми.
          </EmptyState>
        )}
      </div>
    </div>
  );
};

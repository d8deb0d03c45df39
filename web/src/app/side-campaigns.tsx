import { useQueries } from '@tanstack/react-query';
import type { AnalyticsWire, CampaignWire } from '@zakup/contracts/wire-entities';
import { budgetUsePercent } from '@zakup/domain/analytics/budget';
import { formatPercent } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { Link } from 'react-router-dom';
import { useApi } from '../shared/api/api-context.tsx';
import { inOrder } from '../shared/campaign/campaign-choice.ts';
import { CampaignFigure } from '../shared/explanations/campaign-figure.tsx';
import { campaignOperands } from '../shared/campaign/operands.ts';
import { shortCampaignName } from '../shared/campaign/short-campaign-name.ts';
import { summaryQuery } from '../shared/campaign/summary-query.ts';
import { money } from '../shared/money/roubles.ts';
import { usePredictedCampaign } from '../shared/predictions/use-predicted-campaign.ts';
import { PredictedScreen } from '../shared/explanations/figure-kind.tsx';
import { useMoment } from '../shared/moment/moment-context.ts';
import { useThenPath } from '../shared/moment/then-path.ts';
import { useBrought, useDocs, useDrawn, useReplica } from '../shared/replica/replica-context.tsx';

const shown = 6;
const minute = 60_000;

const isActive = ({ status }: CampaignWire): boolean => status === 'ACTIVE';

/**
 * Sums of campaigns with a budget: live where the line brings them, else as asked for a minute ago at most; of the past, as they were. Sums that
 * the line has taken away are of a campaign that was deleted, of which the sidebar is about to hear: the server has none either. So it may be
 * with a list that this browser kept, until the line has brought it.
 */
const useSums = (campaigns: readonly CampaignWire[]): ReadonlyMap<string, AnalyticsWire['summary']> => {
  const api = useApi();
  const replica = useReplica();
  const moment = useMoment();
  const at = moment?.position ?? null;
  const isBrought = useBrought('workspace');
  const known = moment === null ? isBrought : at !== null;
  const live = useDocs('analytics');
  const asked = useQueries({
    queries: campaigns.map(({ id }) => ({
      ...summaryQuery(api, id, at),
      enabled: known && !live.some((one) => one.id === id) && !replica.drawn(`campaign:${id}`),
      refetchInterval: moment === null ? minute : (false as const),
    })),
  });
  return new Map(
    campaigns.flatMap(({ id }, index) => {
      const summary = live.find((one) => one.id === id)?.summary ?? asked[index]?.data;
      return summary === undefined || summary.totalBudget === 0 ? [] : [[id, summary]];
    }),
  );
};

/** How much of its budget a campaign has used. */
const Used = ({
  campaignId,
  name,
  summary: asked,
}: {
  readonly campaignId: string;
  readonly name: string;
  readonly summary: AnalyticsWire['summary'] | undefined;
}) => {
  const summary = usePredictedCampaign(campaignId).analytics?.summary ?? asked;
  if (summary === undefined) return null;
  return (
    <small>
      <PredictedScreen campaignId={campaignId}>
        <CampaignFigure
          campaignId={campaignId}
          figure="budgetUse"
          operands={campaignOperands(summary)}
          label={`Использование бюджета, ${name}`}
        >
          {formatPercent(budgetUsePercent(money(summary.spentBudget), money(summary.totalBudget)))}
        </CampaignFigure>
      </PredictedScreen>
    </small>
  );
};

/** «Активные кампании» of the sidebar, each with how much of its budget is used. */
export const SideCampaigns = ({ onGo }: { readonly onGo?: (() => void) | undefined }) => {
  const active = inOrder(useDocs('campaign', { where: isActive }));
  const channels = useDocs('channel');
  const listed = active.slice(0, shown);
  const sums = useSums(listed);
  const then = useThenPath();
  const drawn = useDrawn('workspace');
  const isPast = useMoment() !== null;
  if (active.length === 0 && (isPast || !drawn)) return null;
  return (
    <nav aria-label="Активные кампании" className="z-side-campaigns">
      <h2>Активные кампании</h2>
      {active.length === 0 && <p className="z-secondary">Пока ни одной</p>}
      {listed.map(({ id, name, channelId }) => {
        const whole = showCampaignName(name);
        const channel = channels.find((one) => one.id === channelId)?.name;
        const own = shortCampaignName(name, channel);
        return (
          <div key={id} className="z-side-campaign">
            <Link to={then(`/dashboard?campaign=${encodeURIComponent(id)}`)} {...(onGo && { onClick: onGo })}>
              <span className="z-side-words" title={whole}>
                <span>{own}</span>
                {own !== whole && <span className="z-side-channel">{channel}</span>}
              </span>
            </Link>
            <Used campaignId={id} name={whole} summary={sums.get(id)} />
          </div>
        );
      })}
      {active.length > shown && (
        <Link to={then('/analytics')} {...(onGo && { onClick: onGo })}>
          <span>и ещё {active.length - shown}</span>
        </Link>
      )}
    </nav>
  );
};

import { useQueries } from '@tanstack/react-query';
import type { AnalyticsWire, CampaignWire } from '@zakup/contracts/entities';
import { budgetUsePercent } from '@zakup/domain/analytics/budget';
import { formatPercent } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { Link } from 'react-router-dom';
import { useApi } from '../shared/api/api-context.tsx';
import { inOrder } from '../shared/campaign/campaign-choice.ts';
import { money } from '../shared/campaign/figures.ts';
import { useDocs } from '../shared/replica/replica-context.tsx';

const shown = 6;
const minute = 60_000;

const isActive = ({ status }: CampaignWire): boolean => status === 'ACTIVE';

/** Percent of the budget used, by campaign: live where the line brings the sums, else as asked for a minute ago at most. */
const useUsed = (campaigns: readonly CampaignWire[]): ReadonlyMap<string, string> => {
  const api = useApi();
  const live = useDocs('analytics');
  const asked = useQueries({
    queries: campaigns.map(({ id }) => ({
      queryKey: ['campaign-analytics', id],
      enabled: !live.some((one) => one.id === id),
      refetchInterval: minute,
      staleTime: minute,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await api.get<Pick<AnalyticsWire, 'summary'>>(`/api/campaigns/${id}/analytics`, { signal })).data.summary,
    })),
  });
  return new Map(
    campaigns.flatMap(({ id }, index) => {
      const summary = live.find((one) => one.id === id)?.summary ?? asked[index]?.data;
      if (summary === undefined || summary.totalBudget === 0) return [];
      return [[id, formatPercent(budgetUsePercent(money(summary.spentBudget), money(summary.totalBudget)))]];
    }),
  );
};

/** «Активные кампании» of the sidebar, each with how much of its budget is used. */
export const SideCampaigns = ({ onGo }: { readonly onGo?: (() => void) | undefined }) => {
  const active = inOrder(useDocs('campaign', { where: isActive }));
  const listed = active.slice(0, shown);
  const used = useUsed(listed);
  if (active.length === 0) return null;
  return (
    <nav aria-label="Активные кампании" className="z-side-campaigns">
      <h2>Активные кампании</h2>
      {listed.map(({ id, name }) => (
        <Link key={id} to={`/dashboard?campaign=${encodeURIComponent(id)}`} {...(onGo && { onClick: onGo })}>
          <span title={showCampaignName(name)}>{showCampaignName(name)}</span>
          <small>{used.get(id)}</small>
        </Link>
      ))}
      {active.length > shown && (
        <Link to="/analytics" {...(onGo && { onClick: onGo })}>
          <span>и ещё {active.length - shown}</span>
        </Link>
      )}
    </nav>
  );
};

import type { CampaignWire, ChannelWire } from '@zakup/contracts/entities';
import { may } from '@zakup/domain/permissions';
import { formatRoubles, kopecks } from '@zakup/domain/money';
import { plural } from '@zakup/domain/russian';
import { useAsker } from '../../shared/live/use-may.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useGo } from '../../shared/ui/use-go.ts';
import { Metric, MetricStrip } from '../../shared/ui/page.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { Figure } from '../../shared/why/figure.tsx';
import { money } from '../../shared/campaign/figures.ts';

/** What stands where no campaign is active and none was chosen: four totals and where to go. */
export const NoCampaign = ({
  campaigns,
  channels,
}: {
  readonly campaigns: readonly CampaignWire[];
  readonly channels: readonly ChannelWire[];
}) => {
  const go = useGo();
  const asker = useAsker();
  const { permissions } = useSession();
  const count = (status: CampaignWire['status']): number =>
    campaigns.filter((campaign) => campaign.status === status).length;
  const completed = count('COMPLETED');
  const drafts = count('DRAFT');
  const budget = kopecks(campaigns.reduce((total, campaign) => total + money(campaign.totalBudget), 0));
  const [first] = channels;
  const mayCreate = asker !== null && may(asker, 'campaign.create').allowed;
  return (
    <>
      <MetricStrip label="Всего">
        <Metric
          label="Все кампании"
          value={
            <Figure
              label="Все кампании"
              formula={`активные ${count('ACTIVE')} + завершённые ${completed} + черновики ${drafts} = ${campaigns.length}`}
            >
              {campaigns.length}
            </Figure>
          }
          note={`${completed} ${plural(completed, 'завершена', 'завершены', 'завершено')}, ${drafts} ${plural(drafts, 'черновик', 'черновика', 'черновиков')}`}
        />
        <Metric
          label="Активные кампании"
          value={
            <Figure label="Активные кампании" formula="кампании со статусом «Активная»">
              {count('ACTIVE')}
            </Figure>
          }
          note="ни одной"
        />
        <Metric
          label="Каналы"
          value={
            <Figure label="Каналы" formula="все каналы, кроме удалённых">
              {channels.length}
            </Figure>
          }
          note={first ? (channels.length > 1 ? `${first.name} и ещё ${channels.length - 1}` : first.name) : 'ещё нет'}
        />
        <Metric
          label="Общий бюджет"
          value={
            <Figure label="Общий бюджет" formula={`бюджеты всех кампаний вместе: ${formatRoubles(budget)}`}>
              {formatRoubles(budget)}
            </Figure>
          }
          note="по всем кампаниям"
        />
      </MetricStrip>
      <EmptyState
        title="Нет активных кампаний"
        actions={
          <>
            {mayCreate && (
              <Button look="primary" onClick={() => go(`/settings?tab=${first ? 'campaigns' : 'channels'}`)}>
                Создать кампанию
              </Button>
            )}
            {permissions['analytics'] === true && <Button onClick={() => go('/analytics')}>Перейти к аналитике</Button>}
          </>
        }
      >
        {completed > 0 && `Откройте завершённую через выбор канала${mayCreate ? ' или начните новую' : ''}. `}
        Размещения появятся здесь сразу, как только кампания станет активной.
      </EmptyState>
    </>
  );
};

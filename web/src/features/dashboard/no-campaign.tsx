import type { CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import {
  explainLicenceFigure,
  type LicenceFigure,
  type LicenceOperands,
} from '@zakup/domain/analytics/licence-figures';
import { may } from '@zakup/domain/permissions';
import { kopecks } from '@zakup/domain/money';
import { plural } from '@zakup/domain/russian';
import { showDate } from '../../shared/day/shown-day.ts';
import { useToday } from '../../shared/moment/moment-context.ts';
import { useAsker } from '../../shared/live/use-may.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useGo } from '../../shared/ui/use-go.ts';
import { Metric, MetricStrip } from '../../shared/ui/page.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';
import { money } from '../../shared/campaign/figures.ts';

/** One of the totals, which tells what it is made of. */
const LicenceTotal = ({ figure, operands }: { readonly figure: LicenceFigure; readonly operands: LicenceOperands }) => {
  const { title, shown, formula } = explainLicenceFigure(figure, operands);
  return (
    <Figure label={title} formula={formula} about={{ of: 'license', figure }}>
      {shown}
    </Figure>
  );
};

/** When the last of them ended, of those whose end has passed. */
const lastEnd = (campaigns: readonly CampaignWire[], today: string): string | null =>
  campaigns.reduce<string | null>(
    (last, { status, endDate }) =>
      status === 'COMPLETED' && endDate !== null && endDate < today && (last === null || endDate > last)
        ? endDate
        : last,
    null,
  );

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
  const operands: LicenceOperands = {
    campaigns: campaigns.map(({ status, totalBudget }) => ({ status, totalBudget: money(totalBudget) })),
    channels: channels.length,
    leadValue: kopecks(0),
  };
  const completed = campaigns.filter(({ status }) => status === 'COMPLETED').length;
  const drafts = campaigns.filter(({ status }) => status === 'DRAFT').length;
  const ended = lastEnd(campaigns, useToday());
  const [first] = channels;
  const mayCreate = asker !== null && may(asker, 'campaign.create').allowed;
  return (
    <>
      <MetricStrip label="Всего">
        <Metric
          label="Все кампании"
          value={<LicenceTotal figure="campaigns" operands={operands} />}
          note={`${completed} ${plural(completed, 'завершена', 'завершены', 'завершено')}, ${drafts} ${plural(drafts, 'черновик', 'черновика', 'черновиков')}`}
        />
        <Metric
          label="Активные кампании"
          value={<LicenceTotal figure="activeCampaigns" operands={operands} />}
          note={ended === null ? 'ни одной' : `последняя закончилась ${showDate(ended)}`}
        />
        <Metric
          label="Каналы"
          value={<LicenceTotal figure="channels" operands={operands} />}
          note={first ? (channels.length > 1 ? `${first.name} и ещё ${channels.length - 1}` : first.name) : 'ещё нет'}
        />
        <Metric
          label="Общий бюджет"
          value={<LicenceTotal figure="budgets" operands={operands} />}
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

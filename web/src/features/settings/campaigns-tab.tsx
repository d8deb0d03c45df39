import { Edit, Plus, Trash } from '@blueprintjs/icons';
import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { parseDay } from '@zakup/domain/calendar';
import { showPeriod } from '../../shared/day/shown-day.ts';
import { formatNumber, plural } from '@zakup/domain/russian';
import { campaignStatusLabels, showCampaignName } from '@zakup/domain/topics';
import { useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { KeptMark } from '../../shared/kept/kept-mark.tsx';
import type { KeptDoc } from '../../shared/kept/kept-docs.ts';
import { useKeptDocs } from '../../shared/kept/use-kept-docs.ts';
import { useKeptSend } from '../../shared/kept/use-kept-send.ts';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip, type Tone } from '../../shared/ui/chip.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { CampaignDialog } from './campaign-dialog.tsx';
import { byName } from './channels-tab.tsx';
import { roubles } from '../../shared/money/roubles.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { ListBar } from '../../shared/ui/list-bar.tsx';
import { useGo } from '../../shared/ui/use-go.ts';

const tones: Readonly<Record<CampaignWire['status'], Tone>> = { ACTIVE: 'good', COMPLETED: 'neutral', DRAFT: 'accent' };
const order: Readonly<Record<CampaignWire['status'], number>> = { ACTIVE: 0, COMPLETED: 1, DRAFT: 2 };

const period = ({ startDate, endDate }: CampaignWire): string =>
  showPeriod(startDate === null ? null : parseDay(startDate), endDate === null ? null : parseDay(endDate)) || 'без дат';

const people = ({ participants }: CampaignWire): string =>
  participants.length === 0
    ? 'участников нет'
    : `${formatNumber(participants.length)} ${plural(participants.length, 'участник', 'участника', 'участников')}`;

type Opened =
  | { readonly kind: 'new'; readonly channelId: string }
  | { readonly kind: 'edit' | 'remove'; readonly id: string };

/** Completes a campaign, or reopens it; `moving` is the one on its way. */
const useMove = () => {
  const send = useKeptSend();
  const [moving, setMoving] = useState<string | null>(null);
  const move = (campaign: CampaignWire): void => {
    const action = campaign.status === 'COMPLETED' ? 'reopen' : 'complete';
    setMoving(campaign.id);
    send({
      kind: 'campaign',
      doc: campaign,
      method: 'POST',
      path: `/api/campaigns/${campaign.id}/${action}`,
      body: {},
      label: `${action === 'reopen' ? 'Возобновить' : 'Завершить'} «${showCampaignName(campaign.name)}»`,
    })
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => setMoving(null));
  };
  return { moving, move };
};

const CampaignRow = ({
  kept: { doc: campaign, entry },
  isMoving,
  onMove,
  onOpen,
}: {
  readonly kept: KeptDoc<CampaignWire>;
  /** It is being completed or reopened. */
  readonly isMoving: boolean;
  readonly onMove: () => void;
  readonly onOpen: (dialog: 'edit' | 'remove') => void;
}) => {
  const { can } = useRights();
  const name = showCampaignName(campaign.name);
  const completed = campaign.status === 'COMPLETED';
  const movable = campaign.status !== 'DRAFT' && can(completed ? 'campaign.reopen' : 'campaign.complete');
  return (
    <li>
      <span className="z-settings-name">
        <b>{name}</b>
        <small className="z-secondary">
          {period(campaign)} · {people(campaign)}
        </small>
      </span>
      <KeptMark entry={entry} name={name} />
      <Chip tone={tones[campaign.status]} dot>
        {campaignStatusLabels[campaign.status]}
      </Chip>
      <b className="z-settings-sum">{roubles(campaign.totalBudget)}</b>
      <span className="z-settings-actions">
        {movable && (
          <Button
            small
            disabled={isMoving}
            aria-label={`${completed ? 'Возобновить' : 'Завершить'}: ${name}`}
            onClick={onMove}
          >
            {completed ? 'Возобновить' : 'Завершить'}
          </Button>
        )}
        {can('campaign.change') && (
          <Button
            look="plain"
            icon={<Edit size={14} />}
            aria-label={`Изменить: ${name}`}
            onClick={() => onOpen('edit')}
          />
        )}
        {can('campaign.remove') && (
          <Button
            look="plain"
            icon={<Trash size={14} />}
            aria-label={`Удалить: ${name}`}
            onClick={() => onOpen('remove')}
          />
        )}
      </span>
    </li>
  );
};

export const CampaignsTab = () => {
  const { can } = useRights();
  const go = useGo();
  const { moving, move } = useMove();
  const channels = useKeptDocs('channel').map(({ doc }) => doc);
  const campaigns = useKeptDocs('campaign');
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => setOpened(null);
  const chosen = opened?.kind === 'new' ? null : (campaigns.find(({ doc: { id } }) => id === opened?.id) ?? null);
  const mayAdd = can('campaign.create');

  if (channels.length === 0)
    return (
      <EmptyState
        title="Сначала добавьте канал"
        actions={
          <Button look="primary" onClick={() => go('/settings?tab=channels')}>
            К каналам
          </Button>
        }
      >
        Кампания всегда идёт в канале.
      </EmptyState>
    );
  return (
    <div className="z-settings-body">
      {mayAdd && campaigns.length > 0 && (
        <ListBar>
          <Button look="primary" icon={<Plus size={14} />} onClick={() => setOpened({ kind: 'new', channelId: '' })}>
            Создать кампанию
          </Button>
        </ListBar>
      )}
      {campaigns.length === 0 && (
        <EmptyState
          title="Кампаний ещё нет"
          actions={
            mayAdd && (
              <Button look="primary" onClick={() => setOpened({ kind: 'new', channelId: channels[0]?.id ?? '' })}>
                Создать кампанию
              </Button>
            )
          }
        >
          Размещения добавляют в активную кампанию.
        </EmptyState>
      )}
      {[...channels].sort(byName).map((channel) => {
        const own = campaigns
          .filter(({ doc: { channelId } }) => channelId === channel.id)
          .sort((a, b) => order[a.doc.status] - order[b.doc.status] || byName(a.doc, b.doc));
        if (own.length === 0) return null;
        return (
          <section key={channel.id} className="z-section" aria-label={channel.name}>
            <div className="z-section-head">
              <h2>{channel.name}</h2>
              <span className="z-quiet">{formatNumber(own.length)}</span>
            </div>
            <ul className="z-settings-list z-panel z-panel-flush">
              {own.map((kept) => (
                <CampaignRow
                  key={kept.doc.id}
                  kept={kept}
                  isMoving={moving === kept.doc.id}
                  onMove={() => move(kept.doc)}
                  onOpen={(kind) => setOpened({ kind, id: kept.doc.id })}
                />
              ))}
            </ul>
          </section>
        );
      })}
      {opened?.kind === 'new' && <CampaignDialog campaign={null} channelId={opened.channelId} onClose={close} />}
      {opened?.kind === 'edit' && chosen !== null && (
        <CampaignDialog campaign={chosen.doc} entry={chosen.entry} onClose={close} />
      )}
      {opened?.kind === 'remove' && chosen !== null && (
        <RemoveDialog
          title={`Удалить кампанию «${showCampaignName(chosen.doc.name)}»?`}
          path={`/api/campaigns/${chosen.doc.id}`}
          revision={chosen.doc.revision}
          kept={{
            kind: 'campaign',
            doc: chosen.doc,
            label: `Удалить кампанию «${showCampaignName(chosen.doc.name)}»`,
          }}
          onClose={close}
        >
          Вместе с ней уйдут её размещения. Восстановление вернёт и их.
        </RemoveDialog>
      )}
    </div>
  );
};

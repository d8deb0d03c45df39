import { Search, Tick } from '@blueprintjs/icons';
import type { CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { showCampaignName } from '@zakup/domain/topics';
import { useId, useState } from 'react';
import { inOrder } from '../../shared/campaign/campaign-choice.ts';
import { shortCampaignName } from '../../shared/campaign/short-campaign-name.ts';
import { roubles } from '../../shared/money/roubles.ts';
import { matches } from '../../shared/ui/matching.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';
import type { Selection } from './use-selection.ts';

const groups = [
  { status: 'ACTIVE', title: 'Активные' },
  { status: 'COMPLETED', title: 'Завершённые' },
  { status: 'DRAFT', title: 'Черновики' },
] as const;

/** Channels as chips, then the campaigns of the chosen one, or of all, by name. */
export const CampaignRail = ({
  channels,
  campaigns,
  selection,
}: {
  readonly channels: readonly ChannelWire[];
  readonly campaigns: readonly CampaignWire[];
  readonly selection: Selection;
}) => {
  const [search, setSearch] = useState('');
  // On a phone the report comes first; the choice is one step away.
  const [open, setOpen] = useState(selection.campaign === null);
  const id = useId();
  const { channel, campaign } = selection;
  const offered = inOrder(campaigns).filter((one) => channel === null || one.channelId === channel.id);
  const found = offered.filter((one) => matches(showCampaignName(one.name), search));
  return (
    <aside className={open ? 'z-rail' : 'z-rail z-rail-closed'} aria-label="Выбор кампании">
      <Button className="z-rail-open" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Скрыть список' : 'Другая кампания'}
      </Button>
      <ul className="z-rail-channels" aria-label="Каналы">
        {channels
          .toSorted((a, b) => a.name.localeCompare(b.name, 'ru'))
          .map((one) => (
            <li key={one.id}>
              <button
                type="button"
                className="z-rail-channel"
                aria-pressed={channel?.id === one.id}
                onClick={() => selection.pickChannel(one.id)}
              >
                {channel?.id === one.id && <Tick size={12} />}
                {one.name}
              </button>
            </li>
          ))}
      </ul>
      <div className="z-rail-search">
        <Search size={14} />
        <input
          className="z-input"
          type="search"
          placeholder="Найти кампанию"
          aria-label="Найти кампанию"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {offered.length === 0 && <p className="z-rail-none">Нет доступных кампаний</p>}
      {offered.length > 0 && found.length === 0 && (
        <p className="z-rail-none">
          Кампании не найдены{' '}
          <button type="button" className="z-link" onClick={() => setSearch('')}>
            Сбросить
          </button>
        </p>
      )}
      {groups.map(({ status, title }) => {
        const ones = found.filter((one) => one.status === status);
        if (ones.length === 0) return null;
        return (
          <section key={status} aria-labelledby={`${id}${status}`}>
            <h2 id={`${id}${status}`} className="z-rail-group">
              {title} {ones.length}
            </h2>
            <ul>
              {ones.map((one) => (
                <li key={one.id} className="z-rail-campaign">
                  <button
                    type="button"
                    aria-current={one.id === campaign?.id}
                    onClick={() => {
                      setOpen(false);
                      selection.pickCampaign(one.id);
                    }}
                  >
                    <span title={showCampaignName(one.name)}>{shortCampaignName(one.name, channel?.name)}</span>
                  </button>
                  <small>
                    <Figure
                      label={`Бюджет, ${showCampaignName(one.name)}`}
                      formula="задан в кампании"
                      about={{ of: 'campaign', id: one.id, figure: 'budget' }}
                    >
                      {roubles(one.totalBudget)}
                    </Figure>
                  </small>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </aside>
  );
};

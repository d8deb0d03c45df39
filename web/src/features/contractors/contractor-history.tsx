import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { showDateWithYear } from '@zakup/domain/calendar';
import { useState } from 'react';
import { DealTable } from '../../shared/contractor/deal-table.tsx';
import { newestFirst } from '../../shared/contractor/newest-first.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { asScrollable } from '../../shared/ui/as-scrollable.ts';
import { LoadMore } from '../../shared/ui/load-more.tsx';
import { ListBar } from '../../shared/ui/list-bar.tsx';

const pageSize = 200;

/** All placements with the contractor, newest first, optionally of one channel. */
export const ContractorHistory = ({ placements }: { readonly placements: readonly PlacementWire[] }) => {
  const campaigns = useDocs('campaign');
  const channels = useDocs('channel');
  const [channelId, setChannelId] = useState('');
  const [shown, setShown] = useState(pageSize);
  const channelIds = new Map(campaigns.map((campaign) => [campaign.id, campaign.channelId]));
  const channelOf = ({ campaignId }: PlacementWire): string => channelIds.get(campaignId) ?? '';
  const used = new Set(placements.map(channelOf));
  const rows = newestFirst(placements.filter((placement) => channelId === '' || channelOf(placement) === channelId));
  return (
    <>
      <ListBar>
        <select
          className="z-input"
          aria-label="Канал"
          value={channelId}
          onChange={(event) => setChannelId(event.target.value)}
        >
          <option value="">Все каналы</option>
          {channels
            .filter(({ id }) => used.has(id))
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
      </ListBar>
      {rows.length === 0 ? (
        <p className="z-contractor-none">Нет размещений за выбранный период</p>
      ) : (
        <div className="z-panel z-panel-flush z-table-scroll" {...asScrollable('История сотрудничества')}>
          <DealTable
            label="История сотрудничества"
            className="z-table-stacked z-contractor-history"
            explained
            placements={rows.slice(0, shown)}
            columns={['date', 'campaign', 'price', 'leads', 'cpl']}
            dayText={showDateWithYear}
          />
        </div>
      )}
      {rows.length > shown && <LoadMore rest={rows.length - shown} onMore={() => setShown(shown + pageSize)} />}
    </>
  );
};

import type { PlacementWire } from '@zakup/contracts/entities';
import { showDateWithYear } from '@zakup/domain/calendar';
import { formatRoubles } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { useState } from 'react';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { kopecksOf, newestFirst } from './contractor-figures.ts';
import { CplValue } from './cpl-value.tsx';

const pageSize = 200;

/** All placements with the contractor, newest first, optionally of one channel. */
export const ContractorHistory = ({ placements }: { readonly placements: readonly PlacementWire[] }) => {
  const campaigns = useDocs('campaign');
  const channels = useDocs('channel');
  const [channelId, setChannelId] = useState('');
  const [shown, setShown] = useState(pageSize);
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const channelOf = ({ campaignId }: PlacementWire): string => campaignOf.get(campaignId)?.channelId ?? '';
  const used = new Set(placements.map(channelOf));
  const rows = newestFirst(placements.filter((placement) => channelId === '' || channelOf(placement) === channelId));
  return (
    <>
      <div className="z-contractors-bar">
        <select
          className="z-input z-contractors-topic"
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
      </div>
      {rows.length === 0 ? (
        <p className="z-contractor-none">Нет размещений за выбранный период</p>
      ) : (
        <div className="z-panel z-panel-flush z-table-scroll">
          <table className="z-table z-contractor-history" aria-label="История сотрудничества">
            <thead>
              <tr>
                <th scope="col">Дата</th>
                <th scope="col">Кампания</th>
                <th scope="col" className="z-right">
                  Цена
                </th>
                <th scope="col" className="z-right">
                  Приход
                </th>
                <th scope="col" className="z-right">
                  CPL
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shown).map((placement) => (
                <tr key={placement.id}>
                  <td>{showDateWithYear(placement.date)}</td>
                  <td>{showCampaignName(campaignOf.get(placement.campaignId)?.name ?? '')}</td>
                  <td className="z-right">{formatRoubles(kopecksOf(placement.price))}</td>
                  <td className="z-right">{formatNumber(placement.leads)}</td>
                  <td className="z-right">
                    <CplValue spent={kopecksOf(placement.price)} leads={placement.leads} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.length > shown && (
        <Button onClick={() => setShown(shown + pageSize)}>Показать ещё: {formatNumber(rows.length - shown)}</Button>
      )}
    </>
  );
};

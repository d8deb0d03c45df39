import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ImportWire } from '@zakup/contracts/imports';
import { showCampaignName } from '@zakup/domain/topics';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { showInstant } from '../day/shown-day.ts';
import { useDoc, useDocs } from '../replica/replica-context.tsx';
import { useSession } from '../session/session-context.tsx';
import { type DataColumn, DataTable } from '../table/data-table.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Panel } from '../ui/page.tsx';
import { ErrorState, Skeleton } from '../ui/states.tsx';
import { stateText } from './import-progress.tsx';

const shownAtOnce = 10;

const CampaignName = ({ id }: { readonly id: string }) => {
  const campaign = useDoc('campaign', id);
  return campaign === null ? 'удалённая кампания' : showCampaignName(campaign.name);
};

const PersonName = ({ id }: { readonly id: string }) => useDoc('user', id)?.name ?? 'бывший сотрудник';

const columns: readonly DataColumn<ImportWire>[] = [
  { id: 'at', header: 'Когда', cell: ({ createdAt }) => showInstant(createdAt), cardLabel: 'Когда' },
  { id: 'name', header: 'Файл', isName: true, cell: ({ name }) => name || 'без имени', cardLabel: 'Файл' },
  {
    id: 'campaign',
    header: 'Кампания',
    cell: ({ campaignId }) => <CampaignName id={campaignId} />,
    cardLabel: 'Кампания',
  },
  { id: 'by', header: 'Кто', cell: ({ by }) => <PersonName id={by} />, cardLabel: 'Кто' },
  { id: 'state', header: 'Итог', cell: stateText, cardLabel: 'Итог' },
];

/** What came from files: one's own imports, those of everybody for who leads. Asked for anew with each step of one's own. */
export const LatestImports = () => {
  const api = useApi();
  const { person } = useSession();
  const own = useDocs('import').map(({ id, revision }) => `${id}@${revision}`);
  const [shown, setShown] = useState(shownAtOnce);
  const { data, error, refetch } = useQuery({
    queryKey: ['imports', person.licenseId, own.join(' ')],
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await api.get<{ imports: readonly ImportWire[] }>('/api/imports', { signal })).data.imports,
  });
  if (data === undefined)
    return error === null ? <Skeleton rows={2} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) return null;
  return (
    <Panel title="Прежние импорты">
      <DataTable
        label="Прежние импорты"
        className="z-table z-import-table"
        columns={columns}
        rows={data.slice(0, shown)}
        rowId={({ id }) => id}
      />
      {data.length > shown && (
        <LoadMore rest={data.length - shown} small onMore={() => setShown(shown + shownAtOnce)} />
      )}
    </Panel>
  );
};

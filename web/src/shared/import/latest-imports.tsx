import { useInfiniteQuery } from '@tanstack/react-query';
import type { ImportWire } from '@zakup/contracts/imports';
import { showCampaignName } from '@zakup/domain/topics';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { showInstant } from '../day/shown-day.ts';
import { useDoc, useDocs } from '../replica/replica-context.tsx';
import { useSession } from '../session/session-context.tsx';
import { type DataColumn, DataTable } from '../table/data-table.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Meter } from '../ui/meter.tsx';
import { Panel } from '../ui/page.tsx';
import { ErrorState, Skeleton } from '../ui/states.tsx';
import { progressOf, stateText } from './import-state.ts';
import { UndoImport } from './undo-import.tsx';

/** So many are asked for at first, and with each press on «Показать ещё». */
const pageSize = 10;

interface ImportsPage {
  readonly imports: readonly ImportWire[];
  readonly next: string | null;
}

const CampaignName = ({ id }: { readonly id: string }) => {
  const campaign = useDoc('campaign', id);
  return campaign === null ? 'удалённая кампания' : showCampaignName(campaign.name);
};

const PersonName = ({ id }: { readonly id: string }) => useDoc('user', id)?.name ?? 'бывший сотрудник';

/** As it is now, live where it is one's own, with the way to take that back; another person's takes a reason, which the journal asks for. */
const State = ({ one, onUndone }: { readonly one: ImportWire; readonly onUndone: (position: number) => void }) => {
  const { person } = useSession();
  const live = useDoc('import', one.id);
  const now = live !== null && live.revision > one.revision ? live : one;
  const progress = progressOf(now);
  return (
    <div className="z-import-state">
      {stateText(now)}
      {progress !== null && <Meter value={progress} tone="accent" label="Ход" text={stateText(now)} />}
      {now.by === person.id && <UndoImport one={now} small onBegun={onUndone} />}
    </div>
  );
};

const columnsOf = (onUndone: (position: number) => void): readonly DataColumn<ImportWire>[] => [
  { id: 'at', header: 'Когда', cell: ({ createdAt }) => showInstant(createdAt), cardLabel: 'Когда' },
  { id: 'name', header: 'Файл', isName: true, cell: ({ name }) => name || 'без имени', cardLabel: 'Файл' },
  {
    id: 'campaign',
    header: 'Кампания',
    cell: ({ campaignId }) => <CampaignName id={campaignId} />,
    cardLabel: 'Кампания',
  },
  { id: 'by', header: 'Кто', cell: ({ by }) => <PersonName id={by} />, cardLabel: 'Кто' },
  { id: 'state', header: 'Итог', cell: (one) => <State one={one} onUndone={onUndone} />, cardLabel: 'Итог' },
];

const idOf = ({ id }: ImportWire): string => id;

/** Imports page by page, all pages asked for anew with each step of one's own. */
const useImports = () => {
  const api = useApi();
  const { person } = useSession();
  const own = useDocs('import')
    .map(({ id, revision }) => `${id}@${revision}`)
    .join(' ');
  /** Of a change that what is asked for has to know. */
  const changedAt = useRef<number | null>(null);
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['imports', person.licenseId],
    staleTime: 0,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) };
      const after = changedAt.current;
      return (await api.get<ImportsPage>('/api/imports', { query, signal, ...(after !== null && { after }) })).data;
    },
    getNextPageParam: ({ next }) => next,
  });
  /** The steps that were last asked for; null = what was asked for was given up. */
  const asked = useRef<string | null>(own);
  useEffect(() => {
    if (isFetching || asked.current === own) return;
    asked.current = own;
    void refetch();
  }, [isFetching, own, refetch]);
  const pages = data?.pages;
  return {
    imports: useMemo(() => pages?.flatMap((page) => page.imports), [pages]),
    error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: (): void => {
      // Asking for more gives up what is on its way.
      if (isFetching) asked.current = null;
      void fetchNextPage();
    },
    refetch,
    refetchAt: useCallback(
      (position: number): void => {
        changedAt.current = position;
        void refetch();
      },
      [refetch],
    ),
  };
};

/** What came from files: one's own imports, those of everybody for who leads. */
export const LatestImports = () => {
  const { imports, error, hasMore, isLoadingMore, loadMore, refetch, refetchAt } = useImports();
  const columns = useMemo(() => columnsOf(refetchAt), [refetchAt]);
  if (imports === undefined)
    return error === null ? <Skeleton rows={2} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  if (imports.length === 0) return null;
  return (
    <Panel title="Прежние импорты">
      <DataTable
        label="Прежние импорты"
        className="z-table z-import-table"
        columns={columns}
        rows={imports}
        rowId={idOf}
      />
      {hasMore && <LoadMore small busy={isLoadingMore} onMore={loadMore} />}
    </Panel>
  );
};

import { useInfiniteQuery } from '@tanstack/react-query';
import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import { useApi } from '../../shared/api/api-context.tsx';
import { QueryFailure } from '../../shared/load/query-failure.tsx';
import { SalaryLineTable } from '../../shared/salary/salary-lines.tsx';
import { useSession } from '../../shared/session/session-context.tsx';
import { LoadMore } from '../../shared/ui/load-more.tsx';
import { Skeleton } from '../../shared/ui/states.tsx';

/** Which part of the salary report: days are `YYYY-MM-DD`, both included. */
export interface BonusSelection {
  readonly campaign?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface SalaryData {
  readonly rows: readonly SalaryRowWire[];
}

const linesPerPage = 50;

/** `at`: the position of the first page. */
const firstPage: { readonly page: number; readonly at?: number } = { page: 1 };

/** The placements behind a person's bonus, a page at a time. */
export const PersonLines = ({ userId, selection }: { readonly userId: string; readonly selection: BonusSelection }) => {
  const api = useApi();
  const { person } = useSession();
  const lines = useInfiniteQuery({
    queryKey: ['salary-lines', person.id, userId, selection],
    initialPageParam: firstPage,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...selection, userId, ...pageParam, pageSize: linesPerPage };
      const { data: reply, position } = await api.get<SalaryData>('/api/reports/salary', { query, signal });
      return { row: reply.rows[0] ?? null, position };
    },
    // As of the moment of the first page, so that none repeats a line or leaves one out.
    getNextPageParam: (last, pages, { page }) => {
      const total = Math.max(last.row?.countedTotal.count ?? 0, last.row?.leftOutTotal.count ?? 0);
      const at = pages[0]?.position ?? null;
      return total > page * linesPerPage ? { page: page + 1, ...(at !== null && { at }) } : null;
    },
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = lines;
  const row = data?.pages[0]?.row ?? null;
  if (lines.error !== null && row === null) return <QueryFailure query={lines} />;
  if (row === null) return <Skeleton rows={3} label="Загрузка размещений" />;
  const pages = data?.pages ?? [];
  return (
    <div className="z-journal-lines">
      <QueryFailure of="Размещения сотрудника" query={lines} />
      <p>{row.formula}</p>
      <SalaryLineTable
        title="Засчитано"
        lines={pages.flatMap((page) => page.row?.counted ?? [])}
        total={row.countedTotal}
        explained
      />
      <SalaryLineTable
        title="Не засчитано"
        lines={pages.flatMap((page) => page.row?.leftOut ?? [])}
        total={row.leftOutTotal}
        explained
      />
      {hasNextPage && (
        <div>
          <LoadMore small busy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
        </div>
      )}
    </div>
  );
};

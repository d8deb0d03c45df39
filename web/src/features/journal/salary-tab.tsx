import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { CaretDown, CaretRight, Download } from '@blueprintjs/icons';
import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import { showCampaignName } from '@zakup/domain/topics';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useApi } from '../../shared/api/api-context.tsx';
import { csvOf } from '../../shared/export/csv.ts';
import { saveFile } from '../../shared/export/save-file.ts';
import { QueryFailure } from '../../shared/load/query-failure.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { exactRoubles, roubles } from '../../shared/money/roubles.ts';
import { SalaryLineTable } from '../../shared/salary/salary-lines.tsx';
import { roleLabel } from '../../shared/session/role-label.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { Fitted } from '../../shared/ui/fitted.tsx';
import { EmptyState, Skeleton } from '../../shared/ui/states.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';
import { KindNote } from '../../shared/explanations/figure-kind.tsx';
import { Counted, SalaryTotal } from './salary-total.tsx';
import { byLabel, Choice, PeriodButton } from './journal-filters.tsx';

/** Which part of the salary report: days are `YYYY-MM-DD`, both included. */
interface BonusSelection {
  readonly campaign?: string;
  readonly from?: string;
  readonly to?: string;
}

interface SalaryData {
  readonly rows: readonly SalaryRowWire[];
}

const linesPerPage = 50;

const thresholdFormula = 'из карточки сотрудника, без неё 100 ₽: засчитывается то, что дешевле за лид';

/** `at`: the position of the first page. */
const firstPage: { readonly page: number; readonly at?: number } = { page: 1 };

/** The placements behind a person's bonus, a page at a time. */
const PersonLines = ({ userId, selection }: { readonly userId: string; readonly selection: BonusSelection }) => {
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
          <Button small disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Показать ещё
          </Button>
        </div>
      )}
    </div>
  );
};

const header = [
  'Сотрудник',
  'Роль',
  'Порог CPL, ₽',
  'Засчитано размещений',
  'Цена засчитанных, ₽',
  'Не засчитано размещений',
  'Цена незасчитанных, ₽',
  'Бонус, ₽',
  'Как посчитано',
] as const;

/** The salary report: everybody's bonus, with what counted and what did not. Earnings are another thing, and not here. */
export const SalaryTab = () => {
  const api = useApi();
  const { person } = useSession();
  const campaigns = useDocs('campaign');
  const [params, setParams] = useSearchParams();
  const [open, setOpen] = useState<string | null>(null);
  const [campaign, from, to] = [params.get('campaign') ?? '', params.get('from') ?? '', params.get('to') ?? ''];
  const selection: BonusSelection = {
    ...(campaign !== '' && { campaign }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
  };
  const change = (changes: Readonly<Record<string, string>>): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes))
          if (value === '') next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const report = useQuery({
    queryKey: ['salary', person.id, selection],
    queryFn: async ({ signal }) =>
      (await api.get<SalaryData>('/api/reports/salary', { query: { ...selection, pageSize: 1 }, signal })).data.rows,
  });
  const { data } = report;
  const narrowed = Object.keys(selection).length > 0;

  const exportCsv = (rows: readonly SalaryRowWire[]): void => {
    const lines = rows.map((row) => [
      row.name,
      roleLabel(row.role),
      row.threshold,
      row.countedTotal.count,
      row.countedTotal.price,
      row.leftOutTotal.count,
      row.leftOutTotal.price,
      row.salaryReportBonus,
      row.formula,
    ]);
    saveFile('Отчёт по зарплате.csv', new Blob([csvOf(header, lines)], { type: 'text/csv;charset=utf-8' }));
  };

  const why = (row: SalaryRowWire, title: string, formula: string, shown: ReactNode) => (
    <Figure
      label={`${title}, ${row.name}`}
      formula={formula}
      about={{ of: 'salary', figure: 'bonus', userId: row.userId, ...selection }}
    >
      {shown}
    </Figure>
  );

  const list = (): ReactNode => {
    if (data === undefined) return report.error === null && <Skeleton rows={6} height={38} label="Загрузка отчёта" />;
    if (data.length === 0)
      return <EmptyState title="Сотрудников ещё нет">Отчёт считается по размещениям байеров.</EmptyState>;
    return (
      <div className="z-panel z-panel-flush z-table-scroll">
        <table className="z-table z-journal-salary" aria-label="Отчёт по зарплате">
          <thead>
            <tr>
              <th scope="col">Сотрудник</th>
              <th scope="col" className="z-right">
                Засчитано
              </th>
              <th scope="col" className="z-right">
                Не засчитано
              </th>
              <th scope="col" className="z-right">
                Порог CPL
              </th>
              <th scope="col" className="z-right">
                Бонус
              </th>
            </tr>
          </thead>
          {data.map((row) => {
            const isOpen = open === row.userId;
            return (
              <tbody key={row.userId}>
                <tr>
                  <th scope="row">
                    <button
                      type="button"
                      className="z-journal-open"
                      aria-expanded={isOpen}
                      onClick={() => setOpen(isOpen ? null : row.userId)}
                    >
                      {isOpen ? <CaretDown size={14} /> : <CaretRight size={14} />}
                      <Avatar name={row.name} id={row.userId} size={20} />
                      {row.name}
                    </button>
                    {!row.isActive && <Chip>отключён</Chip>}
                  </th>
                  <td className="z-right" data-label="Засчитано">
                    <Counted count={row.countedTotal.count}>
                      {why(row, 'Засчитано', 'цены засчитанных размещений вместе', roubles(row.countedTotal.price))}
                    </Counted>
                  </td>
                  <td className="z-right" data-label="Не засчитано">
                    <Counted count={row.leftOutTotal.count}>
                      {why(
                        row,
                        'Не засчитано',
                        'цены незасчитанных размещений вместе',
                        roubles(row.leftOutTotal.price),
                      )}
                    </Counted>
                  </td>
                  <td className="z-right" data-label="Порог CPL">
                    {why(row, 'Порог CPL', thresholdFormula, roubles(row.threshold))}
                  </td>
                  <td className="z-right" data-label="Бонус">
                    {why(
                      row,
                      'Бонус',
                      row.formula,
                      row.salaryReportBonus === 0 ? (
                        <span className="z-quiet">{exactRoubles(0)}</span>
                      ) : (
                        <b>
                          <Fitted>{exactRoubles(row.salaryReportBonus)}</Fitted>
                        </b>
                      ),
                    )}
                  </td>
                </tr>
                {isOpen && (
                  <tr className="z-journal-detail">
                    <td colSpan={5}>
                      <PersonLines userId={row.userId} selection={selection} />
                    </td>
                  </tr>
                )}
              </tbody>
            );
          })}
          {data.length > 1 && <SalaryTotal rows={data} />}
        </table>
      </div>
    );
  };

  return (
    <div className="z-journal-body">
      <div className="z-journal-bar">
        <PeriodButton key={`${from} ${to}`} from={from} to={to} onChange={change} />
        <Choice
          label="Кампания"
          value={campaign}
          all="Все кампании"
          options={campaigns.map(({ id, name }) => [id, showCampaignName(name)] as const).sort(byLabel)}
          onChange={(value) => change({ campaign: value })}
        />
        {narrowed && (
          <button type="button" className="z-link" onClick={() => change({ campaign: '', from: '', to: '' })}>
            Сбросить фильтры
          </button>
        )}
        {data !== undefined && data.length > 0 && (
          <Button className="z-journal-csv" icon={<Download size={14} />} onClick={() => exportCsv(data)}>
            Скачать CSV
          </Button>
        )}
      </div>
      <p className="z-secondary">
        Бонус отчёта считается отдельно от заработка по кампаниям: эти суммы не складываются.{' '}
        <KindNote campaignId={null} />
      </p>
      <QueryFailure query={report} />
      {list()}
    </div>
  );
};

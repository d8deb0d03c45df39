import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { CaretDown, CaretRight, Download } from '@blueprintjs/icons';
import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import { showDateWithYear } from '@zakup/domain/calendar';
import { formatRoubles, formatRoublesExact, fromRoubles, kopecks } from '@zakup/domain/money';
import { formatNumber, plural } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useApi } from '../../shared/api/api-context.tsx';
import { csvOf } from '../../shared/export/csv.ts';
import { saveFile } from '../../shared/export/save-file.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { roleLabel } from '../../shared/session/role-label.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { byLabel, Choice, PeriodButton } from './journal-filters.tsx';

interface SalaryData {
  readonly rows: readonly SalaryRowWire[];
}
type Line = SalaryRowWire['counted'][number] & { readonly reason?: string };

const money = (roubles: number): string => formatRoubles(fromRoubles(roubles) ?? kopecks(0));
const exact = (roubles: number): string => formatRoublesExact(fromRoubles(roubles) ?? kopecks(0));
const placements = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'размещение', 'размещения', 'размещений')}`;

const linesPerPage = 50;

interface Selection {
  readonly campaign?: string;
  readonly from?: string;
  readonly to?: string;
}

const LineTable = ({
  title,
  lines,
  total,
}: {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly total: SalaryRowWire['countedTotal'];
}) => (
  <section>
    <h3>
      {title}: {placements(total.count)} на {money(total.price)}
    </h3>
    {lines.length > 0 && (
      <div className="z-table-scroll">
        <table className="z-table" aria-label={title}>
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
              {lines[0]?.reason !== undefined && <th scope="col">Почему нет</th>}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ placementId, date, campaignName, price, leads, costPerLead, reason }) => (
              <tr key={placementId}>
                <td>{showDateWithYear(date)}</td>
                <td className="z-journal-long">{campaignName}</td>
                <td className="z-right">{money(price)}</td>
                <td className="z-right">{formatNumber(leads)}</td>
                <td className="z-right">{leads === 0 ? '—' : exact(costPerLead)}</td>
                {reason !== undefined && <td>{reason}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);

/** The placements behind a person's bonus, a page at a time. */
const PersonLines = ({ userId, selection }: { readonly userId: string; readonly selection: Selection }) => {
  const api = useApi();
  const { person } = useSession();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery<
    SalaryRowWire | null,
    Error,
    InfiniteData<SalaryRowWire | null, number>,
    readonly unknown[],
    number
  >({
    queryKey: ['salary-lines', person.id, userId, selection],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...selection, userId, page: pageParam, pageSize: linesPerPage };
      return (await api.get<SalaryData>('/api/reports/salary', { query, signal })).data.rows[0] ?? null;
    },
    getNextPageParam: (last, _, page) =>
      last !== null && Math.max(last.countedTotal.count, last.leftOutTotal.count) > page * linesPerPage
        ? page + 1
        : null,
  });
  const row = data?.pages[0] ?? null;
  if (error !== null && row === null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (row === null) return <Skeleton rows={3} label="Загрузка размещений" />;
  const pages = data?.pages ?? [];
  return (
    <div className="z-journal-lines">
      <p>{row.formula}</p>
      <LineTable title="Засчитано" lines={pages.flatMap((page) => page?.counted ?? [])} total={row.countedTotal} />
      <LineTable title="Не засчитано" lines={pages.flatMap((page) => page?.leftOut ?? [])} total={row.leftOutTotal} />
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
  const selection: Selection = {
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
  const { data, error, refetch } = useQuery({
    queryKey: ['salary', person.id, selection],
    queryFn: async ({ signal }) =>
      (await api.get<SalaryData>('/api/reports/salary', { query: { ...selection, pageSize: 1 }, signal })).data.rows,
  });
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

  const list = (): ReactNode => {
    if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (data === undefined) return <Skeleton rows={6} height={38} label="Загрузка отчёта" />;
    if (data.length === 0)
      return <EmptyState title="Сотрудников ещё нет">Отчёт считается по размещениям байеров.</EmptyState>;
    return (
      <div className="z-panel z-panel-flush z-table-scroll">
        <table className="z-table z-journal-salary" aria-label="Отчёт по зарплате">
          <thead>
            <tr>
              <th scope="col">Сотрудник</th>
              <th scope="col">Засчитано</th>
              <th scope="col">Не засчитано</th>
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
                  <td>
                    {placements(row.countedTotal.count)}, {money(row.countedTotal.price)}
                  </td>
                  <td>
                    {placements(row.leftOutTotal.count)}, {money(row.leftOutTotal.price)}
                  </td>
                  <td className="z-right">{money(row.threshold)}</td>
                  <td className="z-right">
                    <b>{exact(row.salaryReportBonus)}</b>
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
        Бонус отчёта считается отдельно от заработка по кампаниям: эти суммы не складываются.
      </p>
      {list()}
    </div>
  );
};

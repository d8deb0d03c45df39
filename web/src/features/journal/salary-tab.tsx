import { useQuery } from '@tanstack/react-query';
import { Download } from '@blueprintjs/icons';
import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import { showCampaignName } from '@zakup/domain/topics';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useApi } from '../../shared/api/api-context.tsx';
import { csvOf } from '../../shared/export/csv.ts';
import { saveFile } from '../../shared/export/save-file.ts';
import { QueryFailure } from '../../shared/load/query-failure.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { roleLabel } from '../../shared/session/role-label.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState, Skeleton } from '../../shared/ui/states.tsx';
import { KindNote } from '../../shared/explanations/figure-kind.tsx';
import type { BonusSelection, SalaryData } from './salary-person.tsx';
import { SalaryTable } from './salary-table.tsx';
import { byLabel, Choice, PeriodButton } from './journal-filters.tsx';

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

/** The salary report: everybody's bonus, with what counted and what did not. Earnings are another thing, and not here. */
export const SalaryTab = () => {
  const api = useApi();
  const { person } = useSession();
  const campaigns = useDocs('campaign');
  const [open, setOpen] = useState<string | null>(null);
  const [params, setParams] = useSearchParams();
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

  const list = (): ReactNode => {
    if (data === undefined) return report.error === null && <Skeleton rows={6} height={38} label="Загрузка отчёта" />;
    if (data.length === 0)
      return <EmptyState title="Сотрудников ещё нет">Отчёт считается по размещениям байеров.</EmptyState>;
    return <SalaryTable rows={data} selection={selection} open={open} onOpen={setOpen} />;
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

import { useQuery } from '@tanstack/react-query';
import type { statementData } from '@zakup/contracts/calls/replies';
import { formatNumber } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { useApi } from '../../shared/api/api-context.tsx';
import { QueryFailure } from '../../shared/load/query-failure.tsx';
import { exactRoubles, roubles } from '../../shared/money/roubles.ts';
import { placementsText } from '../../shared/salary/salary-lines.tsx';
import { useSession } from '../../shared/session/session-context.tsx';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';
import { asScrollable } from '../../shared/ui/as-scrollable.ts';
import { Fitted } from '../../shared/ui/fitted.tsx';
import { EmptyState, Skeleton } from '../../shared/ui/states.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';
import { KindNote } from '../../shared/explanations/figure-kind.tsx';

type StatementData = z.infer<typeof statementData>;

type EarningsLine = StatementData['earnings'][number];

const howText = ({ formula, zeroLeads }: EarningsLine): string =>
  zeroLeads.count > 0
    ? `${formula} · без лидов засчитано: ${formatNumber(zeroLeads.count)} на ${roubles(zeroLeads.price)}`
    : formula;

const earningsColumns = (userId: string): readonly DataColumn<EarningsLine>[] => {
  const why = (
    line: EarningsLine,
    figure: 'budget' | 'spent' | 'earnings',
    title: string,
    formula: string,
    shown: ReactNode,
  ) => (
    <Figure
      label={`${title}, ${line.campaignName}`}
      formula={formula}
      about={{ of: 'campaign', id: line.campaignId, figure, userId }}
    >
      {shown}
    </Figure>
  );
  return [
    {
      id: 'campaign',
      header: 'Кампания',
      className: 'z-stacked-name',
      cellClass: 'z-table-name',
      isName: true,
      cell: ({ campaignName }) => campaignName,
    },
    {
      id: 'budget',
      header: 'Бюджет',
      align: 'right',
      cell: (line) => why(line, 'budget', 'Бюджет', 'задан участнику в настройках кампании', roubles(line.budget)),
    },
    {
      id: 'spent',
      header: 'Потрачено',
      align: 'right',
      cell: (line) => why(line, 'spent', 'Потрачено', 'цены своих размещений вместе', roubles(line.spent)),
    },
    {
      id: 'how',
      header: 'Как посчитано',
      className: 'z-statement-how',
      cellClass: 'z-secondary',
      cell: howText,
    },
    {
      id: 'earnings',
      header: 'Заработок',
      align: 'right',
      cell: (line) =>
        why(
          line,
          'earnings',
          'Заработок',
          line.formula,
          <b>
            <Fitted>{exactRoubles(line.earnings)}</Fitted>
          </b>,
        ),
    },
  ];
};

const Earnings = ({ earnings, userId }: Pick<StatementData, 'earnings'> & { readonly userId: string }) => (
  <div className="z-table-scroll" {...asScrollable('Заработок по кампаниям')}>
    <DataTable
      className="z-table z-table-stacked z-statement-lines"
      caption="Заработок по кампаниям"
      columns={earningsColumns(userId)}
      rows={earnings}
      rowId={({ campaignId }) => campaignId}
    />
  </div>
);

/** What one earns, campaign by campaign, and the bonus of the salary report; the two are never added. */
export const Statement = () => {
  const api = useApi();
  const { person } = useSession();
  const statement = useQuery({
    queryKey: ['statement', person.id],
    queryFn: async ({ signal }) => (await api.get<StatementData>('/api/profile/statement', { signal })).data,
  });
  const { data } = statement;
  if (!data && statement.error) return <QueryFailure query={statement} />;
  if (!data) return <Skeleton rows={4} height={32} />;
  const { salary, earnings } = data;
  if (earnings.length === 0 && salary.countedTotal.count === 0 && salary.leftOutTotal.count === 0)
    return (
      <EmptyState title="Ведомость пуста">Она появится с первым вашим размещением или бюджетом в кампании.</EmptyState>
    );
  return (
    <>
      <KindNote campaignId={null} />
      <QueryFailure of="Моя ведомость" query={statement} />
      {earnings.length > 0 && <Earnings earnings={earnings} userId={person.id} />}
      <dl className="z-statement-salary">
        <dt>Бонус по отчёту о зарплате</dt>
        <dd>
          <Figure
            label="Бонус по отчёту о зарплате"
            formula={salary.formula}
            about={{ of: 'salary', figure: 'bonus', userId: person.id }}
          >
            <b>{exactRoubles(salary.salaryReportBonus)}</b>
          </Figure>
          <span className="z-secondary">{salary.formula}</span>
          <span className="z-secondary">
            {[
              `Засчитано ${placementsText(salary.countedTotal.count)} на ${roubles(salary.countedTotal.price)}`,
              `не засчитано ${formatNumber(salary.leftOutTotal.count)} на ${roubles(salary.leftOutTotal.price)}`,
            ].join(', ')}
            . С заработком по кампаниям не складывается.
          </span>
        </dd>
      </dl>
    </>
  );
};

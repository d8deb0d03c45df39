import { useQuery } from '@tanstack/react-query';
import type { statementData } from '@zakup/contracts/calls/replies';
import { formatRoubles, formatRoublesExact } from '@zakup/domain/money';
import { plural } from '@zakup/domain/russian';
import type { z } from 'zod';
import { useApi } from '../../shared/api/api-context.tsx';
import { money } from '../../shared/campaign/figures.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';

type StatementData = z.infer<typeof statementData>;

const countText = (count: number): string => `${count} ${plural(count, 'размещение', 'размещения', 'размещений')}`;

const Earnings = ({ earnings }: Pick<StatementData, 'earnings'>) => (
  <div className="z-table-scroll">
    <table className="z-table">
      <caption className="z-visually-hidden">Заработок по кампаниям</caption>
      <thead>
        <tr>
          <th scope="col">Кампания</th>
          <th scope="col" className="z-right">
            Бюджет
          </th>
          <th scope="col" className="z-right">
            Потрачено
          </th>
          <th scope="col">Как посчитано</th>
          <th scope="col" className="z-right">
            Заработок
          </th>
        </tr>
      </thead>
      <tbody>
        {earnings.map((line) => (
          <tr key={line.campaignId}>
            <th scope="row">{line.campaignName}</th>
            <td className="z-right">{formatRoubles(money(line.budget))}</td>
            <td className="z-right">{formatRoubles(money(line.spent))}</td>
            <td className="z-secondary">
              {line.formula}
              {line.zeroLeads.count > 0 &&
                ` · без лидов засчитано: ${line.zeroLeads.count} на ${formatRoubles(money(line.zeroLeads.price))}`}
            </td>
            <td className="z-right">
              <b>{formatRoublesExact(money(line.earnings))}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** What one earns, campaign by campaign, and the bonus of the salary report; the two are never added. */
export const Statement = () => {
  const api = useApi();
  const { person } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['statement', person.id],
    queryFn: async ({ signal }) => (await api.get<StatementData>('/api/profile/statement', { signal })).data,
  });
  if (!data && error)
    return (
      <ErrorState
        error={error}
        onRetry={() => {
          refetch().catch(() => undefined);
        }}
      />
    );
  if (!data) return <Skeleton rows={4} height={32} />;
  const { salary, earnings } = data;
  if (earnings.length === 0 && salary.countedTotal.count === 0 && salary.leftOutTotal.count === 0)
    return (
      <EmptyState title="Ведомость пуста">Она появится с первым вашим размещением или бюджетом в кампании.</EmptyState>
    );
  return (
    <>
      {earnings.length > 0 && <Earnings earnings={earnings} />}
      <dl className="z-statement-salary">
        <dt>Премия по отчёту о зарплате</dt>
        <dd>
          <b>{formatRoublesExact(money(salary.salaryReportBonus))}</b>
          <span className="z-secondary">{salary.formula}</span>
          <span className="z-secondary">
            Засчитано {countText(salary.countedTotal.count)} на {formatRoubles(money(salary.countedTotal.price))}, не
            засчитано {salary.leftOutTotal.count} на {formatRoubles(money(salary.leftOutTotal.price))}. С заработком по
            кампаниям не складывается.
          </span>
        </dd>
      </dl>
    </>
  );
};

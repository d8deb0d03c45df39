import { formatNumber } from '@zakup/domain/russian';
import type { EarningsWire } from '@zakup/contracts/wire-entities';
import { explainBudgetUse } from '@zakup/domain/analytics/budget';
import { explainCostPerLead } from '@zakup/domain/analytics/cpl';
import { formatRoubles, formatRoublesExact, kopecks } from '@zakup/domain/money';
import { may } from '@zakup/domain/permissions';
import type { ReactNode } from 'react';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { useMoment } from '../../shared/moment/moment-context.ts';
import { Fitted } from '../../shared/ui/fitted.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import { Collapsible } from './collapsible.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';
import type { PlacementLineage } from '../../shared/explanations/lineage.ts';
import { type EmployeeFigures, money, termsText } from '../../shared/campaign/figures.ts';
import { useExpanded } from './use-expanded.ts';

const sum = (lines: readonly { readonly price: number }[]): string =>
  formatRoubles(kopecks(lines.reduce((total, line) => total + money(line.price), 0)));

const Earned = ({ earnings }: { readonly earnings: EarningsWire }) => (
  <>
    {termsText(earnings)}. Засчитано {formatNumber(earnings.counted.length)} на {sum(earnings.counted)}
    {earnings.leftOut.length > 0 &&
      `, не засчитано ${formatNumber(earnings.leftOut.length)} на ${sum(earnings.leftOut)}`}
    {earnings.zeroLeads.count > 0 &&
      `. Без лидов засчитано: ${formatNumber(earnings.zeroLeads.count)} на ${formatRoubles(money(earnings.zeroLeads.price))}`}
  </>
);

const EmployeeCard = ({
  campaignId,
  one,
  isAwaited,
}: {
  readonly campaignId: string;
  readonly one: EmployeeFigures;
  /** What was earned is still on its way. */
  readonly isAwaited: boolean;
}) => {
  const { user, budget, spent, leads, remainder, use, cpl, earnings, terms } = one;
  const why = (figure: PlacementLineage['figure'], title: string, formula: ReactNode, content: ReactNode) => (
    <Figure
      label={`${title}, ${user.name}`}
      formula={formula}
      about={{ of: 'campaign', id: campaignId, figure, userId: user.id }}
    >
      {content}
    </Figure>
  );
  return (
    <li className="z-panel z-employee-card">
      <div className="z-employee-head">
        <Avatar name={user.name} id={user.id} />
        <span>
          <b>{user.name}</b>
          {terms !== null && (
            <small className="z-fits">
              <Fitted short={terms.replace(' за результат', '')}>{terms}</Fitted>
            </small>
          )}
          {isAwaited && <small>…</small>}
        </span>
        <span className="z-employee-cpl z-fits">
          <small>Средний CPL</small>
          <span className={cpl.tone === null ? 'z-quiet' : `z-${cpl.tone}`}>
            {why('cpl', 'Средний CPL', explainCostPerLead(spent, leads).formula, cpl.text)}{' '}
            <span aria-hidden="true">{cpl.sign}</span>
          </span>
        </span>
      </div>
      <dl>
        <div>
          <dt>Бюджет</dt>
          <dd className="z-fits">
            {why('budget', 'Бюджет', 'задан участнику в настройках кампании', formatRoubles(budget))}
          </dd>
        </div>
        <div>
          <dt>Потрачено</dt>
          <dd className="z-fits">
            {why('spent', 'Потрачено', 'цены размещений сотрудника вместе', formatRoubles(spent))}
          </dd>
        </div>
        <div>
          <dt>Остаток</dt>
          <dd className={remainder < 0 ? 'z-fits z-bad' : 'z-fits'}>
            {why(
              'remaining',
              'Остаток',
              `${formatRoubles(budget)} − ${formatRoubles(spent)} = ${formatRoubles(remainder)}`,
              formatRoubles(remainder),
            )}
          </dd>
        </div>
      </dl>
      <Meter value={use.width} tone={use.tone ?? 'neutral'} label={`Бюджет: ${user.name}`} text={use.text} />
      <div className="z-employee-foot z-fits">
        <span className={use.tone === null ? 'z-quiet' : `z-${use.tone}`}>
          {why(
            'budgetUse',
            'Использование бюджета',
            explainBudgetUse(spent, budget).formula,
            <Fitted short={use.short}>{use.text}</Fitted>,
          )}
        </span>
        {isAwaited && (
          <span>
            Заработок <b>…</b>
          </span>
        )}
        {earnings && (
          <span>
            Заработок{' '}
            <b>
              {why(
                'earnings',
                'Заработок',
                <Earned earnings={earnings} />,
                formatRoublesExact(money(earnings.earnings)),
              )}
            </b>
          </span>
        )}
      </div>
    </li>
  );
};

/** What each buyer and team lead has, spent and earned in the campaign. */
export const EmployeeCards = ({
  campaignId,
  employees,
  isWhole,
}: {
  readonly campaignId: string;
  readonly employees: readonly EmployeeFigures[];
  /** Nothing of the campaign is still on its way: what is not there of them is nowhere. */
  readonly isWhole: boolean;
}) => {
  const [expanded, toggle] = useExpanded('employeeAnalyticsExpanded');
  const moment = useMoment();
  // Rights are those of now, also where the past is shown.
  const { actor } = useRights();
  if (employees.length === 0) return null;
  const visible = employees.flatMap((one) => (one.earnings ? [money(one.earnings.earnings)] : []));
  const total = kopecks(visible.reduce((all, one) => all + one, 0));
  const seesAll = may(actor, 'earnings.read', { userId: '' }).allowed;
  const isAwaited = ({ user, earnings }: EmployeeFigures): boolean =>
    !isWhole && earnings === null && may(actor, 'earnings.read', { userId: user.id }).allowed;
  const parts = visible.map((one) => formatRoublesExact(one)).join(' + ');
  return (
    <Collapsible
      title="Сотрудники"
      count={employees.length}
      expanded={expanded}
      onToggle={toggle}
      aside={
        employees.some(isAwaited)
          ? 'заработок …'
          : visible.length > 0 && (
              <>
                {moment === null ? 'заработок' : 'заработок на этот момент'}{' '}
                <Figure
                  label={seesAll ? 'Заработок всех' : 'Заработок'}
                  formula={`${parts} = ${formatRoublesExact(total)}`}
                  about={
                    seesAll
                      ? { of: 'campaign', id: campaignId, figure: 'allEarnings' }
                      : { of: 'campaign', id: campaignId, figure: 'earnings', userId: actor.userId }
                  }
                >
                  <b>
                    <Fitted>{formatRoublesExact(total)}</Fitted>
                  </b>
                </Figure>
              </>
            )
      }
    >
      <ul className="z-employee-cards">
        {employees.map((one) => (
          <EmployeeCard key={one.user.id} campaignId={campaignId} one={one} isAwaited={isAwaited(one)} />
        ))}
      </ul>
    </Collapsible>
  );
};

import type { EarningsWire } from '@zakup/contracts/entities';
import { formatRoubles, formatRoublesExact, kopecks } from '@zakup/domain/money';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import { Collapsible } from './collapsible.tsx';
import { Figure } from '../../shared/why/figure.tsx';
import { type EmployeeFigures, money, termsText } from '../../shared/campaign/figures.ts';
import { useExpanded } from './use-expanded.ts';

const sum = (lines: readonly { readonly price: number }[]): string =>
  formatRoubles(kopecks(lines.reduce((total, line) => total + money(line.price), 0)));

const Earned = ({ earnings }: { readonly earnings: EarningsWire }) => (
  <>
    {termsText(earnings)}. Засчитано {earnings.counted.length} на {sum(earnings.counted)}
    {earnings.leftOut.length > 0 && `, не засчитано ${earnings.leftOut.length} на ${sum(earnings.leftOut)}`}
    {earnings.zeroLeads.count > 0 &&
      `. Без лидов засчитано: ${earnings.zeroLeads.count} на ${formatRoubles(money(earnings.zeroLeads.price))}`}
  </>
);

/** What each buyer and team lead has, spent and earned in the campaign. */
export const EmployeeCards = ({ employees }: { readonly employees: readonly EmployeeFigures[] }) => {
  const [expanded, toggle] = useExpanded('employeeAnalyticsExpanded');
  if (employees.length === 0) return null;
  const visible = employees.flatMap((one) => (one.earnings ? [money(one.earnings.earnings)] : []));
  const total = kopecks(visible.reduce((all, one) => all + one, 0));
  return (
    <Collapsible
      title="Сотрудники"
      count={employees.length}
      expanded={expanded}
      onToggle={toggle}
      aside={
        visible.length > 0 && (
          <>
            заработок <b>{formatRoublesExact(total)}</b>
          </>
        )
      }
    >
      <ul className="z-employees">
        {employees.map(({ user, budget, spent, remainder, use, cpl, earnings, terms }) => (
          <li key={user.id} className="z-panel z-employee">
            <div className="z-employee-who">
              <Avatar name={user.name} id={user.id} />
              <span>
                <b>{user.name}</b>
                {terms !== null && <small>{terms}</small>}
              </span>
              <span className="z-employee-cpl">
                <small>Средний CPL</small>
                <span className={cpl.tone === null ? 'z-quiet' : `z-${cpl.tone}`}>
                  {cpl.text} <span aria-hidden="true">{cpl.sign}</span>
                </span>
              </span>
            </div>
            <dl>
              <div>
                <dt>Бюджет</dt>
                <dd>{formatRoubles(budget)}</dd>
              </div>
              <div>
                <dt>Потрачено</dt>
                <dd>{formatRoubles(spent)}</dd>
              </div>
              <div>
                <dt>Остаток</dt>
                <dd className={budget > 0 && remainder < 0 ? 'z-bad' : undefined}>{formatRoubles(remainder)}</dd>
              </div>
            </dl>
            <Meter value={use.width} tone={use.tone ?? 'neutral'} label={`Бюджет: ${user.name}`} text={use.text} />
            <div className="z-employee-foot">
              <span className={use.tone === null ? 'z-quiet' : `z-${use.tone}`}>{use.text}</span>
              {earnings && (
                <span>
                  Заработок{' '}
                  <Figure label={`Заработок, ${user.name}`} formula={<Earned earnings={earnings} />}>
                    <b>{formatRoublesExact(money(earnings.earnings))}</b>
                  </Figure>
                </span>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Collapsible>
  );
};

import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import { formatRoubles, formatRoublesExact, type Kopecks, kopecks } from '@zakup/domain/money';
import type { ReactNode } from 'react';
import { money } from '../../shared/money/roubles.ts';
import { placementsText } from '../../shared/salary/salary-lines.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';

const sumOf = (rows: readonly SalaryRowWire[], roublesOf: (row: SalaryRowWire) => number): Kopecks =>
  kopecks(rows.reduce((sum, row) => sum + money(roublesOf(row)), 0));

/** Of everybody together; it opens with what each has in it. */
const Total = ({
  label,
  rows,
  roublesOf,
  show = formatRoubles,
}: {
  readonly label: string;
  readonly rows: readonly SalaryRowWire[];
  readonly roublesOf: (row: SalaryRowWire) => number;
  readonly show?: (sum: Kopecks) => string;
}) => (
  <Figure
    label={`${label}, итого`}
    formula="суммы всех строк отчёта вместе"
    lines={
      <div className="z-why-lines">
        <table aria-label={`${label} по сотрудникам`}>
          <tbody>
            {rows.map((row) => (
              <tr key={row.userId}>
                <td>{row.name}</td>
                <td className="z-right">{formatRoublesExact(money(roublesOf(row)))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    }
  >
    {show(sumOf(rows, roublesOf))}
  </Figure>
);

/** How many placements and their prices together; none are no louder than a dash. */
export const Counted = ({ count, children }: { readonly count: number; readonly children: ReactNode }) => (
  <span className={count === 0 ? 'z-quiet' : undefined}>
    {placementsText(count)}, {children}
  </span>
);

/** The last row of the report: all its rows together. */
export const SalaryTotal = ({ rows }: { readonly rows: readonly SalaryRowWire[] }) => (
  <tfoot>
    <tr>
      <th scope="row">Итого</th>
      <td className="z-right" data-label="Засчитано">
        <Counted count={rows.reduce((sum, { countedTotal }) => sum + countedTotal.count, 0)}>
          <Total label="Засчитано" rows={rows} roublesOf={({ countedTotal }) => countedTotal.price} />
        </Counted>
      </td>
      <td className="z-right" data-label="Не засчитано">
        <Counted count={rows.reduce((sum, { leftOutTotal }) => sum + leftOutTotal.count, 0)}>
          <Total label="Не засчитано" rows={rows} roublesOf={({ leftOutTotal }) => leftOutTotal.price} />
        </Counted>
      </td>
      <td className="z-salary-none z-right">—</td>
      <td className="z-right" data-label="Бонус">
        <b>
          <Total
            label="Бонус"
            rows={rows}
            roublesOf={({ salaryReportBonus }) => salaryReportBonus}
            show={formatRoublesExact}
          />
        </b>
      </td>
    </tr>
  </tfoot>
);

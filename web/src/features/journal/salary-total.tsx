import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import { formatRoubles, formatRoublesExact, type Kopecks, kopecks } from '@zakup/domain/money';
import type { ReactNode } from 'react';
import { money } from '../../shared/money/roubles.ts';
import { placementsText } from '../../shared/salary/salary-lines.tsx';
import { DataTable } from '../../shared/table/data-table.tsx';
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
        <DataTable
          label={`${label} по сотрудникам`}
          columns={[
            { id: 'name', cell: ({ name }) => name },
            { id: 'sum', align: 'right', cell: (row) => formatRoublesExact(money(roublesOf(row))) },
          ]}
          rows={rows}
          rowId={({ userId }) => userId}
        />
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

/** What closes the columns of the report: all its rows together. */
export const salarySums = (rows: readonly SalaryRowWire[]) => ({
  counted: (
    <Counted count={rows.reduce((sum, { countedTotal }) => sum + countedTotal.count, 0)}>
      <Total label="Засчитано" rows={rows} roublesOf={({ countedTotal }) => countedTotal.price} />
    </Counted>
  ),
  leftOut: (
    <Counted count={rows.reduce((sum, { leftOutTotal }) => sum + leftOutTotal.count, 0)}>
      <Total label="Не засчитано" rows={rows} roublesOf={({ leftOutTotal }) => leftOutTotal.price} />
    </Counted>
  ),
  bonus: (
    <b>
      <Total
        label="Бонус"
        rows={rows}
        roublesOf={({ salaryReportBonus }) => salaryReportBonus}
        show={formatRoublesExact}
      />
    </b>
  ),
});

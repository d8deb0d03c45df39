import { averageCpl } from '@zakup/domain/analytics/sums';
import type { Day } from '@zakup/domain/calendar';
import { formatRoubles, formatRoublesExact } from '@zakup/domain/money';
import { formatNumber, plural } from '@zakup/domain/russian';
import { showPeriod } from '../../../shared/day/shown-day.ts';
import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { type Grouping as RowGrouping, rowGroups } from '../../../shared/table/arranged-groups.ts';
import type { RowGroups } from '../../../shared/table/grid-groups.ts';
import { sumsOfRows } from '../totals/selection-sums.ts';
import type { Grouping } from '@zakup/domain/views/view-parameters';
import type { PlacementRow } from './placement-row.ts';

export { closedGroupsOf, rememberClosedGroups } from './closed-groups.ts';

const dayMs = 86_400_000;
const dayAfter = (day: Day, days: number): Day => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The Monday of the week of a day. */
export const mondayOf = (day: Day): Day => dayAfter(day, -((new Date(day).getUTCDay() + 6) % 7));

const members: Readonly<Record<Grouping, Pick<RowGrouping<PlacementRow>, 'keyOf' | 'labelOf'>>> = {
  buyer: { keyOf: ({ placement }) => placement.buyerId, labelOf: ({ buyerName }) => buyerName },
  creative: { keyOf: ({ placement }) => placement.creativeId, labelOf: ({ creativeName }) => creativeName },
  week: {
    keyOf: ({ placement }) => mondayOf(placement.date),
    labelOf: ({ placement }) => {
      const monday = mondayOf(placement.date);
      return showPeriod(monday, dayAfter(monday, 6));
    },
  },
};

/** «12 размещений · 64 800 ₽ · Приход: 340 · CPL: 190,59 ₽»: by the formulas of every sum; what is being removed is a row and does not count. */
export const groupText = (rows: readonly PlacementRow[]): string => {
  const sums = sumsOfRows(rows);
  return [
    `${formatNumber(rows.length)} ${plural(rows.length, 'размещение', 'размещения', 'размещений')}`,
    formatRoubles(sums.spent),
    `Приход: ${formatNumber(sums.leads)}`,
    `CPL: ${sums.leads === 0 ? '—' : formatRoublesExact(averageCpl(sums))}`,
  ].join(' · ');
};

/** Placements in groups: weeks as the days stand in the order of the table, others by name. `closed`: keys of those that are. */
export const placementGroups = (
  grouping: Grouping,
  { columnId, order }: GridSorting,
  closed: ReadonlySet<string>,
  onToggle: (key: string) => void,
): RowGroups<PlacementRow> => {
  const { keyOf, labelOf } = members[grouping];
  const direction = columnId === 'date' && order === 'desc' ? -1 : 1;
  return rowGroups({
    keyOf: (row) => `${grouping}:${keyOf(row)}`,
    labelOf,
    compare: ([keyA, a], [keyB, b]) =>
      (grouping === 'week' ? direction * (keyA < keyB ? -1 : keyA > keyB ? 1 : 0) : a.localeCompare(b, 'ru')) ||
      (keyA < keyB ? -1 : 1),
    sayOf: groupText,
    isOpen: (key) => !closed.has(key),
    toggle: onToggle,
  });
};

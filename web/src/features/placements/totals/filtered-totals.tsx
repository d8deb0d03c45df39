import type { PlacementTotalsWire } from '@zakup/contracts/wire-entities';
import { presentSummary } from '@zakup/contracts/to-wire';
import { explainFigure, figureTitles } from '@zakup/domain/analytics/figures';
import { campaignSummary } from '@zakup/domain/analytics/summary';
import { addTotals, noTotals, type PaidLine, shiftTotals, type Totals, totalsOf } from '@zakup/domain/analytics/sums';
import { kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { operandsOf, summedLine } from '../../../shared/campaign/operands.ts';
import { money, roubles } from '../../../shared/money/roubles.ts';
import type { GridColumn, TotalsCell } from '../../../shared/table/grid-column.ts';
import { changedRows } from '../../../shared/table/incremental-list.ts';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { Skeleton } from '../../../shared/ui/states.tsx';
import { Figure } from '../../../shared/explanations/figure.tsx';
import type { LineagePart } from '../../../shared/explanations/lineage.ts';
import type { FilteredFigure } from './filtered-parts.ts';
import { CplMark, Unsettled } from '../columns/placement-marks.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';
import { areSumsOpen, isAwaited } from '../../../shared/predictions/predicted-totals.ts';

type Fits = (row: PlacementRow) => boolean;

const asDecided = (row: PlacementRow): PlacementRow => ({ ...row, placement: row.decided });

const isQuiet = ({ kind, entries }: PlacementRow): boolean => kind === 'stored' && entries.length === 0;

const movingRows = (moving: readonly PlacementRow[], fits: Fits): readonly PlacementRow[] =>
  moving.filter((row) => row.counted && fits(asDecided(row)));

/**
 * The rows that filtered totals count: those whose decided values fit. A row kept in sight for what it has to say is none of them, and one
 * that only a typed value put out of sight still is. `moving`: all rows for which something is on its way.
 */
export const filteredRows = (
  shown: readonly PlacementRow[],
  moving: readonly PlacementRow[],
  fits: Fits,
): readonly PlacementRow[] => [...shown.filter(isQuiet), ...movingRows(moving, fits)];

/** Whether filtered totals do not follow something that was typed: in a row they count, or about whether they count it. */
export const areFilteredSumsOpen = (moving: readonly PlacementRow[], fits: Fits): boolean =>
  moving.filter(isAwaited).some((row) => {
    const [typed, decided] = [fits(row), row.counted && fits(asDecided(row))];
    return (typed || decided) && (areSumsOpen([row]) || (typed !== decided && Object.keys(row.typed).length > 0));
  });

/** One at a time: rows are many. */
function* countedLines(rows: readonly PlacementRow[]): Generator<PaidLine> {
  for (const { counted, decided } of rows) if (counted) yield summedLine(decided);
}

/**
 * The totals of `filteredRows`, by the same rows: kept of those for which nothing is on its way, so that a change among 100,000 is put in alone.
 */
export const filteredSums = () => {
  let known: readonly PlacementRow[] = [];
  let kept: Totals = noTotals;
  return (shown: readonly PlacementRow[], moving: readonly PlacementRow[], fits: Fits): Totals => {
    const change = changedRows(known, shown);
    if (change === null) kept = totalsOf(countedLines(shown.filter(isQuiet)));
    else {
      for (const line of countedLines(change.gone.filter(isQuiet))) kept = shiftTotals(kept, line, -1);
      for (const line of countedLines(change.come.filter(isQuiet))) kept = shiftTotals(kept, line, 1);
    }
    known = shown;
    return addTotals(kept, totalsOf(countedLines(movingRows(moving, fits))));
  };
};

const inRoubles = (totals: Totals) => {
  const { spentBudget, paidBudget, unpaidBudget, totalLeads } = presentSummary(campaignSummary(kopecks(0), totals));
  return { spent: spentBudget, paid: paidBudget, unpaid: unpaidBudget, leads: totalLeads };
};

/** Sums over rows, in roubles, from what is decided of them; what is being removed does not count. */
export const sumsOf = (rows: readonly PlacementRow[]) => inRoubles(totalsOf(countedLines(rows)));

const LazyLines = lazyPart(async () => (await import('./filtered-lines.tsx')).FilteredLines, {
  waiting: <Skeleton rows={4} height={25} label="Загрузка расчёта" />,
});

export interface Filtered {
  readonly campaignId: string;
  /** The filters that are on, in words, and as the server is asked. */
  readonly filters: string;
  readonly part: LineagePart;
  /** The rows that fit them, asked for by whoever looks at them. */
  readonly fitting: () => readonly PlacementRow[];
  /** Of these rows. */
  readonly totals: Totals;
  /** The whole table. */
  readonly all: readonly PlacementRow[];
  /** Why a row does not fit; null = it does. */
  readonly whyUnfit: (row: PlacementRow) => string | null;
}

/** The figures of a totals row, in roubles, each as `why` shows it. */
const filteredCells = (
  { spent, paid, unpaid, leads }: ReturnType<typeof sumsOf>,
  count: string,
  why: (figure: FilteredFigure, shown: ReactNode) => ReactNode,
): readonly TotalsCell[] => [
  { columnId: 'date', span: 1, content: <b>Итого по фильтру</b> },
  { columnId: 'contractor', span: 1, content: <span className="z-second">{why('placements', count)}</span> },
  { columnId: 'price', span: 1, content: <b>{why('spent', roubles(spent))}</b> },
  { columnId: 'leads', span: 1, content: <b>{why('leads', formatNumber(leads))}</b> },
  { columnId: 'cpl', span: 1, content: <b>{why('cpl', <CplMark price={spent} leads={leads} />)}</b> },
  {
    columnId: 'creative',
    span: 6,
    content: (
      <span className="z-second">
        оплачено {why('paid', roubles(paid))} · не оплачено {why('unpaid', roubles(unpaid))}
      </span>
    ),
  },
];

/** The same as the server told it, while the rows are on their way that would explain it. `all`: how many rows the table will have. */
export const askedTotals = ({ price, paid, unpaid, leads, count }: PlacementTotalsWire, all: number) =>
  filteredCells(
    { spent: price, paid, unpaid, leads },
    `${formatNumber(count)} из ${formatNumber(all)}`,
    (_, shown) => shown,
  );

/** The totals row of the rows that fit the filters. */
export const filteredTotals = ({ filters, ...filtered }: Filtered): readonly TotalsCell[] => {
  const { campaignId, totals, all } = filtered;
  const sums = inRoubles(totals);
  const { spent, paid, leads } = sums;
  const operands = operandsOf({ spent: money(spent), paid: money(paid), leads, placements: totals.placements });
  const why = (figure: FilteredFigure, shown: ReactNode) => (
    <Figure
      label={`${figureTitles[figure]} по фильтру`}
      formula={`${explainFigure(figure, operands).formula} (фильтр – ${filters})`}
      lines={<LazyLines figure={figure} {...filtered} />}
      scope={`campaign:${campaignId}`}
    >
      {shown}
    </Figure>
  );
  return filteredCells(sums, `${formatNumber(totals.placements)} из ${formatNumber(all.length)}`, why);
};

/** The same totals, their figures marked while they do not follow what was typed. */
export const markedTotals = (cells: readonly TotalsCell[], isOpen: boolean): readonly TotalsCell[] =>
  cells.map((cell) =>
    cell.columnId === 'date' ? cell : { ...cell, content: <Unsettled isOpen={isOpen}>{cell.content}</Unsettled> },
  );

/** Totals of the whole table laid over the columns that are shown, in their order: each cell covers the longest part of its columns that lie together. */
export const laidTotals = (
  cells: readonly TotalsCell[],
  all: readonly GridColumn<PlacementRow>[],
  shown: readonly GridColumn<PlacementRow>[],
): readonly TotalsCell[] => {
  const owners = new Map<string, TotalsCell>();
  let owner = cells[0];
  for (const { id } of all) {
    owner = cells.find(({ columnId }) => columnId === id) ?? owner;
    if (owner) owners.set(id, owner);
  }
  const runs: { readonly cell: TotalsCell; readonly columnId: string; readonly pinned: unknown; span: number }[] = [];
  for (const { id, pinned } of shown) {
    const cell = owners.get(id);
    const last = runs.at(-1);
    if (!cell) continue;
    if (last?.cell === cell && last.pinned === pinned) last.span += 1;
    else runs.push({ cell, columnId: id, pinned, span: 1 });
  }
  const longest = new Map<TotalsCell, (typeof runs)[number]>();
  for (const run of runs) if (run.span > (longest.get(run.cell)?.span ?? 0)) longest.set(run.cell, run);
  return runs
    .filter((run) => longest.get(run.cell) === run)
    .map(({ cell, columnId, span }) => ({ ...cell, columnId, span }));
};

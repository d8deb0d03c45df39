import { explainFigure, figureTitles, type Figure as FigureName } from '@zakup/domain/analytics/figures';
import { showDate } from '@zakup/domain/calendar';
import { formatRoubles, formatRoublesExact, kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { money } from '../../shared/campaign/figures.ts';
import { Figure } from '../../shared/why/figure.tsx';
import type { CsvCell } from '../../shared/export/csv.ts';
import type { ChartTable } from './chart-card.tsx';
import type { DayPoint, PricePoint } from './report-figures.ts';

const roubleCell = (cell: CsvCell): string =>
  cell === null ? '—' : typeof cell === 'number' ? formatRoublesExact(money(cell)) : cell;
const numberCell = (cell: CsvCell): string => (typeof cell === 'number' ? formatNumber(cell) : (cell ?? '—'));

/** Columns of the table by day, after the date. */
const dayFigures = ['spent', 'leads', 'cpl'] as const satisfies readonly FigureName[];

/** A figure of one day, by its placements. */
const DayFigure = ({
  point,
  figure,
  children,
}: {
  readonly point: DayPoint | undefined;
  readonly figure: (typeof dayFigures)[number] | undefined;
  readonly children: ReactNode;
}) => {
  if (point === undefined || figure === undefined) return children;
  const spent = money(point.spent);
  const formula = {
    spent: `цены размещений этого дня вместе: ${formatRoubles(spent)}`,
    leads: `приход размещений этого дня вместе: ${formatNumber(point.leads)}`,
    cpl: explainFigure('cpl', {
      totals: { spent, paid: kopecks(0), leads: point.leads, placements: 0 },
      totalBudget: kopecks(0),
      buyers: 0,
      creatives: 0,
      leadValue: kopecks(0),
    }).formula,
  }[figure];
  return (
    <Figure label={`${figureTitles[figure]}, ${showDate(point.date)}`} formula={formula}>
      {children}
    </Figure>
  );
};

/** Columns of the table of contractors, after the name. */
const contractorFigures = ['averagePrice', 'cpl', 'placements'] as const satisfies readonly FigureName[];

/** A figure of one contractor in the campaign. */
const ContractorFigure = ({
  campaignId,
  point,
  figure,
  children,
}: {
  readonly campaignId: string;
  readonly point: PricePoint | undefined;
  readonly figure: (typeof contractorFigures)[number] | undefined;
  readonly children: ReactNode;
}) => {
  if (point === undefined || figure === undefined) return children;
  const formula = {
    averagePrice: 'потрачено у контрагента ÷ число размещений у него',
    cpl: 'потрачено у контрагента ÷ приход от него',
    placements: 'размещения кампании у контрагента',
  }[figure];
  return (
    <Figure
      label={`${figureTitles[figure]}, ${point.nick}`}
      formula={formula}
      about={{ of: 'campaign', id: campaignId, figure, contractorId: point.contractorId }}
    >
      {children}
    </Figure>
  );
};

/** Cells of the table by day. */
export const dayCells = (points: readonly DayPoint[]): ChartTable['show'] =>
  function dayCell(cell, column, row) {
    if (column === 0) return showDate(String(cell));
    return (
      <DayFigure point={points[row]} figure={dayFigures[column - 1]}>
        {column === 2 ? numberCell(cell) : roubleCell(cell)}
      </DayFigure>
    );
  };

/** Cells of the table of contractors in a campaign. */
export const contractorCells = (points: readonly PricePoint[], campaignId: string): ChartTable['show'] =>
  function contractorCell(cell, column, row) {
    if (column === 0) return cell;
    return (
      <ContractorFigure campaignId={campaignId} point={points[row]} figure={contractorFigures[column - 1]}>
        {column === 3 ? numberCell(cell) : roubleCell(cell)}
      </ContractorFigure>
    );
  };

const burnWords: readonly (readonly [label: string, formula: string])[] = [
  ['Потрачено к этому дню', 'цены размещений с начала кампании по этот день вместе'],
  ['Прогноз к этому дню', 'потрачено до сих пор и средний расход в день до этой даты'],
  ['План к этому дню', 'бюджет поровну на все дни кампании'],
];

/** Cells of the table of budget and forecast. */
export const burnCells: ChartTable['show'] = (cell, column) => {
  const words = burnWords[column - 1];
  if (words === undefined) return showDate(String(cell));
  if (cell === null) return '—';
  const [label, formula] = words;
  return (
    <Figure label={label} formula={formula}>
      {roubleCell(cell)}
    </Figure>
  );
};

import { explainFigure, figureTitles, type Figure as FigureName } from '@zakup/domain/analytics/figures';
import { showDate } from '../../shared/day/shown-day.ts';
import { formatRoubles, formatRoublesExact } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { money } from '../../shared/campaign/figures.ts';
import { operandsOf } from '../../shared/campaign/operands.ts';
import type { CsvCell } from '../../shared/export/csv.ts';
import { Figure } from '../../shared/explanations/figure.tsx';
import type { ChartTable } from '../../shared/charts/chart-card.tsx';
import type { BurnPoint, DayPoint, PricePoint } from './report-figures.ts';

const roubleCell = (cell: CsvCell): string =>
  cell === null ? '—' : typeof cell === 'number' ? formatRoublesExact(money(cell)) : cell;
const numberCell = (cell: CsvCell): string => (typeof cell === 'number' ? formatNumber(cell) : (cell ?? '—'));

/** Columns of the table by day, after the date. */
const dayFigures = ['spent', 'leads', 'cpl'] as const satisfies readonly FigureName[];

/** A figure of one day, by its placements. */
const DayFigure = ({
  campaignId,
  point,
  figure,
  children,
}: {
  readonly campaignId: string;
  readonly point: DayPoint | undefined;
  readonly figure: (typeof dayFigures)[number] | undefined;
  readonly children: ReactNode;
}) => {
  if (point === undefined || figure === undefined) return children;
  const spent = money(point.spent);
  const formula = {
    spent: `цены размещений этого дня вместе: ${formatRoubles(spent)}`,
    leads: `приход размещений этого дня вместе: ${formatNumber(point.leads)}`,
    cpl: explainFigure('cpl', operandsOf({ spent, leads: point.leads, placements: 0 })).formula,
  }[figure];
  return (
    <Figure
      label={`${figureTitles[figure]}, ${showDate(point.date)}`}
      formula={formula}
      about={{ of: 'campaign', id: campaignId, figure, from: point.date, to: point.date }}
    >
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
export const dayCells = (points: readonly DayPoint[], campaignId: string): ChartTable['show'] =>
  function dayCell(cell, column, row) {
    if (column === 0) return showDate(String(cell));
    return (
      <DayFigure campaignId={campaignId} point={points[row]} figure={dayFigures[column - 1]}>
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

/** Columns of the table of budget and forecast, after the date: what each says, and what the server is asked about it. */
const burnColumns: readonly (readonly [label: string, formula: string, figure: FigureName])[] = [
  ['Потрачено к этому дню', 'цены размещений с начала кампании по этот день вместе', 'spent'],
  ['Прогноз к этому дню', 'потрачено до сих пор и средний расход в день до этой даты', 'spent'],
  ['План к этому дню', 'бюджет поровну на все дни кампании', 'budget'],
];

/** Cells of the table of budget and forecast. */
export const burnCells = (points: readonly BurnPoint[], campaignId: string): ChartTable['show'] =>
  function burnCell(cell, column, row) {
    const words = burnColumns[column - 1];
    if (words === undefined) return showDate(String(cell));
    if (cell === null) return '—';
    const [label, formula, figure] = words;
    // Only what was spent is of the days up to this one.
    const to = column === 1 ? points[row]?.date : undefined;
    return (
      <Figure
        label={label}
        formula={formula}
        about={{ of: 'campaign', id: campaignId, figure, ...(to !== undefined && { to }) }}
      >
        {roubleCell(cell)}
      </Figure>
    );
  };

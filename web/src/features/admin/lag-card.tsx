import type { ReactNode } from 'react';
import { ChartCard, chartWaiting } from '../../shared/charts/chart-card.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { lagFinding, type LagHour, millisecondsFigure, minuteText } from './lag-hour.ts';

const height = 210;

const LagChart = lazyPart(async () => (await import('./lag-chart.tsx')).LagChart, { waiting: chartWaiting(height) });

const cell = (value: string | number | boolean | null): ReactNode =>
  typeof value === 'number' ? millisecondsFigure(value) : (value ?? 'не собирались');

/** How far behind the log readers were in each minute of the last hour. */
export const LagCard = ({ hour }: { readonly hour: LagHour }) => (
  <ChartCard
    title="Отставание чтения, последний час"
    finding={lagFinding(hour)}
    fileName="отставание-чтения"
    height={height}
    table={{
      header: ['Минута', 'Отставание, мс'],
      rows: hour.points.map(({ at, lag }) => [minuteText(at), lag]),
      show: cell,
    }}
  >
    <LagChart points={hour.points} />
  </ChartCard>
);

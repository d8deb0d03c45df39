import { formatRoubles } from '@zakup/domain/money';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { money } from '../../shared/campaign/figures.ts';
import { axis, axisText, chartMargin } from '../../shared/charts/chart-axis.ts';
import { dayTicks, fullDate, roughRoubles, roundUp } from '../../shared/charts/chart-text.ts';
import { ChartTip, tipOf } from '../../shared/charts/chart-tip.tsx';
import type { BurnPoint } from './report-figures.ts';

const sum = (roubles: number | null): string => (roubles === null ? '—' : formatRoubles(money(roubles)));

const tip = tipOf<BurnPoint>((day) => (
  <ChartTip
    title={fullDate(day.date)}
    lines={[day.fact === null ? ['Прогноз', sum(day.forecast)] : ['Потрачено', sum(day.fact)], ['План', sum(day.plan)]]}
  />
));

/** What was spent by each day, against the budget, an even pace and what is to be expected. */
export const BurnChart = ({
  points,
  budget,
}: {
  readonly points: readonly BurnPoint[];
  /** Roubles. */
  readonly budget: number;
}) => {
  const most = Math.max(budget, ...points.flatMap(({ fact, forecast, plan }) => [fact ?? 0, forecast ?? 0, plan ?? 0]));
  const top = roundUp(most * 1.04);
  // Far below what was spent, the word stands above its line: under it are the curves.
  const budgetWord = budget < top / 3 ? 'insideBottomLeft' : 'insideTopLeft';
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={[...points]} margin={chartMargin} accessibilityLayer>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="date" {...axis} {...dayTicks(points.map(({ date }) => date))} />
        <YAxis {...axis} width={60} tickFormatter={roughRoubles} domain={[0, top]} />
        <Tooltip content={tip} isAnimationActive={false} cursor={{ stroke: 'var(--line-2)' }} />
        <ReferenceLine
          y={budget}
          stroke="var(--bad-fill)"
          label={{ value: `бюджет ${roughRoubles(budget)}`, position: budgetWord, ...axisText }}
        />
        <Line
          dataKey="plan"
          name="План"
          stroke="var(--c5)"
          strokeDasharray="2 3"
          dot={false}
          isAnimationActive={false}
        />
        <Area
          dataKey="fact"
          name="Факт"
          stroke="var(--c1)"
          strokeWidth={2}
          fill="var(--accent-bg)"
          isAnimationActive={false}
        />
        <Line
          dataKey="forecast"
          name="Прогноз"
          stroke="var(--c2)"
          strokeWidth={2}
          strokeDasharray="6 4"
          dot={false}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
};

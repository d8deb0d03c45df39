import {
  Area,
  CartesianGrid,
  ComposedChart,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { axis, chartMargin } from '../../shared/charts/chart-axis.ts';
import { roundUp } from '../../shared/charts/chart-text.ts';
import { ChartTip, tipOf } from '../../shared/charts/chart-tip.tsx';
import { lagWarning, type LagPoint, millisecondsText, minuteText } from './lag-hour.ts';

const minute = 60_000;
/** Milliseconds at the top of a quiet hour: the threshold lies within. */
const leastTop = 75;

const tip = tipOf<LagPoint>(({ at, lag }) => (
  <ChartTip title={minuteText(at)} lines={[['Отставание', lag === null ? 'не собирались' : millisecondsText(lag)]]} />
));

/** The longest way of an event to its readers in each minute, against the threshold; minutes in which nobody was at work are a gap. */
export const LagChart = ({ points }: { readonly points: readonly LagPoint[] }) => {
  const last = points.at(-1)?.at ?? 0;
  const most = Math.max(...points.map(({ lag }) => lag ?? 0));
  const top = most < leastTop ? leastTop : roundUp(most * 1.1);
  const start = last - 60 * minute;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={[...points]} margin={{ ...chartMargin, right: 18 }} accessibilityLayer>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="at"
          type="number"
          {...axis}
          domain={[start, last]}
          ticks={[0, 15, 30, 45, 60].map((minutes) => start + minutes * minute)}
          interval={0}
          tickFormatter={minuteText}
        />
        <YAxis
          {...axis}
          width={60}
          domain={[0, top]}
          ticks={[0, 1, 2, 3].map((third) => (top * third) / 3)}
          tickFormatter={millisecondsText}
        />
        <Tooltip content={tip} isAnimationActive={false} cursor={{ stroke: 'var(--line-2)' }} />
        <ReferenceLine y={lagWarning} stroke="var(--bad-fill)" strokeDasharray="4 3" />
        <Area
          dataKey="lag"
          name="Отставание"
          stroke="var(--c1)"
          strokeWidth={2}
          fill="var(--accent-bg)"
          dot={points.length === 1}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
};

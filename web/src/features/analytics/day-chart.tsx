import { formatRoublesExact } from '@zakup/domain/money';
import { formatLeads, formatNumber } from '@zakup/domain/russian';
import { shortFigure } from '@zakup/domain/short-figure';
import {
  Bar,
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
import type { DayPoint } from './report-figures.ts';

/** A lead that costs more has a word instead of a place, or nobody would see the others. */
const dearestDrawn = 300;

/** Px: the axis at the left, and the names of the strips within the picture. */
const [axisWidth, nameWidth] = [64, 48];
const besideName = axisWidth + nameWidth;

/** So many leads have room beside the picture as they are. */
const widestTick = 1_000_000;
const leadsTick = (leads: number): string => {
  const text = formatNumber(leads);
  return leads < widestTick ? text : (shortFigure(text) ?? text);
};

/** Of what is far away, about as much. */
const priceWords = (cpl: number): string =>
  `${cpl < 10_000 ? formatRoublesExact(money(cpl)) : `${roughRoubles(cpl)}\u00a0₽`} ↑`;

interface Drawn extends DayPoint {
  /** Inside the strip. */
  readonly shownCpl: number | null;
  readonly beyond: boolean;
  /** What stands at the mark of what is beyond: the dearest one's price, or they would lie over each other. */
  readonly words: string | null;
  /** Where the words go: into the picture. */
  readonly side: 'start' | 'end';
}

const tip = tipOf<Drawn>((day) => (
  <ChartTip
    title={fullDate(day.date)}
    lines={[
      ['Расход', formatRoublesExact(money(day.spent))],
      ['Приход', day.leads === 0 ? 'лидов пока нет' : formatLeads(day.leads)],
      ['CPL', day.cpl === null ? '—' : formatRoublesExact(money(day.cpl))],
    ]}
  />
));

const Beyond = ({ cx, cy, payload }: { readonly cx?: number; readonly cy?: number; readonly payload?: Drawn }) => {
  if (cx === undefined || cy === undefined || payload === undefined || payload.shownCpl === null) return null;
  if (!payload.beyond) return <circle cx={cx} cy={cy} r={2} fill="var(--c2)" />;
  return (
    <g fill="var(--bad)">
      <path d="M-4,0 L4,0 L0,-7 Z" transform={`translate(${cx},${cy})`} />
      {payload.words !== null && (
        <text
          x={payload.side === 'start' ? Math.max(cx + 7, besideName) : cx - 7}
          y={cy - 1}
          textAnchor={payload.side}
          fontSize={11.5}
          fontWeight={600}
        >
          {payload.words}
        </text>
      )}
    </g>
  );
};

/** Days as they are drawn where the strip of the price of a lead ends at `cpl`; the dearest beyond it is told in words. */
const drawnWithin = (cpl: number, points: readonly DayPoint[]): readonly Drawn[] => {
  const dearest = Math.max(0, ...points.map((point) => point.cpl ?? 0));
  const dearestAt = points.findIndex((point) => point.cpl === dearest);
  return points.map((point, index) => ({
    ...point,
    shownCpl: point.cpl === null ? null : Math.min(point.cpl, cpl),
    beyond: (point.cpl ?? 0) > cpl,
    words: point.cpl !== null && index === dearestAt && point.cpl > cpl ? priceWords(point.cpl) : null,
    side: index * 2 < points.length ? 'start' : 'end',
  }));
};

/**
 * Spending, leads and the price of a lead in three strips above each other that share the days: each axis is stretched over the whole
 * height so that its own part of it is one strip, with room for the name of the next one between them.
 */
export const DayChart = ({ points }: { readonly points: readonly DayPoint[] }) => {
  const spent = roundUp(Math.max(...points.map((point) => point.spent)));
  const leads = roundUp(Math.max(...points.map((point) => point.leads)));
  const dearest = Math.max(0, ...points.map((point) => point.cpl ?? 0));
  const cpl = Math.min(dearestDrawn, Math.max(220, roundUp(dearest)));
  const drawn = drawnWithin(cpl, points);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart data={drawn} margin={{ ...chartMargin, top: 20 }} accessibilityLayer>
        <CartesianGrid vertical={false} stroke="var(--line)" yAxisId="spent" />
        <XAxis dataKey="date" {...axis} {...dayTicks(points.map(({ date }) => date))} />
        {/* Of its own, as bars of one axis stand side by side, each with a part of the day. */}
        <XAxis xAxisId="leads" dataKey="date" hide />
        <YAxis
          yAxisId="spent"
          domain={[-2.66 * spent, spent]}
          ticks={[spent / 2, spent]}
          tickFormatter={roughRoubles}
          {...axis}
          width={axisWidth}
        />
        <YAxis
          yAxisId="leads"
          domain={[-1.33 * leads, 2.33 * leads]}
          ticks={[leads / 2, leads]}
          tickFormatter={formatNumber}
          {...axis}
          width={0}
          mirror
          hide
        />
        <YAxis yAxisId="cpl" domain={[0, 3.66 * cpl]} ticks={[100, 200]} {...axis} width={0} hide />
        <Tooltip content={tip} isAnimationActive={false} cursor={{ fill: 'var(--hover)' }} />
        <Bar
          yAxisId="spent"
          dataKey="spent"
          name="Расход"
          fill="var(--c1)"
          radius={[2, 2, 0, 0]}
          isAnimationActive={false}
        />
        <Bar
          xAxisId="leads"
          yAxisId="leads"
          dataKey="leads"
          name="Приход"
          fill="var(--c3)"
          radius={[2, 2, 0, 0]}
          isAnimationActive={false}
        />
        {(
          [
            ['spent', spent, 'Расход, ₽'],
            ['leads', leads, 'Приход'],
            ['cpl', cpl, 'CPL, ₽'],
          ] as const
        ).map(([strip, top, name]) => (
          <ReferenceLine
            key={strip}
            yAxisId={strip}
            y={top}
            stroke="none"
            label={{ value: name, position: 'insideBottomLeft', offset: 2, ...axisText }}
          />
        ))}
        {[leads / 2, leads].map((tick) => (
          <ReferenceLine
            key={tick}
            yAxisId="leads"
            y={tick}
            stroke="none"
            label={{ value: leadsTick(tick), position: 'left', ...axisText }}
          />
        ))}
        <ReferenceLine
          yAxisId="cpl"
          y={100}
          stroke="var(--good-fill)"
          strokeDasharray="4 3"
          label={{ value: '100 ₽', position: 'left', ...axisText }}
        />
        <ReferenceLine
          yAxisId="cpl"
          y={200}
          stroke="var(--bad-fill)"
          strokeDasharray="4 3"
          label={{ value: '200 ₽', position: 'left', ...axisText }}
        />
        <Line
          yAxisId="cpl"
          dataKey="shownCpl"
          name="CPL"
          stroke="var(--c2)"
          strokeWidth={1.5}
          dot={<Beyond />}
          activeDot={false}
          connectNulls
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
};

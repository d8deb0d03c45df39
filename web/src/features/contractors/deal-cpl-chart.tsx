import { badCpl, goodCpl } from '@zakup/domain/analytics/cpl';
import { formatRoubles, formatRoublesExact, toRoubles } from '@zakup/domain/money';
import { formatLeads } from '@zakup/domain/russian';
import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { axis, axisText, chartMargin } from '../../shared/charts/chart-axis.ts';
import { roughRoubles } from '../../shared/charts/chart-text.ts';
import { ChartTip, tipOf } from '../../shared/charts/chart-tip.tsx';
import { type CplScale, cplScale } from './cpl-scale.ts';
import type { NamedDeals } from './deal-names.ts';

type NamedPoint = NamedDeals['points'][number];

interface Drawn extends NamedPoint {
  /** Inside the picture, roubles. */
  readonly height: number | null;
  readonly beyond: boolean;
  /** Of a mark beyond the picture, at its side. */
  readonly words: string | null;
  readonly side: 'start' | 'end';
}

const drawnOf = ({ points }: NamedDeals, { most, dearest }: CplScale): readonly Drawn[] =>
  points.map((point, index) => {
    const cpl = point.cpl === null ? null : toRoubles(point.cpl);
    const beyond = cpl !== null && cpl > most;
    return {
      ...point,
      height: cpl === null ? null : Math.min(cpl, most),
      beyond,
      words: beyond && point.id === dearest ? `${roughRoubles(cpl)} ₽` : null,
      side: index * 2 < points.length ? 'start' : 'end',
    };
  });

interface MarkProps {
  readonly cx?: number | undefined;
  readonly cy?: number | undefined;
  readonly payload?: Drawn | undefined;
}

const Mark = ({ cx, cy, payload }: MarkProps) => {
  if (cx === undefined || cy === undefined || payload === undefined || payload.height === null) return null;
  if (!payload.beyond) return <circle cx={cx} cy={cy} r={3} fill="var(--c2)" />;
  return (
    <g fill="var(--bad)">
      <path d="M-5,0 L5,0 L0,-8 Z" transform={`translate(${cx},${cy})`} />
      {payload.words !== null && (
        <text
          {...axisText}
          fill="var(--bad)"
          fontWeight={600}
          x={payload.side === 'start' ? cx + 8 : cx - 8}
          y={cy}
          textAnchor={payload.side}
        >
          {payload.words}
        </text>
      )}
    </g>
  );
};

/** What a lead from the contractor comes to, over time. */
export const DealCplChart = ({ deals, title }: { readonly deals: NamedDeals; readonly title: string }) => {
  const scale = cplScale(deals.points);
  const tip = tipOf<Drawn>((point) => (
    <ChartTip
      title={point.name}
      lines={[
        ['Расход', formatRoubles(point.spent)],
        ['Приход', point.leads === 0 ? 'лидов пока нет' : formatLeads(point.leads)],
        ['CPL', point.cpl === null ? '—' : formatRoublesExact(point.cpl)],
      ]}
    />
  ));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart
        data={[...drawnOf(deals, scale)]}
        margin={{ ...chartMargin, top: 14 }}
        title={title}
        accessibilityLayer
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="id" padding={{ left: 12, right: 12 }} {...axis} {...deals.ticks} />
        <YAxis {...axis} width={60} tickFormatter={roughRoubles} domain={[0, scale.most]} ticks={[...scale.ticks]} />
        <Tooltip content={tip} isAnimationActive={false} cursor={{ stroke: 'var(--line-2)' }} />
        <ReferenceLine y={toRoubles(goodCpl)} stroke="var(--good-fill)" strokeDasharray="4 3" />
        <ReferenceLine y={toRoubles(badCpl)} stroke="var(--bad-fill)" strokeDasharray="4 3" />
        <Line
          dataKey="height"
          name="CPL"
          stroke="var(--c2)"
          strokeWidth={2}
          dot={<Mark />}
          activeDot={false}
          connectNulls
          isAnimationActive={false}
        />
      </LineChart>
    </ResponsiveContainer>
  );
};

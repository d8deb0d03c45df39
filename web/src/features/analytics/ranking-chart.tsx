import { formatNumber } from '@zakup/domain/russian';
import { Bar, BarChart, CartesianGrid, LabelList, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { axis } from '../../shared/charts/chart-axis.ts';
import { roughRoubles } from '../../shared/charts/chart-text.ts';

export interface RankingPoint {
  readonly name: string;
  readonly value: number;
  /** At the end of the bar. */
  readonly label: string;
}

/** Lying bars, the longest first; `money`: the axis is in roubles. */
export const RankingChart = ({
  points,
  money = false,
  colour,
}: {
  readonly points: readonly RankingPoint[];
  readonly money?: boolean;
  readonly colour: string;
}) => (
  <ResponsiveContainer width="100%" height="100%">
    <BarChart
      data={[...points]}
      layout="vertical"
      margin={{ top: 0, right: 88, bottom: 0, left: 8 }}
      accessibilityLayer
    >
      <CartesianGrid horizontal={false} stroke="var(--line)" />
      <XAxis type="number" {...axis} tickFormatter={money ? roughRoubles : formatNumber} />
      <YAxis type="category" dataKey="name" {...axis} width={132} />
      <Bar dataKey="value" fill={colour} radius={[0, 2, 2, 0]} isAnimationActive={false} maxBarSize={18}>
        <LabelList dataKey="label" position="right" fill="var(--text-2)" fontSize={11.5} />
      </Bar>
    </BarChart>
  </ResponsiveContainer>
);

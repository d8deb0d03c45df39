import { formatRoubles, formatRoublesExact, toRoubles } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { axis, chartMargin } from '../../shared/charts/chart-axis.ts';
import { roughRoubles, roundUp } from '../../shared/charts/chart-text.ts';
import { ChartTip, tipOf } from '../../shared/charts/chart-tip.tsx';
import type { NamedDeals } from './deal-names.ts';

type NamedPoint = NamedDeals['points'][number];

interface Drawn extends NamedPoint {
  /** Roubles. */
  readonly height: number;
}

/** What a placement with the contractor costs, over time. */
export const DealPriceChart = ({ deals, title }: { readonly deals: NamedDeals; readonly title: string }) => {
  const drawn = deals.points.map((point): Drawn => ({ ...point, height: toRoubles(point.price) }));
  const most = roundUp(Math.max(...drawn.map(({ height }) => height)));
  const tip = tipOf<Drawn>((point) => (
    <ChartTip
      title={point.name}
      lines={
        deals.span === 'placement'
          ? [['Цена', formatRoubles(point.price)]]
          : [
              ['Средняя цена', formatRoublesExact(point.price)],
              ['Размещения', formatNumber(point.placements)],
            ]
      }
    />
  ));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={drawn} margin={chartMargin} title={title} accessibilityLayer>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="id" {...axis} {...deals.ticks} />
        <YAxis {...axis} width={60} tickFormatter={roughRoubles} domain={[0, most]} ticks={[0, most / 2, most]} />
        <Tooltip content={tip} isAnimationActive={false} cursor={{ fill: 'var(--hover)' }} />
        <Bar
          dataKey="height"
          name="Цена"
          fill="var(--c1)"
          radius={[2, 2, 0, 0]}
          maxBarSize={28}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
};

import { formatRoubles, formatRoublesExact } from '@zakup/domain/money';
import {
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { money } from '../../shared/campaign/figures.ts';
import { axis, axisText } from './chart-axis.ts';
import { roughRoubles } from './chart-text.ts';
import { ChartTip, tipOf } from './chart-tip.tsx';
import type { PricePoint } from './report-figures.ts';

/** Judged also by shape: a triangle that points down is good. */
const looks = {
  good: { colour: 'var(--c3)', path: 'M-6,-5 L6,-5 L0,6 Z' },
  middle: { colour: 'var(--c2)', path: 'M0,-7 L7,0 L0,7 L-7,0 Z' },
  bad: { colour: 'var(--c4)', path: 'M-6,5 L6,5 L0,-6 Z' },
} as const;

const mark =
  (judged: PricePoint['judged']) =>
  ({ cx = 0, cy = 0 }: { readonly cx?: number | undefined; readonly cy?: number | undefined }) => (
    <path d={looks[judged].path} transform={`translate(${cx},${cy})`} fill={looks[judged].colour} fillOpacity={0.85} />
  );
const marks = { good: mark('good'), middle: mark('middle'), bad: mark('bad') } as const;

const tip = tipOf<PricePoint>((point) => (
  <ChartTip
    title={point.nick}
    lines={[
      ['Средняя цена', formatRoubles(money(point.price))],
      ['CPL', formatRoublesExact(money(point.cpl))],
      ['Размещений', point.placements],
    ]}
  />
));

/** Contractors by the average price of a placement and the price of a lead; beyond twice the worst threshold they lie on the edge. */
export const PriceChart = ({ points }: { readonly points: readonly PricePoint[] }) => {
  const most = Math.min(400, Math.max(220, ...points.map(({ cpl }) => cpl)));
  const drawn = points.map((point) => ({ ...point, shown: Math.min(point.cpl, most) }));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ScatterChart margin={{ top: 8, right: 12, bottom: 16, left: 0 }} accessibilityLayer>
        <CartesianGrid stroke="var(--line)" />
        <XAxis
          type="number"
          dataKey="price"
          {...axis}
          tickFormatter={roughRoubles}
          domain={['auto', 'auto']}
          label={{
            value: 'средняя цена размещения',
            position: 'bottom',
            offset: 0,
            ...axisText,
          }}
        />
        <YAxis type="number" dataKey="shown" {...axis} width={52} tickFormatter={roughRoubles} domain={[0, most]} />
        <Tooltip content={tip} isAnimationActive={false} cursor={{ stroke: 'var(--line-2)' }} />
        <ReferenceLine y={100} stroke="var(--good-fill)" strokeDasharray="4 3" />
        <ReferenceLine y={200} stroke="var(--bad-fill)" strokeDasharray="4 3" />
        {(['good', 'middle', 'bad'] as const).map((judged) => (
          <Scatter
            key={judged}
            name={judged}
            data={drawn.filter((point) => point.judged === judged)}
            shape={marks[judged]}
            isAnimationActive={false}
          />
        ))}
      </ScatterChart>
    </ResponsiveContainer>
  );
};

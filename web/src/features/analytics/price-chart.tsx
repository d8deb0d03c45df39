import { formatRoubles, formatRoublesExact } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
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
import { axis, axisText } from '../../shared/charts/chart-axis.ts';
import { roughRoubles } from '../../shared/charts/chart-text.ts';
import { ChartTip, tipOf } from '../../shared/charts/chart-tip.tsx';
import { judgedLooks } from './judged-looks.ts';
import { namedPoints, type PriceName } from './price-names.ts';
import type { PricePoint } from './report-figures.ts';

const cplTicks = [0, 50, 100, 150, 200, 300, 400] as const;

interface Drawn extends PricePoint {
  /** Inside the picture. */
  readonly shown: number;
  /** Beside its mark; null = none. */
  readonly name: PriceName | null;
}

interface MarkProps {
  readonly cx?: number | undefined;
  readonly cy?: number | undefined;
  readonly payload?: Drawn | undefined;
}

const mark =
  (judged: PricePoint['judged']) =>
  ({ cx = 0, cy = 0, payload }: MarkProps) => (
    <g>
      <path d={judgedLooks[judged].path} transform={`translate(${cx},${cy})`} fill={judgedLooks[judged].fill} />
      {payload !== undefined && payload.name !== null && (
        <text
          x={payload.name.side === 'start' ? cx + 10 : cx - 10}
          y={cy + 4}
          textAnchor={payload.name.side}
          {...axisText}
          fill="var(--text-2)"
        >
          {payload.name.text}
        </text>
      )}
    </g>
  );
const marks = { good: mark('good'), middle: mark('middle'), bad: mark('bad') } as const;

const tip = tipOf<Drawn>((point) => (
  <ChartTip
    title={point.nick}
    lines={[
      ['Средняя цена', formatRoubles(money(point.price))],
      ['CPL', formatRoublesExact(money(point.cpl))],
      ['Размещений', formatNumber(point.placements)],
    ]}
  />
));

/** Contractors by the average price of a placement and the price of a lead; beyond twice the worst threshold they lie on the edge. */
export const PriceChart = ({ points }: { readonly points: readonly PricePoint[] }) => {
  const most = Math.min(400, Math.max(220, ...points.map(({ cpl }) => cpl)));
  const named = namedPoints(points, most);
  const drawn = points.map(
    (point): Drawn => ({
      ...point,
      shown: Math.min(point.cpl, most),
      name: named.get(point.contractorId) ?? null,
    }),
  );
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
        <YAxis
          type="number"
          dataKey="shown"
          {...axis}
          width={52}
          tickFormatter={roughRoubles}
          domain={[0, most]}
          ticks={cplTicks.filter((tick) => tick <= most)}
        />
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

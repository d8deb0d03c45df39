import type { ReactNode } from 'react';

/** What stands over a chart at the pointer: a heading and lines of name and value. */
export const ChartTip = ({
  title,
  lines,
}: {
  readonly title: string;
  readonly lines: readonly (readonly [name: string, value: ReactNode])[];
}) => (
  <div className="z-chart-tip">
    <b>{title}</b>
    <dl>
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </div>
);

/** The content of a chart's tooltip: what is to be said of the point at the pointer. */
export const tipOf =
  <Point,>(show: (point: Point) => ReactNode) =>
  ({ payload }: { readonly payload?: readonly { readonly payload?: unknown }[] }): ReactNode => {
    const point = payload?.[0]?.payload as Point | undefined;
    return point === undefined ? null : show(point);
  };

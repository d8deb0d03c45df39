import type { ReactNode } from 'react';

/** Head of a screen: the only `h1`, with words beside it and actions at the right. */
export const PageHeader = ({
  title,
  aside,
  actions,
}: {
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
}) => (
  <header className="z-page-header">
    <h1>{title}</h1>
    {aside}
    {actions !== undefined && <div className="z-page-actions">{actions}</div>}
  </header>
);

/** A bordered surface. With a `title` it is a section with an `h2` above the surface. */
export const Panel = ({
  title,
  aside,
  children,
  className,
}: {
  readonly title?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}) => {
  const surface = <div className={['z-panel', className].filter(Boolean).join(' ')}>{children}</div>;
  if (title === undefined) return surface;
  return (
    <section className="z-section">
      <div className="z-section-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {surface}
    </section>
  );
};

/** The strip that holds `Metric`s side by side; two a row on a phone. */
export const MetricStrip = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <dl className="z-metrics" aria-label={label}>
    {children}
  </dl>
);

/** One figure: quiet label, number, a line below. `corner` stands at the right of the label. */
export const Metric = ({
  label,
  value,
  note,
  corner,
  tone,
}: {
  readonly label: ReactNode;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly corner?: ReactNode;
  readonly tone?: 'good' | 'mid' | 'bad' | undefined;
}) => (
  <div className="z-metric">
    <dt className="z-fits">
      {label}
      {corner !== undefined && <span>{corner}</span>}
    </dt>
    <dd className={`z-metric-value z-fits${tone ? ` z-${tone}` : ''}`}>{value}</dd>
    {note !== undefined && <dd className="z-metric-note z-fits">{note}</dd>}
  </div>
);

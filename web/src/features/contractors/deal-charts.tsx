import type { ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { explainFigure, figureTitles } from '@zakup/domain/analytics/figures';
import { formatRoubles, formatRoublesExact, toRoubles } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { type ReactNode, useId, useMemo } from 'react';
import { operandsOf } from '../../shared/campaign/operands.ts';
import { CplValue } from '../../shared/campaign/cpl-value.tsx';
import { ChartCard, type ChartTable, chartWaiting } from '../../shared/charts/chart-card.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';
import { dealName, namedDeals } from './deal-names.ts';
import { cplFinding, type DealPoint, type DealPoints, dealPoints, priceFinding, type Span } from './deal-points.ts';

/** Px of a picture. */
const height = 150;
const DealPriceChart = lazyPart(async () => (await import('./deal-price-chart.tsx')).DealPriceChart, {
  waiting: chartWaiting(height),
});
const DealCplChart = lazyPart(async () => (await import('./deal-cpl-chart.tsx')).DealCplChart, {
  waiting: chartWaiting(height),
});

const priceTitles: Readonly<Record<Span, string>> = {
  placement: 'Цена размещения',
  month: 'Средняя цена по месяцам',
  year: 'Средняя цена по годам',
};
const cplTitles: Readonly<Record<Span, string>> = {
  placement: 'CPL по размещениям',
  month: 'CPL по месяцам',
  year: 'CPL по годам',
};
const firstTitles: Readonly<Record<Span, string>> = { placement: 'Дата', month: 'Месяц', year: 'Год' };

type DealFigure = 'spent' | 'averagePrice' | 'placements' | 'leads' | 'cpl';

const shownAs: Readonly<Record<DealFigure, (point: DealPoint) => ReactNode>> = {
  spent: ({ spent }) => formatRoubles(spent),
  averagePrice: ({ price }) => formatRoublesExact(price),
  placements: ({ placements }) => formatNumber(placements),
  leads: ({ leads }) => formatNumber(leads),
  cpl: ({ spent, leads }) => <CplValue spent={spent} leads={leads} />,
};

const countedAs: Readonly<Record<DealFigure, (point: DealPoint) => number | null>> = {
  spent: ({ spent }) => toRoubles(spent),
  averagePrice: ({ price }) => toRoubles(price),
  placements: ({ placements }) => placements,
  leads: ({ leads }) => leads,
  cpl: ({ cpl }) => (cpl === null ? null : toRoubles(cpl)),
};

/** The same as a picture, in figures that explain themselves. */
const tableOf = (
  { points, span }: DealPoints,
  contractorId: string,
  columns: readonly (readonly [figure: DealFigure, title: string])[],
): ChartTable => ({
  header: [firstTitles[span], ...columns.map(([, title]) => title)],
  rows: points.map((point) => [
    span === 'placement' ? point.from : point.id,
    ...columns.map(([figure]) => countedAs[figure](point)),
  ]),
  show: function dealCell(cell, column, row) {
    const [point, figure] = [points[row], columns[column - 1]?.[0]];
    if (point === undefined) return cell;
    if (figure === undefined) return dealName(point, span);
    return (
      <Figure
        label={`${figureTitles[figure]}, ${dealName(point, span)}`}
        formula={explainFigure(figure, operandsOf(point)).formula}
        about={{
          of: 'contractor',
          id: contractorId,
          figure,
          ...(span === 'placement' ? { placementId: point.id } : { from: point.from, to: point.to }),
        }}
      >
        {shownAs[figure](point)}
      </Figure>
    );
  },
});

/** What there is to say where there is nothing to draw yet. */
const Undrawn = ({
  title,
  finding,
  later,
}: {
  readonly title: string;
  readonly finding: string;
  readonly later: string;
}) => {
  const id = useId();
  return (
    <section className="z-chart z-chart-bare" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <p className="z-chart-finding">{finding}</p>
      <p className="z-chart-none">{later}</p>
    </section>
  );
};

/** What placements with the contractor cost and what a lead came to, one after the other; over months or years where there are many. */
export const DealCharts = ({
  contractor,
  placements,
}: {
  readonly contractor: Pick<ContractorWire, 'id' | 'adminUsername'>;
  readonly placements: readonly PlacementWire[];
}) => {
  const deals = useMemo(() => dealPoints(placements), [placements]);
  const named = useMemo(() => namedDeals(deals), [deals]);
  const { span, points } = deals;
  const fileName = contractor.adminUsername.replace('@', '');
  const priceTable = useMemo(
    () =>
      tableOf(
        deals,
        contractor.id,
        deals.span === 'placement'
          ? [['spent', 'Цена']]
          : [
              ['averagePrice', 'Средняя цена'],
              ['placements', 'Размещения'],
            ],
      ),
    [deals, contractor.id],
  );
  const cplTable = useMemo(
    () =>
      tableOf(deals, contractor.id, [
        ['spent', 'Расход'],
        ['leads', 'Приход'],
        ['cpl', 'CPL'],
      ]),
    [deals, contractor.id],
  );
  return (
    <div className="z-contractor-groups">
      {points.length < 2 ? (
        <Undrawn
          title={priceTitles[span]}
          finding={priceFinding(deals)}
          later="Картинка появится со вторым размещением."
        />
      ) : (
        <ChartCard
          inDialog
          title={priceTitles[span]}
          finding={priceFinding(deals)}
          fileName={`${fileName}-цены`}
          height={height}
          table={priceTable}
        >
          <DealPriceChart deals={named} title={priceTitles[span]} />
        </ChartCard>
      )}
      {points.filter(({ cpl }) => cpl !== null).length < 2 ? (
        <Undrawn
          title={cplTitles[span]}
          finding={cplFinding(deals)}
          later="Картинка появится, когда лиды будут у двух размещений."
        />
      ) : (
        <ChartCard
          inDialog
          title={cplTitles[span]}
          finding={cplFinding(deals)}
          fileName={`${fileName}-CPL`}
          height={height}
          table={cplTable}
        >
          <DealCplChart deals={named} title={cplTitles[span]} />
        </ChartCard>
      )}
    </div>
  );
};

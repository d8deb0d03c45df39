import { explainFigure, figureTitles } from '@zakup/domain/analytics/figures';
import { formatRoubles, type Kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { type ReactNode, useId } from 'react';
import { Figure } from './figure.tsx';
import type { CreativeLineage, PlacementLineage } from './lineage.ts';
import { type DataColumn, DataTable } from '../table/data-table.tsx';
import { CplValue } from '../campaign/cpl-value.tsx';
import { operandsOf } from '../campaign/operands.ts';
import './sums-table.css';

type SumName = 'placements' | 'spent' | 'leads' | 'cpl';

/** Placements that belong together. */
export interface SumsLine {
  readonly id: string;
  readonly name: string;
  /** In place of the bare name. */
  readonly shownName?: ReactNode;
  readonly spent: Kopecks;
  readonly leads: number;
  readonly placements: number;
  /** What the server is asked about its figures. */
  readonly about: Omit<PlacementLineage, 'figure'> | Omit<CreativeLineage, 'figure'>;
}

const shownSum = (figure: SumName, { spent, leads, placements }: SumsLine): ReactNode => {
  switch (figure) {
    case 'placements':
      return formatNumber(placements);
    case 'spent':
      return formatRoubles(spent);
    case 'leads':
      return formatNumber(leads);
    case 'cpl':
      return <CplValue spent={spent} leads={leads} />;
  }
};

const titles = { placements: 'Разм.', spent: 'Расход', leads: 'Приход', cpl: 'CPL' } as const satisfies Record<
  SumName,
  string
>;
const names = Object.keys(titles) as readonly SumName[];

const sumColumn = (name: SumName): DataColumn<SumsLine> => ({
  id: name,
  header: titles[name],
  align: 'right',
  cell: (line) => (
    <Figure
      label={`${figureTitles[name]}, ${line.name}`}
      formula={explainFigure(name, operandsOf(line)).formula}
      about={{ ...line.about, figure: name }}
    >
      {shownSum(name, line)}
    </Figure>
  ),
});

const columns: readonly DataColumn<SumsLine>[] = [
  {
    id: 'name',
    header: <span className="z-visually-hidden">Название</span>,
    className: 'z-stacked-name',
    isName: true,
    cellTitle: ({ name }) => name,
    cell: ({ name, shownName }) => shownName ?? name,
  },
  ...names.map(sumColumn),
];
const lineId = ({ id }: SumsLine): string => id;

/** What groups of placements cost and brought, a row each; every figure explains itself. */
export const SumsTable = ({ title, lines }: { readonly title: string; readonly lines: readonly SumsLine[] }) => {
  const titleId = useId();
  return (
    <section className="z-sums">
      <h3 id={titleId}>{title}</h3>
      <div className="z-table-scroll">
        <DataTable
          className="z-table z-table-stacked"
          labelledBy={titleId}
          columns={columns}
          rows={lines}
          rowId={lineId}
        />
      </div>
    </section>
  );
};

import { explainFigure, figureTitles } from '@zakup/domain/analytics/figures';
import { formatRoubles, type Kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { type ReactNode, useId } from 'react';
import { Figure } from '../explanations/figure.tsx';
import type { CreativeLineage, PlacementLineage } from '../explanations/lineage.ts';
import { CplValue } from './cpl-value.tsx';
import { operandsOf } from './operands.ts';
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

const columns = { placements: 'Разм.', spent: 'Расход', leads: 'Приход', cpl: 'CPL' } as const satisfies Record<
  SumName,
  string
>;
const names = Object.keys(columns) as readonly SumName[];

/** What groups of placements cost and brought, a row each; every figure explains itself. */
export const SumsTable = ({ title, lines }: { readonly title: string; readonly lines: readonly SumsLine[] }) => {
  const titleId = useId();
  return (
    <section className="z-sums">
      <h3 id={titleId}>{title}</h3>
      <div className="z-table-scroll">
        <table className="z-table z-table-stacked" aria-labelledby={titleId}>
          <thead>
            <tr>
              <th scope="col" className="z-stacked-name">
                <span className="z-visually-hidden">Название</span>
              </th>
              {names.map((name) => (
                <th key={name} scope="col" className="z-right">
                  {columns[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.id}>
                <th scope="row" className="z-stacked-name" title={line.name}>
                  {line.shownName ?? line.name}
                </th>
                {names.map((name) => (
                  <td key={name} className="z-right">
                    <Figure
                      label={`${figureTitles[name]}, ${line.name}`}
                      formula={explainFigure(name, operandsOf(line)).formula}
                      about={{ ...line.about, figure: name }}
                    >
                      {shownSum(name, line)}
                    </Figure>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};

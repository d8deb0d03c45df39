import type { Figure as FigureName } from '@zakup/domain/analytics/figures';
import { formatRoubles, type Kopecks } from '@zakup/domain/money';
import { formatNumber, formatPercent } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { cplFigure } from '../../shared/campaign/figures.ts';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { RankingFigure } from './ranking-figure.tsx';
import type { Ranked } from './ranking-figures.ts';

export interface RankingRow extends Ranked {
  readonly icon: ReactNode;
  /** What stands in the last column. */
  readonly last: ReactNode;
}

const Share = ({ value, most, colour }: { readonly value: number; readonly most: number; readonly colour: string }) => (
  <svg className="z-ranking-share" viewBox="0 0 50 8" preserveAspectRatio="none" height="8" aria-hidden="true">
    <rect width="50" height="8" rx="2" fill="var(--hover)" />
    <rect width={most === 0 ? 0 : Math.max(1, (value / most) * 50)} height="8" rx="2" fill={colour} />
  </svg>
);

/** Who or what did how much of a campaign: by spending or by leads, the top three in bold. */
export const RankingTable = ({
  label,
  rows,
  by,
  campaignId,
  leadValue,
  lastTitle,
}: {
  readonly label: string;
  readonly rows: readonly RankingRow[];
  readonly by: 'spent' | 'leads';
  readonly campaignId: string;
  readonly leadValue: Kopecks;
  readonly lastTitle: string;
}) => {
  const most = Math.max(0, ...rows.map((row) => row[by]));
  const first = by === 'spent' ? 'Расход' : 'Приход';
  return (
    <div className="z-table-scroll">
      <table className="z-table z-table-stacked z-ranking" aria-label={label}>
        <thead>
          <tr>
            <th scope="col" className="z-stacked-name">
              {by === 'spent' ? 'Байер' : 'Креатив'}
            </th>
            <th scope="col" colSpan={2} className="z-right">
              {first}
            </th>
            <th scope="col" className="z-right">
              CPL
            </th>
            <th scope="col" className="z-right">
              {by === 'spent' ? 'ROI' : 'Разм.'}
            </th>
            <th scope="col" className="z-right">
              {lastTitle}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const cpl = cplFigure(row.spent, row.leads, costPerLead(row.spent, row.leads));
            const why = (figure: FigureName, content: ReactNode) => (
              <RankingFigure campaignId={campaignId} by={by} row={row} figure={figure} leadValue={leadValue}>
                {content}
              </RankingFigure>
            );
            return (
              <tr key={row.id} className={row.top ? 'z-ranking-top' : undefined}>
                <th scope="row" className="z-stacked-name">
                  <span className="z-ranking-who">
                    {row.icon}
                    <span>{row.name}</span>
                    {row.top && <span className="z-visually-hidden">, в тройке лучших</span>}
                  </span>
                </th>
                <td className="z-ranking-shares">
                  <Share value={row[by]} most={most} colour={by === 'spent' ? 'var(--c1)' : 'var(--c3)'} />
                </td>
                <td className="z-right">
                  {by === 'spent' ? why('spent', formatRoubles(row.spent)) : why('leads', formatNumber(row.leads))}
                </td>
                <td className="z-right">
                  <span className={cpl.tone === null ? 'z-quiet' : `z-${cpl.tone}`}>
                    {why('cpl', cpl.text)} <span aria-hidden="true">{cpl.sign}</span>
                  </span>
                </td>
                {by === 'spent' ? (
                  <td
                    className={row.spent === 0 ? 'z-right z-quiet' : row.roi < 0 ? 'z-right z-bad' : 'z-right z-good'}
                  >
                    {why(
                      'roi',
                      row.spent === 0 ? '—' : `${row.roi > 0 ? '+' : ''}${formatPercent(Math.round(row.roi))}`,
                    )}
                  </td>
                ) : (
                  <td className="z-right">{why('placements', formatNumber(row.placements))}</td>
                )}
                <td className="z-right">{row.last}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};

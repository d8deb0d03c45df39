import type { Figure as FigureName } from '@zakup/domain/analytics/figures';
import { formatRoubles, type Kopecks } from '@zakup/domain/money';
import { formatNumber, formatPercent } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { cplFigure } from '../../shared/campaign/figures.ts';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';
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

interface RankingTableProps {
  readonly label: string;
  readonly rows: readonly RankingRow[];
  readonly by: 'spent' | 'leads';
  readonly campaignId: string;
  readonly leadValue: Kopecks;
  readonly lastTitle: string;
}

const roiText = ({ spent, roi }: RankingRow): string =>
  spent === 0 ? '—' : `${roi > 0 ? '+' : ''}${formatPercent(Math.round(roi))}`;

const rankingColumns = ({
  rows,
  by,
  campaignId,
  leadValue,
  lastTitle,
}: RankingTableProps): readonly DataColumn<RankingRow>[] => {
  const most = Math.max(0, ...rows.map((row) => row[by]));
  const why = (row: RankingRow, figure: FigureName, content: ReactNode) => (
    <RankingFigure campaignId={campaignId} by={by} row={row} figure={figure} leadValue={leadValue}>
      {content}
    </RankingFigure>
  );
  const cplCell = (row: RankingRow): ReactNode => {
    const cpl = cplFigure(row.spent, row.leads, costPerLead(row.spent, row.leads));
    return (
      <span className={cpl.tone === null ? 'z-quiet' : `z-${cpl.tone}`}>
        {why(row, 'cpl', cpl.text)} <span aria-hidden="true">{cpl.sign}</span>
      </span>
    );
  };
  return [
    {
      id: 'name',
      header: by === 'spent' ? 'Байер' : 'Креатив',
      className: 'z-stacked-name',
      isName: true,
      cell: (row) => (
        <span className="z-ranking-who">
          {row.icon}
          <span>{row.name}</span>
          {row.top && <span className="z-visually-hidden">, в тройке лучших</span>}
        </span>
      ),
    },
    {
      id: 'share',
      header: by === 'spent' ? 'Расход' : 'Приход',
      headerSpan: 2,
      headerClass: 'z-right',
      cellClass: 'z-ranking-shares',
      cell: (row) => <Share value={row[by]} most={most} colour={by === 'spent' ? 'var(--c1)' : 'var(--c3)'} />,
    },
    {
      id: by,
      align: 'right',
      cell: (row) =>
        by === 'spent' ? why(row, 'spent', formatRoubles(row.spent)) : why(row, 'leads', formatNumber(row.leads)),
    },
    { id: 'cpl', header: 'CPL', align: 'right', cell: cplCell },
    by === 'spent'
      ? {
          id: 'roi',
          header: 'ROI',
          align: 'right',
          cellClass: ({ spent, roi }) => (spent === 0 ? 'z-quiet' : roi < 0 ? 'z-bad' : 'z-good'),
          cell: (row) => why(row, 'roi', roiText(row)),
        }
      : {
          id: 'placements',
          header: 'Разм.',
          align: 'right',
          cell: (row) => why(row, 'placements', formatNumber(row.placements)),
        },
    { id: 'last', header: lastTitle, align: 'right', cell: ({ last }) => last },
  ];
};

/** Who or what did how much of a campaign: by spending or by leads, the top three in bold. */
export const RankingTable = (props: RankingTableProps) => (
  <div className="z-table-scroll">
    <DataTable
      className="z-table z-table-stacked z-ranking"
      label={props.label}
      columns={rankingColumns(props)}
      rows={props.rows}
      rowId={({ id }) => id}
      rowClass={({ top }) => (top ? 'z-ranking-top' : undefined)}
    />
  </div>
);

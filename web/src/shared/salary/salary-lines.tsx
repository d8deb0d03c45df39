import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import { showDateWithYear } from '@zakup/domain/calendar';
import { formatNumber, plural } from '@zakup/domain/russian';
import { exactRoubles, roubles } from '../money/roubles.ts';
import { type DataColumn, DataTable } from '../table/data-table.tsx';
import { Fitted } from '../ui/fitted.tsx';
import { type PlacementFigureName, PlacementFigure } from '../explanations/placement-figure.tsx';

export type SalaryLine = SalaryRowWire['counted'][number] & { readonly reason?: string };

/** `3 размещения`. */
export const placementsText = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'размещение', 'размещения', 'размещений')}`;

const lineColumns = (explained: boolean, hasReasons: boolean): readonly DataColumn<SalaryLine>[] => {
  const why = (line: SalaryLine, figure: PlacementFigureName, shown: string) =>
    explained ? (
      <PlacementFigure placement={line} figure={figure}>
        {shown}
      </PlacementFigure>
    ) : (
      <Fitted>{shown}</Fitted>
    );
  const figure = { align: 'right' } as const;
  return [
    { id: 'date', header: 'Дата', cell: ({ date }) => showDateWithYear(date) },
    { id: 'campaign', header: 'Кампания', cellClass: 'z-table-name', cell: ({ campaignName }) => campaignName },
    {
      id: 'price',
      header: 'Цена',
      ...figure,
      cardLabel: 'Цена',
      cell: (line) => why(line, 'spent', roubles(line.price)),
    },
    {
      id: 'leads',
      header: 'Приход',
      ...figure,
      cardLabel: 'Приход',
      cell: (line) => why(line, 'leads', formatNumber(line.leads)),
    },
    {
      id: 'cpl',
      header: 'CPL',
      ...figure,
      cardLabel: 'CPL',
      cell: (line) => (line.leads === 0 ? '—' : why(line, 'cpl', exactRoubles(line.costPerLead))),
    },
    ...(hasReasons
      ? [{ id: 'reason', header: 'Почему нет', cardLabel: 'Почему нет', cell: ({ reason }: SalaryLine) => reason }]
      : []),
  ];
};
const lineId = ({ placementId }: SalaryLine): string => placementId;

/** Placements that count for a bonus, or that do not and why; `explained`: each figure opens its lineage. */
export const SalaryLineTable = ({
  title,
  lines,
  total,
  explained = false,
}: {
  readonly title: string;
  readonly lines: readonly SalaryLine[];
  /** Of all lines, also of those that are not loaded. */
  readonly total: SalaryRowWire['countedTotal'];
  readonly explained?: boolean;
}) => (
  <section>
    <h3>
      {title}: {placementsText(total.count)} на {roubles(total.price)}
    </h3>
    {lines.length > 0 && (
      <div className="z-table-scroll">
        <DataTable
          className="z-table z-salary-lines"
          label={title}
          columns={lineColumns(explained, lines[0]?.reason !== undefined)}
          rows={lines}
          rowId={lineId}
        />
      </div>
    )}
  </section>
);

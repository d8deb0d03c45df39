import {
  createColumnHelper,
  createSortedRowModel,
  type Row,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { CreativeWire } from '@zakup/contracts/wire-entities';
import {
  type ChannelSize,
  channelSizeLabels,
  channelSizeNames,
  channelSizes,
} from '@zakup/domain/analytics/channel-size';
import { formatNumber } from '@zakup/domain/russian';
import { showCreativeType } from '@zakup/domain/topics';
import { type Dispatch, type ReactNode, type SetStateAction, useState } from 'react';
import { Link } from 'react-router-dom';
import { CplValue } from '../../shared/campaign/cpl-value.tsx';
import { KeptMark } from '../../shared/kept/kept-mark.tsx';
import { unmade } from '../../shared/kept/kept-kinds.ts';
import type { KeptDoc } from '../../shared/kept/kept-docs.ts';
import { money } from '../../shared/money/roubles.ts';
import { asScrollable } from '../../shared/ui/as-scrollable.ts';
import { columnSorting } from '../../shared/table/column-sorting.ts';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { LoadMore } from '../../shared/ui/load-more.tsx';
import { CreativeClass, CreativeFigure, type Sums } from './creative-figure.tsx';
import { CreativeIcon } from './creative-icon.tsx';

const pageSize = 200;

/** A creative with the person's own change of it that the server does not have. */
export type CreativeRow = KeptDoc<CreativeWire>;

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
type TableRow = Row<typeof features, CreativeRow>;
const helper = createColumnHelper<typeof features, CreativeRow>();

const byName = (one: TableRow, other: TableRow): number =>
  one.original.doc.name.localeCompare(other.original.doc.name, 'ru');
const byNumber = (one: TableRow, other: TableRow, id: string): number =>
  one.getValue<number>(id) - other.getValue<number>(id);

type Results = NonNullable<CreativeWire['results']>;

const cplOf = ({ leads, averageCostPerLead }: Results | Results['sizes'][number]): number | undefined =>
  leads === 0 ? undefined : averageCostPerLead;

const sizeOf = ({ results }: CreativeWire, size: ChannelSize) => results?.sizes.find((one) => one.size === size);

/** A figure, or that the server has not counted it yet. */
const shown = (doc: CreativeWire, figureOf: (results: Results) => ReactNode): ReactNode =>
  doc.results === undefined ? (
    <span className="z-quiet" title="ещё считается">
      …
    </span>
  ) : (
    figureOf(doc.results)
  );

const SizeFigures = ({ creative, sums, size }: { creative: CreativeWire; sums: Sums; size: ChannelSize }) =>
  sums.placements === 0 ? (
    <span className="z-quiet">—</span>
  ) : (
    <CreativeFigure creative={creative} sums={sums} figure="cpl" size={size}>
      <span className="z-creative-size">
        <CplValue spent={money(sums.spent)} leads={sums.leads} />
        <small className="z-secondary">{formatNumber(sums.placements)} разм.</small>
      </span>
    </CreativeFigure>
  );

/** A click on a heading sorts, the greatest first but names by the alphabet; what has no value stands last either way. */
const columns = helper.columns([
  helper.accessor(({ doc }) => doc.name, { id: 'name', header: 'Креатив', sortFn: byName, sortDescFirst: false }),
  helper.accessor(({ doc }) => doc.results?.spent, {
    id: 'spent',
    header: 'Расход',
    sortFn: byNumber,
    sortUndefined: 'last',
    cell: ({ row: { original } }) =>
      shown(original.doc, (results) => <CreativeFigure creative={original.doc} sums={results} figure="spent" />),
  }),
  helper.accessor(({ doc }) => doc.results?.leads, {
    id: 'leads',
    header: 'Приход',
    sortFn: byNumber,
    sortUndefined: 'last',
    cell: ({ row: { original } }) =>
      shown(original.doc, (results) => <CreativeFigure creative={original.doc} sums={results} figure="leads" />),
  }),
  helper.accessor(({ doc }) => doc.results && cplOf(doc.results), {
    id: 'cpl',
    header: 'CPL',
    sortFn: byNumber,
    sortUndefined: 'last',
    cell: ({ row: { original } }) =>
      shown(original.doc, (results) => <CreativeFigure creative={original.doc} sums={results} figure="cpl" />),
  }),
  helper.display({
    id: 'class',
    header: 'Класс',
    cell: ({ row: { original } }) => shown(original.doc, (results) => <CreativeClass sums={results} />),
  }),
  ...channelSizes.map((size) =>
    helper.accessor(
      ({ doc }) => {
        const sums = sizeOf(doc, size);
        return sums && cplOf(sums);
      },
      {
        id: size,
        header: channelSizeNames[size],
        sortFn: byNumber,
        sortUndefined: 'last',
        cell: ({ row: { original } }) =>
          shown(original.doc, () => {
            const sums = sizeOf(original.doc, size);
            return sums && <SizeFigures creative={original.doc} sums={sums} size={size} />;
          }),
      },
    ),
  ),
]);

const isSize = (id: string): id is ChannelSize => (channelSizes as readonly string[]).includes(id);

const aboutText = ({ type, notes }: CreativeWire): string =>
  [showCreativeType(type), notes].filter(Boolean).join(' · ');

const Name = ({ row: { doc, entry } }: { readonly row: CreativeRow }) => (
  <span className="z-creative-name">
    <CreativeIcon type={doc.type} />
    <span>
      <b title={`${doc.name} ${doc.abbreviation}`.trim()}>
        {doc.revision === unmade ? (
          doc.name
        ) : (
          <Link className="z-creative-open" to={`/creatives/${doc.id}`}>
            {doc.name}
          </Link>
        )}
        {doc.abbreviation !== '' && <span className="z-quiet"> {doc.abbreviation}</span>}
      </b>
      <small className="z-secondary" title={aboutText(doc)}>
        {aboutText(doc)}
      </small>
    </span>
    <KeptMark entry={entry} name={doc.name} />
    {!doc.isActive && <Chip>отключён</Chip>}
  </span>
);

/** Who cost most before the others. */
export const bySpend: SortingState = [{ id: 'spent', desc: true }];

const useCreativeRows = (
  data: readonly CreativeRow[],
  sorting: SortingState,
  onSortingChange: Dispatch<SetStateAction<SortingState>>,
) =>
  useTable({
    features,
    columns,
    data,
    getRowId: ({ doc }) => doc.id,
    state: { sorting },
    onSortingChange,
    sortDescFirst: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
  });

const nameCell = (row: TableRow) => <Name row={row.original} />;

const cellOf = (table: ReturnType<typeof useCreativeRows>, id: string) => (row: TableRow) => {
  const cell = row.getAllCells().find(({ column }) => column.id === id);
  return cell && <table.FlexRender cell={cell} />;
};

/** Creatives with what each brought, 200 at first. A name opens its page. */
export const CreativeTable = ({
  rows: data,
  sorting,
  onSorting,
  actionsOf,
}: {
  /** A stable array, by name: the order of what is equal. */
  readonly rows: readonly CreativeRow[];
  readonly sorting: SortingState;
  readonly onSorting: Dispatch<SetStateAction<SortingState>>;
  /** What can be done with one; absent = nothing. */
  readonly actionsOf?: ((creative: CreativeWire) => ReactNode) | undefined;
}) => {
  const [count, setCount] = useState(pageSize);
  const table = useCreativeRows(data, sorting, onSorting);
  const { rows } = table.getRowModel();
  const shownColumns = table.getFlatHeaders().map((header): DataColumn<TableRow> => {
    const { id } = header.column;
    return {
      id,
      header: <table.FlexRender header={header} />,
      headerTitle: isSize(id) ? channelSizeLabels[id] : undefined,
      order: columnSorting(header.column),
      ...(id !== 'name' && { align: 'right' }),
      isName: id === 'name',
      cell: id === 'name' ? nameCell : cellOf(table, id),
    };
  });
  const actions: readonly DataColumn<TableRow>[] = actionsOf
    ? [
        {
          id: 'actions',
          header: <span className="z-visually-hidden">Действия</span>,
          cellClass: 'z-creative-actions',
          cell: (row) => actionsOf(row.original.doc),
        },
      ]
    : [];
  return (
    <>
      <div className="z-panel z-panel-flush z-table-scroll" {...asScrollable('Креативы')}>
        <DataTable
          className="z-table z-creatives-table"
          label="Креативы"
          columns={[...shownColumns, ...actions]}
          rows={rows.slice(0, count)}
          rowId={({ id }) => id}
        />
      </div>
      {rows.length > count && (
        <div>
          <LoadMore rest={rows.length - count} onMore={() => setCount(count + pageSize)} />
        </div>
      )}
    </>
  );
};

import { WarningSign } from '@blueprintjs/icons';
import {
  createColumnHelper,
  createSortedRowModel,
  type Row,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { explainFigure, figureTitles } from '@zakup/domain/analytics/figures';
import { showDateWithYear } from '@zakup/domain/calendar';
import { formatNumber } from '@zakup/domain/russian';
import { showTopic } from '@zakup/domain/topics';
import { type Dispatch, type ReactNode, type SetStateAction, useState } from 'react';
import { CplValue } from '../../shared/campaign/cpl-value.tsx';
import { operandsOf } from '../../shared/campaign/operands.ts';
import { money, roubles } from '../../shared/money/roubles.ts';
import { columnSorting } from '../../shared/table/column-sorting.ts';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';
import { VerdictChip } from '../../shared/contractor/verdict-note.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { LoadMore } from '../../shared/ui/load-more.tsx';
import { useMedia } from '../../shared/ui/use-media.ts';
import { Figure } from '../../shared/explanations/figure.tsx';
import { contractorWarnings } from './contractor-check.ts';
import { channelNameOf } from './contractor-figures.ts';

const pageSize = 200;

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
type ContractorRow = Row<typeof features, ContractorWire>;
const helper = createColumnHelper<typeof features, ContractorWire>();

const byName = (a: ContractorRow, b: ContractorRow): number =>
  a.original.adminUsername.localeCompare(b.original.adminUsername);
const byNumber = (a: ContractorRow, b: ContractorRow, id: string): number =>
  a.getValue<number>(id) - b.getValue<number>(id);
const byDay = (a: ContractorRow, b: ContractorRow, id: string): number =>
  a.getValue<string>(id) < b.getValue<string>(id) ? -1 : Number(a.getValue<string>(id) > b.getValue<string>(id));

type TotalName = 'placements' | 'spent' | 'leads' | 'cpl';

/** Written out only when it is asked for: there are hundreds of rows. */
const TotalFormula = ({ of, figure }: { readonly of: ContractorWire; readonly figure: TotalName }) =>
  explainFigure(
    figure,
    operandsOf({ spent: money(of.totalSpent), leads: of.totalLeads, placements: of.totalPlacements }),
  ).formula;

const why = (of: ContractorWire, figure: TotalName, shown: ReactNode) => (
  <Figure
    label={`${figureTitles[figure]}, ${of.adminUsername}`}
    formula={<TotalFormula of={of} figure={figure} />}
    about={{ of: 'contractor', id: of.id, figure }}
  >
    {shown}
  </Figure>
);

/** A click on a heading sorts, the greatest first but names by the alphabet; what has no value stands last either way. */
const columns = helper.columns([
  helper.accessor('adminUsername', {
    header: 'Контрагент',
    sortFn: byName,
    sortDescFirst: false,
  }),
  helper.accessor('category', { header: 'Тематика', enableSorting: false, cell: (of) => showTopic(of.getValue()) }),
  helper.accessor('totalPlacements', {
    header: 'Размещения',
    sortFn: byNumber,
    cell: (of) => why(of.row.original, 'placements', formatNumber(of.getValue())),
  }),
  helper.accessor('totalSpent', {
    header: 'Потрачено',
    sortFn: byNumber,
    cell: (of) => why(of.row.original, 'spent', roubles(of.getValue())),
  }),
  helper.accessor('totalLeads', {
    header: 'Приход',
    sortFn: byNumber,
    cell: (of) => why(of.row.original, 'leads', formatNumber(of.getValue())),
  }),
  helper.accessor((of) => (of.totalLeads === 0 ? undefined : of.averageCostPerLead), {
    id: 'cpl',
    header: 'Средний CPL',
    sortFn: byNumber,
    sortUndefined: 'last',
    cell: ({ row: { original } }) =>
      why(original, 'cpl', <CplValue spent={money(original.totalSpent)} leads={original.totalLeads} />),
  }),
  helper.accessor((of) => of.lastUsed ?? undefined, {
    id: 'last',
    header: 'Последнее',
    sortFn: byDay,
    sortUndefined: 'last',
    cell: ({ row: { original } }) => (original.lastUsed === null ? '—' : showDateWithYear(original.lastUsed)),
  }),
]);
const isText = (id: string): boolean => id === 'adminUsername' || id === 'category';

const Who = ({
  contractor,
  topicBelow,
  onOpen,
}: {
  readonly contractor: ContractorWire;
  /** The topic has no column of its own. */
  readonly topicBelow: boolean;
  readonly onOpen: () => void;
}) => {
  const warnings = contractorWarnings(contractor);
  return (
    <span className="z-contractors-who">
      <span>
        <button type="button" className="z-contractors-open" aria-haspopup="dialog" onClick={onOpen}>
          {contractor.adminUsername || '—'}
        </button>
        {contractor.channelName !== '' && <small className="z-secondary">{channelNameOf(contractor)}</small>}
        {contractor.verdict && <small className="z-secondary">{contractor.verdict.reason}</small>}
        {topicBelow && <small className="z-secondary">{showTopic(contractor.category)}</small>}
      </span>
      {contractor.verdict && <VerdictChip verdict={contractor.verdict} />}
      {contractor.automatic && <Chip>автоматически</Chip>}
      {!contractor.isActive && <Chip>отключён</Chip>}
      {warnings.length > 0 && (
        <Chip tone="mid" icon={<WarningSign size={12} />}>
          {warnings.join(', ')}
        </Chip>
      )}
    </span>
  );
};

/** Who cost most before the others. */
export const byCost: SortingState = [{ id: 'totalSpent', desc: true }];

const useContractorRows = (
  data: readonly ContractorWire[],
  sorting: SortingState,
  onSortingChange: Dispatch<SetStateAction<SortingState>>,
) =>
  useTable({
    features,
    columns,
    data,
    getRowId: ({ id }) => id,
    state: { sorting },
    onSortingChange,
    sortDescFirst: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
  });

const whoCell = (topicBelow: boolean, onOpen: (id: string) => void) => (row: ContractorRow) => (
  <Who contractor={row.original} topicBelow={topicBelow} onOpen={() => onOpen(row.id)} />
);

const cellOf = (table: ReturnType<typeof useContractorRows>, id: string) => (row: ContractorRow) => {
  const cell = row.getAllCells().find(({ column }) => column.id === id);
  return cell && <table.FlexRender cell={cell} />;
};

/** Contractors with their totals, 200 at first. A name opens its contractor. */
export const ContractorTable = ({
  contractors,
  sorting,
  onSorting,
  onOpen,
}: {
  /** A stable array, by name: the order of what is equal. */
  readonly contractors: readonly ContractorWire[];
  readonly sorting: SortingState;
  readonly onSorting: Dispatch<SetStateAction<SortingState>>;
  readonly onOpen: (id: string) => void;
}) => {
  const [shown, setShown] = useState(pageSize);
  const topicBelow = useMedia('(768px <= width < 1024px)');
  const table = useContractorRows(contractors, sorting, onSorting);
  const { rows } = table.getRowModel();
  const shownColumns = table.getFlatHeaders().map((header): DataColumn<ContractorRow> => {
    const { id } = header.column;
    return {
      id,
      header: <table.FlexRender header={header} />,
      order: columnSorting(header.column),
      ...(!isText(id) && { align: 'right' }),
      isName: id === 'adminUsername',
      cell: id === 'adminUsername' ? whoCell(topicBelow, onOpen) : cellOf(table, id),
    };
  });
  return (
    <>
      <div className="z-panel z-panel-flush z-table-scroll">
        <DataTable
          className="z-table z-contractors-table"
          label="Контрагенты"
          columns={shownColumns}
          rows={rows.slice(0, shown)}
          rowId={({ id }) => id}
        />
      </div>
      {rows.length > shown && (
        <div>
          <LoadMore rest={rows.length - shown} onMore={() => setShown(shown + pageSize)} />
        </div>
      )}
    </>
  );
};

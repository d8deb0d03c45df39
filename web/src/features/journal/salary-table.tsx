import { CaretDown, CaretRight } from '@blueprintjs/icons';
import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import type { ReactNode } from 'react';
import { exactRoubles, roubles } from '../../shared/money/roubles.ts';
import { Figure } from '../../shared/explanations/figure.tsx';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { Fitted } from '../../shared/ui/fitted.tsx';
import { type BonusSelection, PersonLines } from './salary-person.tsx';
import { Counted, salarySums } from './salary-total.tsx';

const thresholdFormula = 'из карточки сотрудника, без неё 100 ₽: засчитывается то, что дешевле за лид';

const Who = ({
  row,
  isOpen,
  onToggle,
}: {
  readonly row: SalaryRowWire;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) => (
  <>
    <button type="button" className="z-journal-open" aria-expanded={isOpen} onClick={onToggle}>
      {isOpen ? <CaretDown size={14} /> : <CaretRight size={14} />}
      <Avatar name={row.name} id={row.userId} size={20} />
      {row.name}
    </button>
    {!row.isActive && <Chip>отключён</Chip>}
  </>
);

const Bonus = ({ sum }: { readonly sum: number }) =>
  sum === 0 ? (
    <span className="z-quiet">{exactRoubles(0)}</span>
  ) : (
    <b>
      <Fitted>{exactRoubles(sum)}</Fitted>
    </b>
  );

interface SalaryTableProps {
  readonly rows: readonly SalaryRowWire[];
  /** What the figures are of. */
  readonly selection: BonusSelection;
  /** Whose placements are shown: id of a person. */
  readonly open: string | null;
  readonly onOpen: (userId: string | null) => void;
}

const whyCell =
  (selection: BonusSelection) => (row: SalaryRowWire, title: string, formula: string, shown: ReactNode) => (
    <Figure
      label={`${title}, ${row.name}`}
      formula={formula}
      about={{ of: 'salary', figure: 'bonus', userId: row.userId, ...selection }}
    >
      {shown}
    </Figure>
  );

const columnsOf = ({ rows, selection, open, onOpen }: SalaryTableProps): readonly DataColumn<SalaryRowWire>[] => {
  const why = whyCell(selection);
  const sums = salarySums(rows);
  return [
    {
      id: 'name',
      header: 'Сотрудник',
      isName: true,
      sum: 'Итого',
      cell: (row) => (
        <Who row={row} isOpen={open === row.userId} onToggle={() => onOpen(open === row.userId ? null : row.userId)} />
      ),
    },
    {
      id: 'counted',
      header: 'Засчитано',
      align: 'right',
      cardLabel: 'Засчитано',
      sum: sums.counted,
      cell: (row) => (
        <Counted count={row.countedTotal.count}>
          {why(row, 'Засчитано', 'цены засчитанных размещений вместе', roubles(row.countedTotal.price))}
        </Counted>
      ),
    },
    {
      id: 'leftOut',
      header: 'Не засчитано',
      align: 'right',
      cardLabel: 'Не засчитано',
      sum: sums.leftOut,
      cell: (row) => (
        <Counted count={row.leftOutTotal.count}>
          {why(row, 'Не засчитано', 'цены незасчитанных размещений вместе', roubles(row.leftOutTotal.price))}
        </Counted>
      ),
    },
    {
      id: 'threshold',
      header: 'Порог CPL',
      align: 'right',
      cardLabel: 'Порог CPL',
      sum: '—',
      sumClass: 'z-salary-none',
      cell: (row) => why(row, 'Порог CPL', thresholdFormula, row.threshold === null ? '—' : roubles(row.threshold)),
    },
    {
      id: 'bonus',
      header: 'Бонус',
      align: 'right',
      cardLabel: 'Бонус',
      sum: sums.bonus,
      cell: (row) => why(row, 'Бонус', row.formula, <Bonus sum={row.salaryReportBonus} />),
    },
  ];
};

const linesOf =
  ({ open, selection }: SalaryTableProps) =>
  ({ userId }: SalaryRowWire) =>
    open === userId ? <PersonLines userId={userId} selection={selection} /> : null;

/** What counted for each person's bonus, a row each; a name opens the placements behind it. */
export const SalaryTable = (props: SalaryTableProps) => (
  <div className="z-panel z-panel-flush z-table-scroll">
    <DataTable
      className="z-table z-journal-salary"
      label="Отчёт по зарплате"
      columns={columnsOf(props)}
      rows={props.rows}
      rowId={({ userId }) => userId}
      detail={linesOf(props)}
      detailClass="z-journal-detail"
      hasSums={props.rows.length > 1}
    />
  </div>
);

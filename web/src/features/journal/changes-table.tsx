import type { HistoryEntry } from '@zakup/contracts/history';
import { Fragment, type ReactNode } from 'react';
import {
  backWords,
  type HistoryChangeWire,
  isCreation,
  none,
  showField,
  showValue,
} from '../../shared/history/journal-labels.ts';
import { maySetBack } from '../../shared/history/put-back.ts';
import type { PutBackOrder } from '../../shared/history/put-back-dialog.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';

/** A nick that has no room in one line is parted where its words are. */
const parted = (text: string): ReactNode =>
  text.startsWith('@')
    ? text.split(/(?<=_)/u).map((part, index) => (
        // The same part may stand in a nick twice.
        <Fragment key={`${index} ${part}`}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))
    : text;

interface ChangeRow {
  readonly entry: HistoryEntry;
  readonly change: HistoryChangeWire;
}

/** People's data, which this person may not see. */
const isHidden = ({ change: { field, hidden } }: ChangeRow): boolean =>
  hidden === true && (field.split('/', 1)[0] ?? '') !== 'participants';

const became = (row: ChangeRow): ReactNode => {
  const { entry, change } = row;
  if (isHidden(row)) return 'изменено, не показывается';
  return <b>{parted(showValue(entry.entity.kind, change.field, change.to, change.toName))}</b>;
};

const was = (row: ChangeRow): ReactNode => {
  const { entry, change } = row;
  const { field, from, fromName } = change;
  if (isHidden(row)) return became(row);
  return parted(from === null && isCreation(entry) ? none : showValue(entry.entity.kind, field, from, fromName));
};

const fieldCell =
  (maySet: (row: ChangeRow) => boolean, onPutBack: (order: PutBackOrder) => void) =>
  ({ entry, change }: ChangeRow) => (
    <>
      {showField(entry.entity.kind, change)}
      {maySet({ entry, change }) && (
        <button type="button" className="z-link z-journal-back" onClick={() => onPutBack({ entry, change })}>
          {backWords(entry.entity.kind, change)}
        </button>
      )}
    </>
  );

/** Field by field what was and what became, with the way back where several were changed at once. */
export const ChangesTable = ({
  entries,
  onPutBack,
}: {
  readonly entries: readonly HistoryEntry[];
  readonly onPutBack: (order: PutBackOrder) => void;
}) => {
  const { can } = useRights();
  const lines: readonly ChangeRow[] = entries.flatMap((entry) => entry.changes.map((change) => ({ entry, change })));
  // Of what was created nothing was before: a column of dashes would leave no room for what became.
  const made = lines.every(({ entry, change }) => isCreation(entry) && change.from === null);
  const quiet = (row: ChangeRow): string | undefined => (isHidden(row) ? 'z-quiet' : undefined);
  const columns: readonly DataColumn<ChangeRow>[] = [
    {
      id: 'field',
      header: 'Поле',
      isName: true,
      cell: fieldCell(({ entry, change }) => lines.length > 1 && maySetBack(can, entry, change), onPutBack),
    },
    ...(made
      ? []
      : [
          {
            id: 'from',
            header: 'Было',
            cellClass: quiet,
            span: (row: ChangeRow) => (isHidden(row) ? 2 : 1),
            cell: was,
          },
        ]),
    {
      id: 'to',
      header: 'Стало',
      cellClass: quiet,
      span: (row) => (isHidden(row) && !made ? 0 : 1),
      cell: became,
    },
  ];
  return (
    <DataTable
      className={made ? 'z-journal-changes z-journal-made' : 'z-journal-changes'}
      columns={columns}
      rows={lines}
      rowId={({ entry, change }) => `${entry.position} ${change.field}`}
    />
  );
};

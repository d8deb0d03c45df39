import { type ColumnArrangement, usualArrangement } from '../../../shared/table/arranged-columns.ts';
import { isUsual } from '../../../shared/table/column-changes.ts';
import type { GridColumn } from '../../../shared/table/grid-column.ts';
import { announce } from '../../../shared/toasts/toasts.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';

/** Always shown: without them a row is nobody's. */
const fixedColumns = new Set(['date', 'contractor', 'delete']);

export interface ColumnsListProps {
  readonly columns: readonly GridColumn<PlacementRow>[];
  readonly hidden: readonly string[];
  readonly onChange: (hidden: readonly string[]) => void;
  readonly arrangement: ColumnArrangement;
  readonly onArrange: (arrangement: ColumnArrangement) => void;
}

/** Which columns are shown, and the way back to their usual widths and places. */
export const ColumnsList = ({ columns, hidden, onChange, arrangement, onArrange }: ColumnsListProps) => (
  <>
    <fieldset className="z-columns">
      <legend className="z-visually-hidden">Столбцы</legend>
      {columns
        .filter(({ id }) => !fixedColumns.has(id))
        .map(({ id, header }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={!hidden.includes(id)}
              onChange={(event) =>
                onChange(event.target.checked ? hidden.filter((one) => one !== id) : [...hidden, id])
              }
            />
            {header}
          </label>
        ))}
    </fieldset>
    {!isUsual(arrangement) && (
      <div className="z-bar-popover-foot">
        <Button
          small
          onClick={(event) => {
            // The button goes.
            event.currentTarget.closest('.z-bar-popover')?.querySelector('input')?.focus();
            onArrange(usualArrangement);
            announce('Столбцы стоят как были');
          }}
        >
          Как было: ширина и порядок
        </Button>
      </div>
    )}
  </>
);

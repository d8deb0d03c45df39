import { cleanup, render } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, expect, it } from 'vitest';
import { columnLayout } from './column-layout.ts';
import type { CellMark, GridColumn } from './grid-column.ts';
import { GridRow } from './grid-row.tsx';

afterEach(cleanup);

interface Row {
  readonly price: number;
}
let painted = 0;
const columns: readonly GridColumn<Row>[] = Array.from({ length: 12 }, (_, index) => ({
  id: `c${index}`,
  header: 'Цена',
  width: 80,
  value: ({ price }) => price,
  cell: ({ price }) => {
    painted += 1;
    return price;
  },
}));
const { cells } = columnLayout(columns);
const noMark = (): CellMark | null => null;

it('TB-20 a row that comes into sight is painted once, and one that stays is not painted with the others', () => {
  const phases: string[] = [];
  const row = { price: 100 };
  const element = (others: number) => (
    <table data-others={others}>
      <tbody>
        <Profiler id="row" onRender={(_, phase) => phases.push(phase)}>
          <GridRow
            row={row}
            rowId="r"
            index={0}
            offset={0}
            top={0}
            number={1}
            isRevealed={false}
            isTicked={false}
            selectedFrom={-1}
            selectedTo={-1}
            columns={columns}
            layout={cells}
            active={null}
            editing={null}
            saved={null}
            readOnly={false}
            mark={null}
            cellMark={noMark}
            colleagues={undefined}
            flashes={undefined}
          />
        </Profiler>
      </tbody>
    </table>
  );
  const { rerender } = render(element(1));
  // A cell that asks for its own element, or sets what it has, would be painted twice.
  expect(phases).toEqual(['mount']);
  expect(painted).toBe(12);
  rerender(element(2));
  expect(painted).toBe(12);
});

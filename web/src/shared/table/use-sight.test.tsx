import { act, cleanup, render, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import type { GridColumn, GridSorting } from './grid-column.ts';
import { fewRows, useSight } from './use-sight.ts';

interface Row {
  readonly id: number;
  readonly price: number;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const rowsOf = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, id): Row => ({ id, price: (id * 7) % count }));
const byId = (a: Row, b: Row): number => a.id - b.id;
const every = (): boolean => true;
const even = ({ id }: Row): boolean => id % 2 === 0;
const third = ({ id }: Row): boolean => id % 3 === 0;
const columns = [
  { id: 'id', sortBy: (row: Row) => row.id },
  { id: 'price', sortBy: (row: Row) => row.price },
] as unknown as readonly GridColumn<Row>[];
const sorting = (columnId: string): GridSorting => ({ columnId, order: 'asc' });

const given = { rows: rowsOf(fewRows + 1), columnId: 'id', fits: every as (row: Row) => boolean };
const hook = (first: Partial<typeof given> = {}) =>
  renderHook(
    ({ rows, columnId, fits }: typeof given) =>
      useSight({ rows, columns, tie: byId, sorting: sorting(columnId), fits }),
    { initialProps: { ...given, ...first } },
  );
/** Until nothing is prepared any more. */
const prepared = (): void => {
  while (vi.getTimerCount() > 0) act(() => void vi.runAllTimers());
};

describe('what is drawn of many rows', () => {
  it('GRD-3533 another order and another question are drawn when they are prepared; until then the former rows are, with what changes in them', () => {
    const { result, rerender } = hook();
    const before = result.current.shown;
    rerender({ ...given, columnId: 'price', fits: even });
    expect([result.current.shown, result.current.fits]).toEqual([before, every]);
    const changed = given.rows.with(3, { id: 3, price: -1 });
    rerender({ rows: changed, columnId: 'price', fits: even });
    expect(result.current.shown).toEqual(changed);
    prepared();
    const wanted = changed.filter(even).toSorted((a, b) => a.price - b.price);
    expect([result.current.shown, result.current.fits]).toEqual([wanted, even]);
  });

  it('GRD-3534 what is asked for while something is prepared is prepared next, and what is known is drawn at once', () => {
    const { result, rerender } = hook();
    rerender({ ...given, fits: even });
    rerender({ ...given, fits: third });
    expect(result.current.fits).toBe(every);
    prepared();
    expect([result.current.fits, result.current.shown]).toEqual([third, given.rows.filter(third)]);
    rerender({ ...given, rows: rowsOf(fewRows), fits: even });
    expect(result.current.fits).toBe(even);
  });

  it('GRD-3535 what is gone prepares nothing any more', () => {
    const { rerender, unmount } = hook();
    rerender({ ...given, fits: even });
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('GRD-3708 what throws while it is prepared throws again where it is drawn; where it does so no more it is drawn', () => {
    const { result, rerender } = hook();
    let throwing = 1;
    const odd = ({ id }: Row): boolean => {
      throwing -= 1;
      if (throwing >= 0) throw new Error('broken');
      return id % 2 === 1;
    };
    rerender({ ...given, fits: odd });
    prepared();
    expect([result.current.fits, result.current.shown]).toEqual([odd, given.rows.filter(odd)]);

    const Sight = ({ fits }: Pick<typeof given, 'fits'>) => {
      const { shown } = useSight({ rows: given.rows, columns, tie: byId, sorting: sorting('id'), fits });
      return <output>{shown.length}</output>;
    };
    const sightOf = (fits: (typeof given)['fits']) => (
      <ErrorBoundary renderFailed={() => 'Не нарисовано'}>
        <Sight fits={fits} />
      </ErrorBoundary>
    );
    const page = render(sightOf(every));
    throwing = Infinity;
    page.rerender(sightOf(odd));
    vi.spyOn(console, 'error').mockReturnValue();
    prepared();
    expect(page.container.textContent).toBe('Не нарисовано');
  });
});

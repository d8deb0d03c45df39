import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useMemo, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toastStore } from '../toasts/toasts.ts';
import { arrangedColumns, type ColumnArrangement, usualArrangement } from './arranged-columns.ts';
import { ColumnTools } from './column-tools.tsx';
import { EditableGrid } from './editable-grid.tsx';
import type { GridColumn } from './grid-column.ts';

interface Row {
  readonly id: string;
}

const rows: readonly Row[] = [{ id: 'a' }, { id: 'b' }];
const column = (id: string, more: Partial<GridColumn<Row>> = {}): GridColumn<Row> => ({
  id,
  header: id,
  width: 100,
  sortBy: (row) => row.id,
  value: (row) => row.id,
  cell: (row) => `${id} ${row.id}`,
  ...more,
});
const all = [
  column('день', { pinned: true }),
  column('цена', { align: 'end' }),
  column('тема'),
  column('байер'),
  column('удаление', { fixed: true }),
];

/** There is no layout here: every column is 100 px wide, beside the one before. */
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: HTMLElement) {
    const at = this.dataset['column'];
    return at === undefined ? new DOMRect(0, 0, 1000, 600) : new DOMRect(34 + 100 * Number(at), 0, 100, 30);
  });
  for (const [name, value] of [
    ['clientHeight', 600],
    ['clientWidth', 1000],
  ] as const)
    vi.spyOn(HTMLElement.prototype, name, 'get').mockReturnValue(value);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const setUp = () => {
  const sorted: string[] = [];
  const told: ColumnArrangement[] = [];
  const Table = () => {
    const [arrangement, setArrangement] = useState<ColumnArrangement>(usualArrangement);
    const columns = useMemo(() => arrangedColumns(all, arrangement), [arrangement]);
    return (
      <EditableGrid
        label="Размещения"
        rows={rows}
        rowId={({ id }) => id}
        columns={columns}
        sorting={{ columnId: 'день', order: 'asc' }}
        onSortingChange={({ columnId }) => sorted.push(columnId)}
        onSave={() => undefined}
        tools={
          <ColumnTools
            all={all}
            columns={columns}
            arrangement={arrangement}
            onArrange={(next) => {
              told.push(next);
              setArrangement(next);
            }}
          />
        }
      />
    );
  };
  render(<Table />);
  const heading = (name: string): HTMLElement =>
    screen.getByRole('columnheader', { name: new RegExp(`^${name}`, 'u') });
  const names = (): string =>
    screen
      .getAllByRole('columnheader')
      .map((head) => head.textContent?.replace(' ▲', ''))
      .join(' ');
  const openMenu = async (name: string): Promise<HTMLElement> => {
    act(() => heading(name).focus());
    fireEvent.contextMenu(heading(name));
    return screen.findByRole('menu', { name: `Столбец «${name}»` });
  };
  const pick = (name: string) => userEvent.click(screen.getByRole('menuitem', { name: new RegExp(`^${name}`, 'u') }));
  return { sorted, told, heading, names, openMenu, pick };
};

const pointer = (target: EventTarget, type: string, clientX: number, pointerType = 'mouse'): void => {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true, clientX, clientY: 5, button: 0, detail: 1 });
  Object.defineProperty(event, 'pointerType', { value: pointerType });
  act(() => void target.dispatchEvent(event));
};

const drag = (head: HTMLElement, from: number, to: number, over: HTMLElement, pointerType = 'mouse'): void => {
  document.elementFromPoint = () => over;
  pointer(head, 'pointerdown', from, pointerType);
  pointer(window, 'pointermove', to, pointerType);
  pointer(window, 'pointerup', to, pointerType);
  pointer(head.querySelector('button') ?? head, 'click', to, pointerType);
};

it('GRD-2365 the menu of a heading makes its column wider and narrower, says so, and stays for the next time', async () => {
  const { told, openMenu, pick } = setUp();
  await openMenu('тема');
  await pick('Шире');
  expect(told.at(-1)?.widths).toEqual({ тема: 116 });
  expect(toastStore.announced()?.text).toBe('тема: ширина 116');
  await pick('Уже');
  expect(told.at(-1)?.widths).toEqual({ тема: 84 });
  expect(screen.getByRole('menu')).toBeDefined();
});

it('GRD-2366 the menu moves and pins a column, and Escape gives the keyboard back to it where it stands now', async () => {
  const { names, openMenu, pick, heading } = setUp();
  const menu = await openMenu('байер');
  expect(within(menu).getByRole('menuitem', { name: 'Правее' }).getAttribute('aria-disabled')).toBe('true');
  await pick('Левее');
  expect(names()).toBe('день цена байер тема удаление');
  await pick('Левее');
  expect(names()).toBe('день байер цена тема удаление');
  await pick('Правее');
  await pick('Закрепить слева');
  expect(names()).toBe('день байер цена тема удаление');
  await pick('Открепить');
  expect(names()).toBe('день цена байер тема удаление');
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(heading('байер'));
  await userEvent.keyboard('{ArrowLeft}');
  expect(document.activeElement).toBe(heading('цена'));
});

it('GRD-2367 «Как было» takes widths, order and pins back, and has nothing to do before', async () => {
  const { told, names, openMenu, pick } = setUp();
  const menu = await openMenu('байер');
  const reset = within(menu).getByRole('menuitem', { name: /^Как было/u });
  expect(reset.getAttribute('aria-disabled')).toBe('true');
  await pick('Шире');
  await pick('Закрепить слева');
  await pick('Как было');
  expect([names(), told.at(-1)]).toEqual(['день цена тема байер удаление', usualArrangement]);
});

it('GRD-2368 what stays is neither moved nor pinned, and what is fixed has no menu', async () => {
  const { openMenu, heading } = setUp();
  const menu = await openMenu('день');
  expect(within(menu).queryByRole('menuitem', { name: 'Левее' })).toBeNull();
  expect(within(menu).getByRole('menuitem', { name: 'Шире' })).toBeDefined();
  await userEvent.keyboard('{Escape}');
  expect(fireEvent.contextMenu(heading('удаление'))).toBe(true);
  expect(screen.queryByRole('menu')).toBeNull();
});

it('GRD-2369 the edge of a heading is dragged to a width within the bounds, and sorts nothing', () => {
  const { told, sorted, heading } = setUp();
  drag(heading('цена'), 232, 300, heading('тема'));
  expect(told.at(-1)?.widths).toEqual({ цена: 166 });
  drag(heading('цена'), 232, 140, heading('тема'));
  expect(told.at(-1)?.widths).toEqual({ цена: 100 });
  expect(sorted).toEqual([]);
});

it('GRD-2370 a heading is dragged to the place of another, Escape takes it back, and a press alone sorts', () => {
  const { names, sorted, heading } = setUp();
  drag(heading('цена'), 160, 390, heading('байер'));
  expect([names(), sorted]).toEqual(['день тема байер цена удаление', []]);

  pointer(heading('цена'), 'pointerdown', 360);
  pointer(window, 'pointermove', 160);
  expect(document.querySelector('.z-column-line')).not.toBeNull();
  act(() => void window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })));
  expect(document.querySelector('.z-column-line')).toBeNull();
  pointer(window, 'pointerup', 160);
  expect(names()).toBe('день тема байер цена удаление');

  drag(heading('тема'), 160, 162, heading('тема'));
  expect([names(), sorted]).toEqual(['день тема байер цена удаление', ['тема']]);
});

it('GRD-2574 the heading that is dragged goes with the pointer, says where it may not go, and is gone at the end; an edge has none', () => {
  const { heading } = setUp();
  const ghost = (): HTMLElement | null => document.querySelector<HTMLElement>('.z-column-ghost');
  document.elementFromPoint = () => heading('байер');
  pointer(heading('цена'), 'pointerdown', 160);
  pointer(window, 'pointermove', 162);
  expect(ghost()).toBeNull();
  pointer(window, 'pointermove', 390);
  expect([ghost()?.textContent, ghost()?.style.left, ghost()?.style.top]).toEqual(['цена', '390px', '5px']);
  expect(ghost()?.hasAttribute('data-refused')).toBe(false);
  document.elementFromPoint = () => heading('день');
  pointer(window, 'pointermove', 60);
  expect(ghost()?.hasAttribute('data-refused')).toBe(true);
  act(() => void window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })));
  expect(ghost()).toBeNull();
  pointer(window, 'pointerup', 60);
  pointer(heading('цена'), 'pointerdown', 232);
  pointer(window, 'pointermove', 300);
  expect([document.querySelector('.z-column-line') === null, ghost()]).toEqual([false, null]);
  pointer(window, 'pointerup', 300);
});

it('GRD-2371 a finger drags neither the edge nor the heading', () => {
  const { told, heading } = setUp();
  drag(heading('цена'), 232, 300, heading('тема'), 'touch');
  drag(heading('цена'), 160, 390, heading('байер'), 'touch');
  expect(told).toEqual([]);
});

it('GRD-2372 a range that is selected goes over the columns as they are shown', async () => {
  const { openMenu, pick } = setUp();
  await openMenu('байер');
  await pick('Левее');
  await userEvent.keyboard('{Escape}');
  await userEvent.keyboard('{ArrowDown}{Shift>}{ArrowRight}{/Shift}');
  const selected = [...document.querySelectorAll('td[aria-selected="true"]')].map((cell) => cell.textContent);
  expect(selected).toEqual(['байер a', 'тема a']);
});

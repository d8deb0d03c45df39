import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { columnLayout } from '../../../shared/table/column-layout.ts';
import { FigureRoomProvider } from '../../../shared/table/figure-room.ts';
import { GridRow } from '../../../shared/table/grid-row.tsx';
import { placementColumns } from './placement-columns.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';
import { placementDocument } from '../../../shared/testing/placement-document.ts';

const placement = placementDocument({
  price: 1000.5,
  costPerLead: 100.05,
});
const row = {
  kind: 'stored',
  id: 'p1',
  placement,
  decided: placement,
  typed: {},
  nick: '@kitchen_ads',
  creativeName: 'Без креатива',
  buyerName: 'Анна Соколова',
  entries: [],
} as unknown as PlacementRow;

/** One row of the table, which is neither the active one nor under the pointer. */
const setUp = (drawn: PlacementRow = row, room: number | null = null) => {
  const done: string[] = [];
  const note = (what: string) => (): void => void done.push(what);
  const columns = placementColumns({
    choices: { creatives: [], topics: [], formats: [], buyers: [], nicks: [] },
    editable: () => true,
    onOpenContractor: note('contractor'),
    onEditNick: note('nick'),
    onEditComment: note('comment'),
    onTogglePayment: note('payment'),
    onHistory: note('history'),
    onWhy: note('why'),
    onRemove: note('remove'),
  }).filter(({ id }) => !['status', 'comment', 'post'].includes(id));
  const rooms = room && { rooms: new Map([['cpl', room]]), widthOf: (text: string) => 7 * text.length };
  render(
    <table>
      <tbody>
        <FigureRoomProvider value={rooms || null}>
          <GridRow
            row={drawn}
            rowId="p1"
            index={0}
            offset={0}
            top={0}
            number={1}
            isRevealed={false}
            isTicked={false}
            selectedFrom={-1}
            selectedTo={-1}
            columns={columns}
            layout={columnLayout(columns).cells}
            active={null}
            editing={null}
            saved={null}
            readOnly={false}
            mark={null}
            cellMark={() => null}
            colleagues={undefined}
            flashes={undefined}
          />
        </FigureRoomProvider>
      </tbody>
    </table>,
  );
  return { done, columns, user: userEvent.setup() };
};
afterEach(cleanup);

describe('a row of the table', () => {
  it('TBL-40 is light: cells apart, it takes no more than 18 elements, and none of its buttons holds one', () => {
    setUp();
    const cells = document.querySelectorAll('td');
    expect(cells).toHaveLength(12);
    expect(document.querySelectorAll('td *').length).toBeLessThanOrEqual(18);
    expect(document.querySelectorAll('td button')).toHaveLength(6);
    expect(document.querySelectorAll('td button *')).toHaveLength(0);
  });

  it('GRD-3012 sets no title that another row would change: the browser asks for the style of each such element anew', () => {
    const titlesOf = (drawn: PlacementRow): readonly string[] => {
      cleanup();
      setUp(drawn);
      return [...document.querySelectorAll<HTMLElement>('[title]')].map(({ title }) => title);
    };
    const other = { ...placement, date: '2026-11-02', buyerId: 'ilya', price: 2000 };
    const another = { ...row, placement: other, decided: other, nick: '@garden', buyerName: 'Илья Кравцов' };
    const before = titlesOf(row);
    expect(titlesOf(another)).toEqual(before);
    expect([...document.querySelectorAll<HTMLElement>('[data-hint]')].map(({ dataset }) => dataset['hint'])).toEqual([
      '2 НОЯБРЯ | ПОНЕДЕЛЬНИК',
      '@garden',
      'Илья Кравцов',
      'Илья Кравцов',
    ]);
  });

  it('TBL-41 has every one of its buttons by name, outside the order of Tab', async () => {
    const { done, user } = setUp();
    const names = [
      'История размещения @kitchen_ads',
      '@kitchen_ads',
      'Изменить ник @kitchen_ads',
      '100,05\u00a0₽, средний CPL',
      'Не оплачено',
      'Удалить размещение @kitchen_ads',
    ];
    for (const name of names) {
      const button = screen.getByRole('button', { name });
      expect(button.tabIndex).toBe(-1);
      await user.click(button);
    }
    expect(done).toEqual(['history', 'contractor', 'nick', 'why', 'payment', 'remove']);
    expect(screen.getByRole('button', { name: 'Не оплачено' }).getAttribute('aria-pressed')).toBe('false');
  });

  it('TBL-1123 a cost per lead that has no room beside its sign is shortened, and told whole', () => {
    const dear = { ...placement, price: 987_654_321, leads: 1 };
    const text = '987\u00a0654\u00a0321,00\u00a0₽';
    const shownAt = (room: number): HTMLElement => {
      cleanup();
      setUp({ ...row, placement: dear, decided: dear }, room);
      return screen.getByRole('button', { name: `${text}, высокий CPL` });
    };
    // 16 letters of 7 px, and 17 px of its sign.
    expect(shownAt(129).textContent).toBe(text);
    expect(shownAt(128).textContent).toBe('988\u00a0млн\u00a0₽');
    expect(shownAt(128).title).toContain(text);
  });

  it('TBL-44 the editors of price and leads show what a calculation comes to, and nothing below a plain number', () => {
    const { columns } = setUp();
    const below = (id: string, draft: string): string => {
      const editor = columns.find((column) => column.id === id)?.editor?.(row);
      const { container } = render(<>{editor?.kind === 'text' && editor.popup?.(draft, () => undefined)}</>);
      return container.textContent.replaceAll('\u00a0', ' ');
    };
    expect(['5,2к', '=500*2', '5400+300,50'].map((draft) => below('price', draft))).toEqual([
      '= 5 200 ₽',
      '= 1 000 ₽',
      '= 5 700,50 ₽',
    ]);
    expect(below('leads', '60+4')).toBe('= 64');
    expect(['5400', '', '-300', '5к5'].map((draft) => below('price', draft))).toEqual(['', '', '', '']);
  });
});

it('PLC-3144 from 1024 px on all columns are in the first view, and from 1280 px on a nick has more room than any other text', () => {
  const { columns } = setUp();
  // The window without the sidebar, the margins and the borders.
  expect(columnLayout(columns).least).toBeLessThanOrEqual(1024 - 56 - 2 * 16 - 2);
  const least = (id: string): number => columns.find((column) => column.id === id)?.least ?? 0;
  const texts = ['creative', 'topic', 'buyer', 'payment', 'format'];
  for (const id of texts) expect(least('contractor')).toBeGreaterThan(least(id));
  const width = (id: string): number => columns.find((column) => column.id === id)?.width ?? 0;
  for (const id of texts) expect(width('contractor')).toBeGreaterThan(width(id));
});

import { nbsp } from '@zakup/domain/russian';
import { render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FigureBefore, FigureInColumn } from './figure-in-column.tsx';
import { FigureRoomProvider, useFigureRooms } from './figure-room.ts';
import { forgetFigureWidths } from './figure-width.ts';

const spaced = (text: string): string => text.replaceAll(' ', nbsp);
const columns = [{ id: 'price' }];

const Table = ({ prices, was }: { readonly prices: readonly string[]; readonly was?: string }) => {
  const place = useRef<HTMLDivElement>(null);
  const rooms = useFigureRooms(place, columns);
  return (
    <div ref={place}>
      <table>
        <thead>
          <tr>
            <th>Цена</th>
          </tr>
        </thead>
      </table>
      <FigureRoomProvider value={rooms}>
        {prices.map((price) => (
          <p key={price}>
            {was && (
              <FigureBefore column="price" shown={price}>
                {was}
              </FigureBefore>
            )}
            <FigureInColumn column="price">{price}</FigureInColumn>
          </p>
        ))}
      </FigureRoomProvider>
    </div>
  );
};

/** A digit is 10 px, anything else 5, and a column has so much room: the browser's part of it. */
const givenRoom = (room: number) => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(room);
  return vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function box(this: HTMLElement) {
    return new DOMRect(0, 0, /^\d$/u.test(this.textContent) ? 10 : 5, 18);
  });
};

const shownAt = (room: number, price: string, was?: string) => {
  givenRoom(room);
  return render(<Table prices={[spaced(price)]} {...(was && { was: spaced(was) })} />).container.querySelector(
    'p',
  ) as HTMLElement;
};

// What another file's table has measured is as little known as what this one's will leave behind.
beforeEach(forgetFigureWidths);
afterEach(() => {
  vi.restoreAllMocks();
  forgetFigureWidths();
});

describe('a figure in a column of a table', () => {
  // Ten digits and five other characters.
  const price = '52 500 000,50 ₽';

  it('TB-1080 is shortened where the column has no room for it, and told whole', () => {
    const shown = shownAt(124, price);
    expect(shown.querySelector('[aria-hidden="true"]')?.textContent).toBe(spaced('52,5 млн ₽'));
    expect(shown.querySelector('.z-visually-hidden')?.textContent).toBe(spaced(price));
    expect(shown.querySelector('[title]')?.getAttribute('title')).toBe(spaced(price));
  });

  it('TB-1081 is whole where it has room, however many letters it has', () => {
    expect(shownAt(125, price).innerHTML).toBe(spaced(price).replaceAll(nbsp, '&nbsp;'));
    expect(shownAt(40, '9 999').innerHTML).toBe('9&nbsp;999');
  });

  it('TB-1300 is measured by the characters of its font, which are looked at once for all the rows', () => {
    const looks = givenRoom(60);
    const prices = Array.from({ length: 500 }, (_, index) => spaced(`${index + 100} 000,50 ₽`));
    const { rerender } = render(<Table prices={prices.slice(0, 1)} />);
    const once = looks.mock.calls.length;
    rerender(<Table prices={prices} />);
    expect(looks).toHaveBeenCalledTimes(once);
  });

  it('TB-1301 an earlier figure beside it is shortened, then gone, before either is cut', () => {
    // 125 px for what it is now, and for what it was 6 px and 12/13 of 115 px, shortened of 50 px.
    expect(shownAt(238, price, '51 250 000,50').querySelector('s')?.textContent).toBe(spaced('51 250 000,50'));
    expect(shownAt(236, price, '51 250 000,50').querySelector('s')?.textContent).toBe(spaced('51,3 млн'));
    expect(shownAt(150, price, '51 250 000,50').textContent).toBe(spaced(price));
  });
});

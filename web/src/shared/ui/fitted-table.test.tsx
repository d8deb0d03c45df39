import { render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { nbsp } from '@zakup/domain/russian';
import { Fitted } from './fitted.tsx';

const spaced = (text: string): string => text.replaceAll(' ', nbsp);

/** A letter is 10 px, and there is no room but for so many: the browser's part of it. */
const givenRoom = (letters: number): void => {
  const lettersOf = (element: Element): number =>
    element.classList.contains('z-fitted-short')
      ? (element.getAttribute('data-short')?.length ?? 0)
      : (element.textContent?.length ?? 0);
  const widthOf = (place: Element): number => {
    const rows = [...place.querySelectorAll('tr')].map((row) => [...row.querySelectorAll('.z-fitted')].map(lettersOf));
    return 10 * (rows[0] ?? []).reduce((sum, _, column) => sum + Math.max(...rows.map((row) => row[column] ?? 0)), 0);
  };
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(10 * letters);
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(function scrollWidth(this: HTMLElement) {
    return widthOf(this);
  });
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function offsetWidth(this: HTMLElement) {
    return 10 * lettersOf(this);
  });
};

const Sums = ({ rows }: { readonly rows: readonly (readonly string[])[] }) => (
  <div className="z-table-scroll">
    <table>
      <tbody>
        {rows.map((row) => (
          <tr key={row.join()}>
            {row.map((text) => (
              <td key={text}>
                <Fitted>{spaced(text)}</Fitted>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** As the rows are seen, after everything that was drawn has been fitted. */
const shownAt = async (letters: number): Promise<readonly (readonly string[])[]> => {
  givenRoom(letters);
  const rows = [
    ['999 999 999 ₽', '1 272 000'],
    ['52 500 000,50 ₽', '424 000'],
  ];
  const { container } = render(<Sums rows={rows} />);
  await Promise.resolve();
  return [...container.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll<HTMLElement>('.z-fitted')].map((figure) => {
      if (!figure.classList.contains('z-fitted-short')) return figure.textContent.replaceAll(nbsp, ' ');
      expect(figure.title).toBe(figure.textContent);
      return figure.getAttribute('data-short')?.replaceAll(nbsp, ' ') ?? '';
    }),
  );
};

afterEach(() => {
  vi.restoreAllMocks();
});

it('FIT-1243 a table that has room has its figures whole', async () => {
  expect(await shownAt(24)).toEqual([
    ['999 999 999 ₽', '1 272 000'],
    ['52 500 000,50 ₽', '424 000'],
  ]);
});

it('FIT-1244 without room a column gives way as a whole, the widest first', async () => {
  expect(await shownAt(23)).toEqual([
    ['1 млрд ₽', '1 272 000'],
    ['52,5 млн ₽', '424 000'],
  ]);
  vi.restoreAllMocks();
  document.body.replaceChildren();
  expect(await shownAt(18)).toEqual([
    ['1 млрд ₽', '1,27 млн'],
    ['52,5 млн ₽', '424 тыс.'],
  ]);
});

import { expect, it, vi } from 'vitest';
import { showAcross } from './show-across.ts';

/** A table of 500 px from 10 px on, scrolled by 200, in whose row numbers and one column stay up to 150 px. */
const setUp = (left: number, right: number, className = ''): number => {
  const grid = document.createElement('div');
  grid.innerHTML = `<div><i class="z-grid-number"></i><i class="z-grid-pinned"></i><b class="${className}"></b></div>`;
  vi.spyOn(grid, 'clientWidth', 'get').mockReturnValue(500);
  const lay = (selector: string, from: number, to: number): void => {
    const place = grid.querySelector(selector) ?? grid;
    vi.spyOn(place, 'getBoundingClientRect').mockReturnValue(new DOMRect(from, 0, to - from, 30));
  };
  lay('none', 10, 525);
  lay('.z-grid-number', 10, 44);
  lay('.z-grid-pinned', 44, 150);
  lay('b', left, right);
  grid.scrollLeft = 200;
  const cell = grid.querySelector('b');
  if (cell) showAcross(grid, cell);
  return grid.scrollLeft;
};

it('GRD-2375 a cell that the keyboard comes to is brought from under what stays, or from beyond the right edge, by no more than that', () => {
  expect([setUp(150, 250), setUp(410, 510)]).toEqual([200, 200]);
  expect([setUp(90, 190), setUp(450, 550)]).toEqual([140, 240]);
  // One that is wider than the room shows where it begins.
  expect(setUp(450, 900)).toBe(500);
  expect(setUp(44, 150, 'z-grid-pinned')).toBe(200);
});

import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FigureInColumn } from './figure-in-column.tsx';

const spaced = (text: string): string => text.replaceAll(' ', '\u00a0');

describe('a figure in a column of a fixed width', () => {
  it('TB-1080 is shortened where it would be cut, and told whole', () => {
    const { container } = render(<FigureInColumn most={13}>{spaced('52 500 000,50 ₽')}</FigureInColumn>);
    expect(container.querySelector('[aria-hidden]')?.textContent).toBe(spaced('52,5 млн ₽'));
    expect(container.querySelector('.z-visually-hidden')?.textContent).toBe(spaced('52 500 000,50 ₽'));
    expect(container.querySelector('[title]')?.getAttribute('title')).toBe(spaced('52 500 000,50 ₽'));
  });

  it('TB-1081 is whole where it has room', () => {
    const { container } = render(<FigureInColumn most={13}>{spaced('987 654 321 ₽')}</FigureInColumn>);
    expect(container.innerHTML).toBe(spaced('987 654 321 ₽').replaceAll('\u00a0', '&nbsp;'));
  });
});

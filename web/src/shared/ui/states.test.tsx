import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Skeleton } from './states.tsx';

describe('grey lines', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('UI-30 take their room at once, but are seen only when loading takes longer than 150 ms', () => {
    render(<Skeleton rows={4} height={38} label="Загрузка списка" />);
    const lines = screen.getByText('Загрузка списка').parentElement as HTMLElement;
    const heights = [...lines.querySelectorAll('svg')].map((line) => line.getAttribute('height'));
    expect(heights).toEqual(['38', '38', '38', '38']);
    expect(lines.className).toBe('z-skeleton');
    act(() => void vi.advanceTimersByTime(149));
    expect(lines.className).toBe('z-skeleton');
    act(() => void vi.advanceTimersByTime(1));
    expect(lines.className).toContain('z-skeleton-shown');
  });
});

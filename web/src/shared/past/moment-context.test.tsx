import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useToday } from './moment-context.ts';

afterEach(() => void vi.useRealTimers());

const Day = () => <p>{useToday()}</p>;

it('TT-1515 a window that stays open over midnight goes on to the next day', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 20, 59, 30) });
  render(<Day />);
  expect(screen.getByText('2026-11-21')).toBeDefined();
  act(() => void vi.advanceTimersByTime(90_000));
  expect(screen.getByText('2026-11-22')).toBeDefined();
});

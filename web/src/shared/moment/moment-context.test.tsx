import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { memoryReplica } from '../replica/replica.ts';
import { type Moment, MomentProvider, useNowDoc, useToday } from './moment-context.ts';

afterEach(() => void vi.useRealTimers());

const Day = () => <p>{useToday()}</p>;

it('TT-1515 a window that stays open over midnight goes on to the next day', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 20, 59, 30) });
  render(<Day />);
  expect(screen.getByText('2026-11-21')).toBeDefined();
  act(() => void vi.advanceTimersByTime(90_000));
  expect(screen.getByText('2026-11-22')).toBeDefined();
});

const Now = () => <p>{useNowDoc('campaign', 'k')?.name ?? 'ничего'}</p>;

it('SCR-1643 what is now is told beside a moment that is there, not while it is on its way', () => {
  const now = memoryReplica();
  const doc = { id: 'k', name: 'Ноябрь' } as CampaignWire;
  now.apply({ scope: 'workspace', position: 1, last: true, docs: [{ kind: 'campaign', id: 'k', position: 1, doc }] });
  const shown = (moment: Moment | null) => (
    <MomentProvider value={moment}>
      <Now />
    </MomentProvider>
  );
  const { rerender } = render(shown({ position: null, at: null, now }));
  expect(screen.getByText('ничего')).toBeDefined();
  rerender(shown({ position: 17, at: null, now }));
  expect(screen.getByText('Ноябрь')).toBeDefined();
  rerender(shown(null));
  expect(screen.getByText('ничего')).toBeDefined();
});

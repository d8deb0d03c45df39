import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { useDocs, useDrawn } from '../shared/replica/replica-context.tsx';
import { clearAllLocalData, clearLicenceCaches } from '../shared/session/local-data.ts';
import { person, stage, type StageOptions } from '../shared/testing/stage.tsx';
import { SlotOutlet, SlotProvider } from '../shared/ui/slots.tsx';
import { KeptLists, keepingTime } from './kept-lists.tsx';

const Channels = () => {
  const drawn = useDrawn('workspace');
  const names = useDocs('channel').map(({ name }) => name);
  return <p>{drawn ? `Каналы: ${names.join(', ')}` : 'ещё ничего'}</p>;
};
const kept = (of: string, name = 'Старое имя') => ({
  channels: JSON.stringify({ of, savedAt: '2026-11-21T08:00:00.000Z', list: [{ id: 'k1', name }] }),
});
const shown = (options: Omit<StageOptions, 'element'>) =>
  stage({
    ...options,
    element: (
      <SlotProvider>
        <SlotOutlet name="status-left" />
        <KeptLists />
        <Channels />
      </SlotProvider>
    ),
  });
const buyer = person('me', { role: 'MEDIA_BUYER' });

describe('lists that this browser keeps', () => {
  it('WLO-1 are painted first, and the server’s take their place in one step', async () => {
    const { bring } = shown({ me: buyer, kept: kept('me') });
    expect(await screen.findByText('Каналы: Старое имя')).toBeDefined();
    bring('workspace', [['channel', { id: 'k2', name: 'Вкус дня' } as { id: string }]]);
    expect(await screen.findByText('Каналы: Вкус дня')).toBeDefined();
  });

  it('WLO-2 are neither shown to the owner nor kept for them', async () => {
    const { bring } = shown({ me: person('me', { role: 'CEO', isOwner: true }), kept: kept('me') });
    expect(await screen.findByText('ещё ничего')).toBeDefined();
    vi.useFakeTimers();
    try {
      localStorage.removeItem('channels');
      bring('workspace', [['channel', { id: 'k2' }]]);
      vi.advanceTimersByTime(keepingTime);
    } finally {
      vi.useRealTimers();
    }
    expect(localStorage.getItem('channels')).toBeNull();
  });

  it('WLO-3 are painted for nobody else of the team', async () => {
    shown({ me: buyer, kept: kept('somebody') });
    expect(await screen.findByText('ещё ничего')).toBeDefined();
  });

  it('WLO-4 are what the server said last, and go with the caches of the licence', async () => {
    const { bring } = shown({ me: buyer });
    await screen.findByText('ещё ничего');
    vi.useFakeTimers();
    try {
      bring('workspace', [
        ['channel', { id: 'k1', name: 'Вкус' } as { id: string }],
        ['contractor', { id: 'c1' }],
      ]);
      vi.advanceTimersByTime(keepingTime);
    } finally {
      vi.useRealTimers();
    }
    const list = (key: string): unknown => (JSON.parse(localStorage.getItem(key) ?? '{}') as { list?: unknown }).list;
    expect(list('channels')).toEqual([{ id: 'k1', name: 'Вкус' }]);
    expect(list('contractors')).toEqual([{ id: 'c1' }]);
    clearLicenceCaches(localStorage);
    expect(localStorage.getItem('channels')).toBeNull();
    localStorage.setItem('users', '{}');
    clearAllLocalData(localStorage);
    expect(localStorage.getItem('users')).toBeNull();
  });

  it('WLO-5 without a line say of when they are; what is damaged is no list', async () => {
    const connection = { state: 'offline', announced: true, dataAt: null } as const;
    shown({ me: buyer, kept: { ...kept('me'), users: '{"of":"me"', creatives: '[]' }, connection });
    expect(await screen.findByText('Каналы: Старое имя')).toBeDefined();
    expect(screen.getByText(/^Данные на 21.*11:00$/u)).toBeDefined();
  });
});

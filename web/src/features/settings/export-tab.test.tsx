import { screen, waitFor } from '@testing-library/react';
import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Answer, type Call, person, stage } from '../../shared/testing/stage.tsx';
import { ExportTab } from './export-tab.tsx';
import { SettingsPage } from './settings-page.tsx';

const campaign = (id: string, name: string, status: CampaignWire['status']): CampaignWire => ({
  id,
  revision: 0,
  createdAt: '2026-02-03T09:00:00.000Z',
  updatedAt: '2026-02-03T09:00:00.000Z',
  name,
  channelId: 'food',
  totalBudget: 1000,
  budget: 1000,
  status,
  startDate: null,
  endDate: null,
  participants: [],
});
const docs = {
  workspace: [
    ['campaign', campaign('old', 'Весна', 'COMPLETED')],
    ['campaign', campaign('new', 'Ноябрь | Подписчики', 'ACTIVE')],
  ],
} as const;
const owner = person('owner', { role: 'CEO', isOwner: true });

const isImports = ({ path }: Call): boolean => path.startsWith('/api/imports?');

const shown = (me = owner, serve: (call: Call) => Answer = () => ({ data: {} })) => {
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(undefined);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const answer = (call: Call): Answer | Promise<Answer> =>
    isImports(call) ? { data: { imports: [], next: null } } : serve(call);
  const staged = stage({ element: <ExportTab />, me, docs, serve: answer });
  /** All but what asks for earlier imports. */
  const asked = (): readonly Call[] => staged.calls.filter((call) => !isImports(call));
  return { ...staged, asked, saved };
};

describe('what leaves as a file', () => {
  it('STX-1 the placements of a campaign, the active one first, in the chosen format', async () => {
    const { user, asked, saved } = shown();
    await user.click(await screen.findByRole('button', { name: 'Скачать размещения' }));
    expect(await screen.findByText(/^Готово: /u)).toBeTruthy();
    await user.selectOptions(screen.getByLabelText('Кампания'), 'old');
    await user.selectOptions(screen.getByLabelText('Вид файла'), 'csv');
    await user.click(screen.getByRole('button', { name: 'Скачать размещения' }));
    await waitFor(() => expect(saved).toEqual(['Ноябрь - Подписчики.xlsx', 'Весна.csv']));
    expect(asked().map(({ path }) => path)).toEqual([
      '/api/campaigns/new/export?format=xlsx',
      '/api/campaigns/old/export?format=csv',
    ]);
  });

  it('STX-2 the owner downloads everything, and a failure is said where it was begun', async () => {
    let up = false;
    const { user, asked, saved } = shown(owner, () => (up ? { data: {} } : 'no answer'));
    const button = await screen.findByRole('button', { name: 'Скачать все данные' });
    await user.click(button);
    expect(await screen.findByText('Ошибка соединения с сервером')).toBeTruthy();
    up = true;
    await user.click(button);
    await waitFor(() => expect(saved).toEqual(['zakup.zip']));
    expect(asked().at(-1)?.path).toBe('/api/license/export');
  });

  it('STX-3 nobody else is offered everything', async () => {
    shown(person('me', { role: 'CEO' }));
    await screen.findByRole('button', { name: 'Скачать размещения' });
    expect(screen.queryByRole('button', { name: 'Скачать все данные' })).toBeNull();
  });

  it('STX-4 the tab stands in the address as `?tab=export`', async () => {
    stage({ element: <SettingsPage />, me: owner, docs, address: '/settings?tab=export' });
    const tab = await screen.findByRole('tab', { name: 'Импорт/экспорт' });
    expect(tab.getAttribute('aria-selected')).toBe('true');
    expect(screen.getByRole('heading', { name: 'Все данные команды' })).toBeTruthy();
  });
});

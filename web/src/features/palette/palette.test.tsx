import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { ContractorOpenerProvider } from '../../shared/dialogs/contractor-opener.tsx';
import { type Answer, type Call, stage } from '../../shared/testing/stage.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { PaletteHost } from './palette-host.tsx';

const hit = {
  kind: 'campaign',
  id: 'k',
  title: 'Ноябрь | Подписчики',
  subtitle: 'Кухня',
  campaignId: 'k',
  channelId: 'food',
  contractorId: null,
};

const shown = (serve: (call: Call) => Answer = () => ({ data: { hits: [hit] } })) => {
  const ran: string[] = [];
  const actions = [
    { id: 'theme', title: 'Тёмная тема', run: () => ran.push('theme') },
    { id: 'settings', title: 'Настройки', run: () => ran.push('settings') },
  ];
  return { ...stage({ element: <PaletteHost actions={actions} />, serve }), ran };
};

describe('the palette', () => {
  it('PLT-1 Ctrl K opens it in any keyboard layout, «ё» is found by «е», Enter does it and closes', async () => {
    const { user, ran } = shown(() => ({ data: { hits: [] } }));
    await screen.findByRole('button', { name: /Поиск и команды/u });
    await user.keyboard('{Control>}[KeyK]{/Control}');
    const field = await screen.findByRole('combobox', { name: 'Поиск и команды' });
    await user.type(field, 'темная');
    await user.keyboard('{Enter}');
    expect(ran).toEqual(['theme']);
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('PLT-2 what the server finds stands under its heading, campaign names without a bar', async () => {
    const { user, calls } = shown();
    await user.click(await screen.findByRole('button', { name: /Поиск и команды/u }));
    await user.type(await screen.findByRole('combobox', { name: 'Поиск и команды' }), 'нояб');
    const list = await screen.findByRole('listbox');
    expect(await within(list).findByText('Ноябрь - Подписчики')).toBeTruthy();
    expect(within(list).getByText('Кампании')).toBeTruthy();
    expect(calls.at(-1)?.path).toBe('/api/search?q=%D0%BD%D0%BE%D1%8F%D0%B1');
  });

  it('PLT-3 nothing found and no connection are said in words', async () => {
    const { user } = shown((call) => (call.path.includes('q=%D1%89') ? { data: { hits: [] } } : 'no answer'));
    await user.click(await screen.findByRole('button', { name: /Поиск и команды/u }));
    const field = await screen.findByRole('combobox', { name: 'Поиск и команды' });
    await user.type(field, 'щ');
    expect(await screen.findByText('Ничего не найдено')).toBeTruthy();
    await user.clear(field);
    await user.type(field, 'ю');
    expect(await screen.findByText('Ошибка соединения с сервером')).toBeTruthy();
  });

  it('PLT-4 its field has the focus before the event of Ctrl K is over, and is empty each time', async () => {
    const { user } = shown(() => ({ data: { hits: [] } }));
    await screen.findByRole('button', { name: /Поиск и команды/u });
    const focused: (string | null)[] = [];
    // The palette listens at the window as well, and heard of the key earlier.
    const note = (): void => void focused.push(document.activeElement?.getAttribute('role') ?? null);
    window.addEventListener('keydown', note);
    fireEvent.keyDown(document.body, { code: 'KeyK', ctrlKey: true });
    window.removeEventListener('keydown', note);
    expect(focused).toEqual(['combobox']);
    await user.keyboard('ю{Escape}');
    expect(screen.queryByRole('combobox')).toBeNull();
    fireEvent.keyDown(document.body, { code: 'KeyK', ctrlKey: true });
    expect(screen.getByRole('combobox')).toHaveProperty('value', '');
  });

  it('PLT-5 a dialog opened from it gives the focus back to what had it before the palette', async () => {
    const Screen = () => {
      const [contractorId, setContractorId] = useState<string | null>(null);
      return (
        <ContractorOpenerProvider value={setContractorId}>
          <PaletteHost actions={[]} />
          {contractorId !== null && (
            <Dialog title={contractorId} onClose={() => setContractorId(null)}>
              Найдено
            </Dialog>
          )}
        </ContractorOpenerProvider>
      );
    };
    const found = { ...hit, kind: 'contractor', title: '@masha', contractorId: 'c1' };
    const { user } = stage({ element: <Screen />, serve: () => ({ data: { hits: [found] } }) });
    const button = await screen.findByRole('button', { name: /Поиск и команды/u });
    button.focus();
    await user.keyboard('{Enter}');
    await user.type(await screen.findByRole('combobox'), 'masha');
    await user.click(await screen.findByRole('option', { name: /@masha/u }));
    const dialog = within(await screen.findByRole('dialog', { name: 'c1' }));
    expect(screen.queryByRole('combobox')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Закрыть' }));
    await waitFor(() => expect(document.activeElement).toBe(button));
  });
});

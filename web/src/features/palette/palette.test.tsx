import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
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

const Address = () => {
  const { pathname, search } = useLocation();
  return <output aria-label="Адрес">{pathname + search}</output>;
};

const shown = (serve: (call: Call) => Answer | Promise<Answer> = () => ({ data: { hits: [hit] } })) => {
  const ran: string[] = [];
  const actions = [
    { id: 'theme', title: 'Тёмная тема', run: () => ran.push('theme') },
    { id: 'settings', title: 'Настройки', run: () => ran.push('settings') },
  ];
  const element = (
    <>
      <PaletteHost actions={actions} />
      <Address />
    </>
  );
  const address = () => screen.getByLabelText('Адрес').textContent;
  return { ...stage({ element, serve }), ran, address };
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

  it('PLT-3145 of what stands beside a find names give way, never the sum at the end', async () => {
    const subtitle = '28 ноября 2026 · Ноябрь - Подписчики из больших каналов · 987 654 321 ₽';
    const { user } = shown(() => ({
      data: { hits: [{ ...hit, kind: 'placement', title: '@kitchen_ads', subtitle }] },
    }));
    await user.click(await screen.findByRole('button', { name: /Поиск и команды/u }));
    await user.type(await screen.findByRole('combobox'), 'kitchen');
    const found = await screen.findByRole('option', { name: /@kitchen_ads/u });
    expect(found.querySelector('small')?.textContent).toBe(subtitle);
    expect(found.querySelector('.z-palette-sum')?.textContent).toBe(' · 987 654 321 ₽');
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

  /** The server answers when told. */
  const slow = () => {
    const answers = new Map<string, (hits: readonly object[]) => void>();
    const shownNow = shown(
      (call) =>
        new Promise<Answer>((resolve) => {
          answers.set(new URLSearchParams(call.path.split('?')[1]).get('q') ?? '', (hits) =>
            resolve({ data: { hits } }),
          );
        }),
    );
    const answer = async (typed: string, hits: readonly object[]): Promise<void> => {
      await waitFor(() => expect(answers.has(typed)).toBe(true));
      answers.get(typed)?.(hits);
    };
    return { ...shownNow, answer };
  };
  const opened = async (user: ReturnType<typeof shown>['user']) => {
    await user.click(await screen.findByRole('button', { name: /Поиск и команды/u }));
    return screen.findByRole('combobox', { name: 'Поиск и команды' });
  };

  it('PLT-1120 Enter that comes before the answer opens the first that is found, and nothing once more was typed', async () => {
    const { user, answer, address } = slow();
    const field = await opened(user);
    await user.type(field, 'нояб{Enter}');
    expect(screen.getByText(/Ищем/u)).toBeTruthy();
    await answer('нояб', [hit]);
    await waitFor(() => expect(address()).toBe('/dashboard?campaign=k'));
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());

    const again = await opened(user);
    await user.type(again, 'дек{Enter}а');
    await answer('дека', [{ ...hit, id: 'd', campaignId: 'd', title: 'Декабрь' }]);
    await screen.findByRole('option', { name: /Декабрь/u });
    expect(address()).toBe('/dashboard?campaign=k');
  });

  it('PLT-1121 Enter never opens what an earlier text found; what is known here is done at once', async () => {
    const { user, answer, address, ran } = slow();
    const field = await opened(user);
    await user.type(field, 'нояб');
    await answer('нояб', [hit]);
    await screen.findByRole('option', { name: /Ноябрь/u });
    await user.clear(field);
    await user.type(field, 'кухня{Enter}');
    expect(address()).toBe('/');
    await answer('кухня', [{ ...hit, id: 'z', campaignId: 'z', title: 'Кухня' }]);
    await waitFor(() => expect(address()).toBe('/dashboard?campaign=z'));

    await user.type(await opened(user), 'темная{Enter}');
    expect(ran).toEqual(['theme']);
  });

  it('PLT-1122 for those who do not see it: options under named groups, how many were found, and that it looks', async () => {
    const { user, answer } = slow();
    const field = await opened(user);
    await user.type(field, 'а');
    await answer('а', [hit, { ...hit, kind: 'person', id: 'u', title: 'Анна' }]);
    const group = await screen.findByRole('group', { name: 'Кампании' });
    expect(within(group).getAllByRole('option')).toHaveLength(1);
    expect(within(screen.getByRole('group', { name: 'Люди' })).getByRole('option').textContent).toContain('Анна');
    const active = screen.getByRole('option', { selected: true });
    expect(field.getAttribute('aria-activedescendant')).toBe(active.id);
    expect(screen.getByText(/^Найдено: /u)).toBeTruthy();
  });
});

import { act, screen, waitFor, within } from '@testing-library/react';
import type { ViewWire } from '@zakup/contracts/wire-entities';
import { messages } from '@zakup/domain/messages';
import { useLocation } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { type Answer, type Call, person, stage } from '../../../shared/testing/stage.tsx';
import { ToastHost } from '../../../shared/toasts/toast-host.tsx';
import { toastStore } from '../../../shared/toasts/toasts.ts';
import { ViewsButton } from './views-button.tsx';

const usual = { columnId: 'date', order: 'asc' } as const;
const view = (id: string, name: string, over: Partial<ViewWire> = {}): ViewWire => ({
  id,
  revision: 0,
  createdAt: '2026-11-21T11:00:00.000Z',
  updatedAt: '2026-11-21T11:00:00.000Z',
  name,
  query: 'payment=unpaid&sort=-date',
  shared: false,
  authorId: 'anna',
  ...over,
});
const own = view('v1', 'К оплате');
const team = view('team-v2', 'По неделям', { query: 'sort=date&group=week', shared: true, authorId: 'olga' });
const numbered = ['10', '2'].map((number) => view(`n${number}`, `Вид ${number}`, { query: 'payment=paid&sort=price' }));

const Address = () => <output>{useLocation().search}</output>;

const setUp = ({
  current = 'sort=date',
  role = 'MEDIA_BUYER' as const,
  serve = (): Answer => 'no answer',
}: {
  readonly current?: string;
  readonly role?: 'MEDIA_BUYER' | 'TEAM_LEAD' | 'ANALYTIC';
  readonly serve?: (call: Call) => Answer;
} = {}) => {
  const set = stage({
    element: (
      <>
        <ViewsButton campaignId="c" current={current} usual={usual} />
        <Address />
        <ToastHost />
      </>
    ),
    me: person('anna', { name: 'Анна', role }),
    docs: { me: [own, ...numbered].map((one) => ['view', one] as const), workspace: [['view', team]] },
    serve,
  });
  const open = async (): Promise<void> => {
    await set.user.click(await screen.findByRole('button', { name: 'Виды' }));
    await screen.findByText('По неделям');
  };
  return { ...set, open };
};
const items = (): readonly (string | null)[] => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);

describe('the menu of views', () => {
  it('VIW-2355 lists one’s own and the team’s, marks the one that the table shows, and puts a chosen one in the address', async () => {
    const { user, open } = setUp({ current: own.query });
    await open();
    expect(screen.getByText('Мои')).toBeTruthy();
    expect(screen.getByText('Команды')).toBeTruthy();
    expect(items().filter((text) => text?.startsWith('Вид '))).toEqual(['Вид 2', 'Вид 10']);
    const marked = screen.getAllByRole('menuitem').filter((item) => item.getAttribute('aria-current') === 'true');
    expect(marked.map(({ textContent }) => textContent)).toEqual(['К оплате']);
    await user.click(screen.getByText('По неделям'));
    await waitFor(() => expect(screen.getByRole('status', { name: '' }).textContent).toContain('group=week'));
  });

  it('VIW-2356 saves what the table shows under a name, and says why it is not saved', async () => {
    let isTaken = true;
    const { user, open, calls } = setUp({
      serve: ({ body }) => {
        if (isTaken) return { problem: { code: 'DUPLICATE', message: messages.viewNameTaken } };
        return { data: { view: view('v3', (body as { name: string }).name) } };
      },
    });
    await open();
    await user.click(screen.getByText('Сохранить вид…'));
    await user.type(await screen.findByLabelText('Название'), 'К оплате');
    await user.click(screen.getByRole('button', { name: 'Сохранить' }));
    expect(await screen.findByText(messages.viewNameTaken)).toBeTruthy();
    isTaken = false;
    await user.type(screen.getByLabelText('Название'), ' 2');
    await user.click(screen.getByLabelText('Для всей команды'));
    await user.click(screen.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(toastStore.announced()?.text).toBe('Вид «К оплате 2» сохранён'));
    expect(calls.at(-1)).toMatchObject({
      method: 'POST',
      path: '/api/views',
      body: { name: 'К оплате 2', query: 'sort=date', shared: true },
    });
  });

  it('VIW-2357 a deleted view comes back by the toast, under the command that deleted it', async () => {
    const { user, open, calls } = setUp({ current: own.query, serve: () => ({ data: {} }) });
    await open();
    await user.click(screen.getByText('Удалить «К оплате»'));
    await user.click(await screen.findByRole('button', { name: 'Вернуть' }));
    await waitFor(() => expect(toastStore.announced()?.text).toBe('Вид «К оплате» возвращён'));
    const [removal, undo] = calls.filter(({ method }) => method !== 'GET');
    expect([removal?.method, removal?.path, undo?.path]).toEqual(['DELETE', '/api/views/v1', '/api/undo']);
    expect(undo?.body).toEqual({ commandId: removal?.commandId });
  });

  it('VIW-2358 a view of the team is changed by its author and by who leads, and saved by who may change placements', async () => {
    const { open } = setUp({ current: team.query });
    await open();
    expect(items().some((text) => text?.startsWith('Удалить'))).toBe(false);
  });

  it('VIW-2359 who leads may update a chosen view that no longer is what the table shows, with the way back', async () => {
    const { user, open, calls } = setUp({ role: 'TEAM_LEAD', serve: () => ({ data: { view: team } }) });
    await open();
    await user.click(screen.getByText('По неделям'));
    await open();
    await user.click(screen.getByText('Обновить «По неделям»'));
    expect(await screen.findByText('Вид «По неделям» обновлён')).toBeTruthy();
    const update = calls.at(-1);
    expect(update).toMatchObject({
      method: 'PUT',
      path: '/api/views/team-v2',
      body: { query: 'sort=date', baseRevision: 0 },
    });
    await user.click(screen.getByRole('button', { name: 'Вернуть' }));
    await waitFor(() => expect(toastStore.announced()?.text).toBe('Вид «По неделям» возвращён'));
    expect(calls.at(-1)).toMatchObject({ path: '/api/undo', body: { commandId: update?.commandId } });
  });

  it('VIW-2567 who replaces a view of the team that another changed since it was shown is asked, and replaces it, keeps it beside, or shows it', async () => {
    const conflict = {
      field: 'query',
      base: team.query,
      theirs: 'sort=price',
      mine: 'sort=date',
      by: { userId: 'olga', name: 'Ольга' },
      at: '2026-11-21T12:00:00.000Z',
    };
    let left = 2;
    const { user, open, calls, bring } = setUp({
      role: 'TEAM_LEAD',
      serve: ({ path }) => {
        if (path !== '/api/undo' && left-- > 0)
          return { problem: { code: 'CONFLICT', message: messages.conflict, conflicts: [conflict], revision: 7 } };
        return { data: { view: team } };
      },
    });
    await open();
    await user.click(screen.getByText('По неделям'));
    const changed: ViewWire = { ...team, revision: 5, query: 'sort=price' };
    act(() => bring('workspace', [['view', changed]]));
    const update = async (): Promise<HTMLElement> => {
      await open();
      await user.click(screen.getByText('Обновить «По неделям»'));
      return screen.findByRole('dialog', { name: 'Вид изменён' });
    };
    const dialog = await update();
    expect(dialog.textContent).toContain('Вид «По неделям» изменён, пока он был открыт: Ольга');
    expect(calls.at(-1)?.body).toEqual({ query: 'sort=date', baseRevision: 0 });
    await user.click(within(dialog).getByRole('button', { name: 'Сохранить как новый…' }));
    expect((await screen.findByRole('dialog', { name: 'Сохранить вид' })).isConnected).toBe(true);
    await user.keyboard('{Escape}');
    await user.click(within(await update()).getByRole('button', { name: 'Заменить' }));
    expect(await screen.findByText('Вид «По неделям» обновлён')).toBeTruthy();
    expect(calls.at(-1)?.body).toEqual({ query: 'sort=date', baseRevision: 7 });
    left = 1;
    await user.click(within(await update()).getByRole('button', { name: 'Показать изменённый' }));
    await waitFor(() => expect(screen.getByRole('status', { name: '' }).textContent).toContain('sort=price'));
  });

  it('VIW-2568 what one changed oneself since is no news, and a name that another gave is told before it is replaced', async () => {
    const mine = {
      field: 'query',
      base: team.query,
      theirs: 'sort=price',
      mine: 'sort=date',
      by: { userId: 'anna', name: 'Анна' },
      at: '2026-11-21T12:00:00.000Z',
    };
    const renamed = { ...mine, field: 'name', theirs: 'Недели', by: { userId: 'olga', name: 'Ольга' } };
    /** In the order of the changes; null = it is made. */
    const conflicts = [mine, null, renamed];
    const { user, open, calls } = setUp({
      role: 'TEAM_LEAD',
      serve: () => {
        const one = conflicts.shift();
        if (one) return { problem: { code: 'CONFLICT', message: messages.conflict, conflicts: [one], revision: 9 } };
        return { data: { view: team } };
      },
    });
    await open();
    await user.click(screen.getByText('По неделям'));
    await open();
    await user.click(screen.getByText('Обновить «По неделям»'));
    expect(await screen.findByText('Вид «По неделям» обновлён')).toBeTruthy();
    expect(calls.map(({ body }) => (body as { baseRevision: number }).baseRevision)).toEqual([0, 9]);
    await open();
    await user.click(screen.getByText('Переименовать «По неделям»…'));
    await user.type(await screen.findByLabelText('Название'), ' 2');
    await user.click(screen.getByRole('button', { name: 'Сохранить' }));
    expect(await screen.findByText(/Теперь вид называется «Недели»: Ольга/u)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(toastStore.announced()?.text).toMatch(/сохранён$/u));
    expect(calls.map(({ body }) => (body as { baseRevision: number }).baseRevision)).toEqual([0, 9, 0, 9]);
  });

  it('VIW-2412 what the table shows is changed, not what was chosen before it', async () => {
    const { user, open } = setUp({ role: 'TEAM_LEAD', current: own.query });
    await open();
    await user.click(screen.getByText('По неделям'));
    await open();
    expect(items().filter((text) => text?.startsWith('Удалить'))).toEqual(['Удалить «К оплате»']);
  });

  it('VIW-3320 a saved view and one that is back are told without a toast; the button is marked while the table shows one, and tells which', async () => {
    const { user, open, bring } = setUp({
      serve: ({ method, body }) =>
        method === 'POST' && body !== undefined && 'name' in (body as object)
          ? { data: { view: view('v3', 'Новый') } }
          : { data: {} },
    });
    const button = await screen.findByRole('button', { name: 'Виды' });
    const marked = (): readonly unknown[] => [button.hasAttribute('data-shown'), button.title];
    expect(marked()).toEqual([false, '']);
    await open();
    await user.click(screen.getByText('Сохранить вид…'));
    await user.type(await screen.findByLabelText('Название'), 'Новый');
    await user.click(screen.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(toastStore.announced()?.text).toBe('Вид «Новый» сохранён'));
    expect(toastStore.read().shown).toEqual([]);
    act(() => bring('me', [['view', view('v3', 'Новый', { query: 'sort=date' })]]));
    await waitFor(() => expect(marked()).toEqual([true, 'Показан вид «Новый»']));
    await open();
    await user.click(screen.getByText('Удалить «Новый»'));
    await user.click(await screen.findByRole('button', { name: 'Вернуть' }));
    await waitFor(() => expect(toastStore.announced()?.text).toBe('Вид «Новый» возвращён'));
    expect(toastStore.read().shown).toEqual([]);
  });
});

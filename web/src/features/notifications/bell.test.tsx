import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import { type NotificationRow, type NotificationWire, presentNotification } from '@zakup/contracts/notifications';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { useLocation } from 'react-router-dom';
import { closeLicence, useLicenceOpen } from '../../shared/licence/licence-opener.ts';
import { memoryEntryStore } from '../../shared/outbox/entry-store.ts';
import { type Outbox, openOutbox } from '../../shared/outbox/outbox.ts';
import { OutboxProvider } from '../../shared/outbox/outbox-context.tsx';
import type { SendResult } from '../../shared/outbox/transport.ts';
import { openNotifications } from '../../shared/live/notifications-opener.ts';
import { MomentProvider, useMoment } from '../../shared/moment/moment-context.ts';
import { NowBelow } from '../../shared/time-travel/now-below.tsx';
import { PastHost } from '../../shared/time-travel/past-host.tsx';
import { closeImportReport, useImportReport } from '../../shared/import/import-report-opener.ts';
import { memoryReplica } from '../../shared/replica/replica.ts';
import { lastVisitKey } from '../../shared/session/local-data.ts';
import { type Answer, type Call, licence, person, stage, stageNow } from '../../shared/testing/stage.tsx';
import { Bell } from './bell.tsx';

const minute = 60_000;
const notice = (position: number, over: Partial<NotificationWire> = {}): NotificationWire => ({
  id: `n${position}`,
  type: 'placement',
  text: `Ваше размещение изменено: @nick${position} («Ноябрь - Подписчики», Анна)`,
  at: new Date(stageNow - 5 * minute).toISOString(),
  position,
  actor: { userId: 'anna', name: 'Анна' },
  count: 1,
  read: false,
  campaignId: 'k',
  placementId: 'p',
  userId: null,
  importId: null,
  ...over,
});

const Address = () => {
  const { pathname, search } = useLocation();
  return <output aria-label="Адрес">{pathname + search}</output>;
};

const outboxOf = (result: SendResult): Promise<Outbox> =>
  openOutbox({
    personId: 'anna',
    store: memoryEntryStore(),
    transport: { send: () => Promise.resolve(result) },
    replica: memoryReplica(),
    newId: () => crypto.randomUUID(),
    clock: { now: () => stageNow, setTimeout: () => 0, clearTimeout: () => undefined },
    chance: () => 0,
    tabs: null,
    election: (lead) => {
      lead();
      return () => undefined;
    },
  });

interface Options {
  readonly list?: readonly NotificationWire[] | null;
  readonly serve?: (call: Call) => Answer;
  readonly outbox?: Outbox;
  readonly me?: ReturnType<typeof person>;
  readonly lastVisit?: number;
  readonly features?: readonly string[];
}
const shown = async ({ list = [], serve, outbox, me = person('me'), lastVisit, features }: Options = {}) => {
  const box = outbox ?? (await outboxOf({ kind: 'later', retryAfterSeconds: null }));
  const set = stage({
    element: (
      <OutboxProvider value={box}>
        <Bell />
        <Address />
      </OutboxProvider>
    ),
    me,
    ...(features && { licenceOver: { features: [...features] } }),
    docs: list === null ? {} : { me: list.map((one) => ['notification', one] as const) },
    ...(serve && { serve }),
  });
  if (lastVisit !== undefined) localStorage.setItem(lastVisitKey(licence.id, me.id), String(lastVisit));
  const bell = await screen.findByRole('button', { name: /^Уведомления/u });
  const open = async () => {
    await set.user.click(bell);
    return within(await screen.findByRole('region', { name: 'Уведомления' }));
  };
  return { ...set, bell, open };
};

const narrow = (is: boolean): void => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({ matches: is && query.includes('768'), addEventListener: () => 0, removeEventListener: () => 0 }) as never,
  );
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: stageNow });
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

describe('the bell', () => {
  it('BELL-1 has a red dot only while something is unread, and says how much', async () => {
    const { bring } = await shown({ list: [notice(1, { read: true })] });
    expect(screen.queryByTestId('bell-dot')).toBeNull();
    bring('me', [['notification', notice(8)]]);
    expect(await screen.findByTestId('bell-dot')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Уведомления: 1 непрочитанное' })).toBeTruthy();
  });

  it('BELL-2 lists newest first with when, also what comes while it is open', async () => {
    const { open, bring } = await shown({ list: [notice(1, { read: true }), notice(2)] });
    const panel = await open();
    const texts = () => panel.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(texts()[0]).toContain('@nick2');
    expect(texts()[0]).toContain('5 мин назад');
    bring('me', [['notification', notice(9)]]);
    await waitFor(() => expect(texts()[0]).toContain('@nick9'));
  });

  it('BELL-3 «Прочитать все» sends the newest place, and the dot goes at once', async () => {
    const { open, user, calls } = await shown({
      list: [notice(4), notice(7)],
      serve: () => ({ data: { readUpTo: 7 } }),
    });
    const panel = await open();
    await user.click(panel.getByRole('button', { name: 'Прочитать все' }));
    expect(screen.queryByTestId('bell-dot')).toBeNull();
    await waitFor(() =>
      expect(calls).toMatchObject([{ method: 'POST', path: '/api/notifications/read', body: { upTo: 7 } }]),
    );
  });

  it('BELL-4 one that was followed leads to its campaign; older unread ones stay unread', async () => {
    const { open, user, calls } = await shown({ list: [notice(4), notice(7)] });
    const panel = await open();
    await user.click(panel.getByRole('button', { name: /@nick7/u }));
    expect(screen.getByLabelText('Адрес').textContent).toBe('/dashboard?campaign=k');
    expect(calls).toEqual([]);
    expect(screen.getByTestId('bell-dot')).toBeTruthy();
  });

  it('BELL-1540 tells the owner who gave a colleague a password, and leads to the card of that colleague', async () => {
    const row: NotificationRow = {
      personId: 'me',
      at: new Date(stageNow - minute).toISOString(),
      position: 5,
      actor: { userId: 'anna', name: 'Анна Соколова' },
      commandId: 'c',
      count: 1,
      read: false,
      facts: { type: 'access', what: 'password', userId: 'u1', userName: 'Пётр Иванов' },
    };
    const nameless = { ...row, actor: { userId: 'kim', name: 'Ким' } };
    expect(presentNotification('n', nameless).text).toBe('Выдан временный пароль: Пётр Иванов (кем: Ким)');
    const { open, user } = await shown({ list: [presentNotification('n5', row)] });
    const panel = await open();
    await user.click(panel.getByRole('button', { name: /Анна Соколова выдала временный пароль: Пётр Иванов/u }));
    expect(screen.getByLabelText('Адрес').textContent).toBe('/settings?tab=employees&person=u1');
  });

  it('BELL-3470 how an import ended leads to what became of it, over the screen on which the person is', async () => {
    const facts = {
      type: 'import',
      importId: 'i1',
      name: 'закуп.csv',
      campaignId: 'k',
      campaignName: 'Весна',
    } as const;
    const counts = { outcome: 'done', added: 400, changed: 10, skipped: 0, failed: 5 } as const;
    const row = {
      personId: 'me',
      at: new Date(stageNow - minute).toISOString(),
      position: 5,
      commandId: 'c',
      count: 1,
    };
    const actor = { userId: 'me', name: 'Я' };
    const told = presentNotification('n5', { ...row, actor, read: false, facts: { ...facts, ...counts } });
    onTestFinished(closeImportReport);
    const { open, user } = await shown({ list: [told] });
    const panel = await open();
    const text = /Импорт «закуп\.csv» готов: добавлено 400, изменено 10, с ошибками 5/u;
    await user.click(panel.getByRole('button', { name: text }));
    expect(screen.getByLabelText('Адрес').textContent).toBe('/');
    expect(renderHook(() => useImportReport()).result.current).toBe('i1');
  });

  it.each<[string, NotificationRow['facts'], string, RegExp, string]>([
    [
      'the budget',
      { type: 'budget', campaignId: 'k', campaignName: '11/Подписчики', level: 80 },
      'admin',
      /Потрачено больше 80 % бюджета кампании/u,
      '/dashboard?campaign=k',
    ],
    [
      'a placement of one’s own',
      {
        type: 'placement',
        what: 'changed',
        placementId: 'p',
        campaignId: 'k',
        campaignName: '11/Подписчики',
        nick: '@kitchen',
      },
      'anna',
      /Ваше размещение изменено: @kitchen/u,
      '/dashboard?campaign=k',
    ],
    ['the end of the licence', { type: 'expiry', daysLeft: 7, expiresAt: '' }, 'admin', /истекает через 7 дней/u, '/'],
    [
      'the licence being closed',
      { type: 'closing', closesAt: '2026-12-01T20:59:59.999Z' },
      'anna',
      /Владелец закрывает лицензию/u,
      '/',
    ],
  ])('WLO-30 tells of %s, and leads there', async (_, facts, by, text, address) => {
    const row: NotificationRow = {
      personId: 'me',
      at: new Date(stageNow - minute).toISOString(),
      position: 5,
      actor: { userId: by, name: 'Анна' },
      commandId: 'c',
      count: 1,
      read: false,
      facts,
    };
    onTestFinished(closeLicence);
    const { open, user } = await shown({ list: [presentNotification('n5', row)] });
    expect(screen.getByTestId('bell-dot')).toBeTruthy();
    const panel = await open();
    await user.click(panel.getByRole('button', { name: text }));
    expect(screen.getByLabelText('Адрес').textContent).toBe(address);
    expect(renderHook(() => useLicenceOpen()).result.current).toBe(address === '/');
  });

  it('BELL-1570 that one’s second factor was taken away leads to where it is switched on again', async () => {
    const text = 'Ваш второй фактор снят (Анна Ветрова): войти можно одним паролем. Включите его снова в профиле';
    const reset = notice(7, { type: 'second_factor_reset', text, campaignId: null, placementId: null });
    const { open, user } = await shown({ list: [reset], serve: () => ({ data: { readUpTo: 7 } }) });
    const panel = await open();
    await user.click(panel.getByRole('button', { name: /Ваш второй фактор снят/u }));
    expect(screen.getByLabelText('Адрес').textContent).toBe('/profile');
  });

  it('BELL-5 nothing told is said in words', async () => {
    const { open } = await shown();
    expect((await open()).getByText('Уведомлений нет')).toBeTruthy();
  });

  it('BELL-6 where the line brought nothing yet the list is asked for; a failure can be tried again', async () => {
    let up = false;
    const { open, user } = await shown({
      list: null,
      serve: () => (up ? { data: { notifications: [notice(3)], unread: 1 } } : 'no answer'),
    });
    const panel = await open();
    up = true;
    await user.click(await panel.findByRole('button', { name: 'Повторить' }));
    expect(await panel.findByText(/@nick3/u)).toBeTruthy();
  });

  it('BELL-7 refused and contested changes stand on top, each with its way on', async () => {
    const outbox = await outboxOf({ kind: 'rejected', code: 'CAMPAIGN_COMPLETED', reason: 'кампания завершена' });
    outbox.issue({
      target: { kind: 'placement', id: 'p' },
      method: 'PATCH',
      path: '/api/placements/p',
      body: { price: 5400 },
      baseRevision: 1,
      label: 'Цена: 5 400 ₽',
      scope: 'campaign:k',
    });
    const { open, user } = await shown({ outbox, list: [notice(1)] });
    const panel = await open();
    const own = within(await panel.findByRole('list', { name: 'Ваши изменения' }));
    expect(await own.findByText('Отклонено: кампания завершена')).toBeTruthy();
    await user.click(own.getByRole('button', { name: 'Убрать: Цена: 5 400 ₽' }));
    await waitFor(() => expect(panel.queryByRole('list', { name: 'Ваши изменения' })).toBeNull());
  });

  it('BELL-8 a conflict names who was faster and offers both ways', async () => {
    const by = { userId: 'anna', name: 'Анна' };
    const outbox = await outboxOf({
      kind: 'conflict',
      revision: 3,
      conflicts: [{ field: 'price', base: 1, theirs: 2, mine: 3, by, at: '2026-11-21T11:00:00.000Z' }],
    });
    outbox.issue({
      target: { kind: 'placement', id: 'p' },
      method: 'PATCH',
      path: '/api/placements/p',
      body: { price: 5400 },
      baseRevision: 1,
      label: 'Цена: 5 400 ₽',
      scope: 'campaign:k',
    });
    const { open, user } = await shown({ outbox });
    const panel = await open();
    expect(await panel.findByText('Это уже изменено: Анна')).toBeTruthy();
    expect(panel.getByRole('button', { name: 'Оставить моё: Цена: 5 400 ₽' })).toBeTruthy();
    await user.click(panel.getByRole('button', { name: 'Взять новое: Цена: 5 400 ₽' }));
    await waitFor(() => expect(panel.queryByText('Это уже изменено: Анна')).toBeNull());
  });

  const entries = (mine: number, others: number) => ({
    data: {
      entries: Array.from({ length: mine + others }, (_, index) => ({
        actor: { userId: index < mine ? 'me' : 'anna', name: '' },
      })),
      nextCursor: null,
    },
  });

  it('BELL-9 after more than an hour away it says what others did meanwhile, and leads to the journal from then', async () => {
    const since = stageNow - 3 * 60 * minute;
    const { open, user, calls } = await shown({ lastVisit: since, serve: () => entries(2, 5) });
    const panel = await open();
    await user.click(await panel.findByRole('button', { name: 'Пока вас не было: 5 событий' }));
    const from = new Date(since).toISOString();
    expect(calls[0]?.path).toBe(`/api/audit?${new URLSearchParams({ from, limit: '200' }).toString()}`);
    expect(screen.getByLabelText('Адрес').textContent).toBe(`/journal?from=${encodeURIComponent(from)}`);
  });

  it.each([
    ['was here half an hour ago', licence.features, stageNow - 30 * minute],
    ['may not read the journal', ['placements'], stageNow - 300 * minute],
    ['was never here', licence.features, undefined],
  ])('BELL-10 nothing is asked for somebody who %s', async (_, features, lastVisit) => {
    const { open, calls } = await shown({
      features,
      ...(lastVisit !== undefined && { lastVisit }),
      serve: () => entries(0, 5),
    });
    const panel = await open();
    expect(panel.queryByText(/Пока вас не было/u)).toBeNull();
    expect(calls).toEqual([]);
    expect(Number(localStorage.getItem(lastVisitKey(licence.id, 'me')))).toBe(stageNow);
  });

  it('BELL-11 by keyboard: Enter opens it and the focus is inside, Escape closes it and gives the focus back', async () => {
    const { user, bell } = await shown({ list: [notice(1)] });
    bell.focus();
    await user.keyboard('{Enter}');
    const panel = await screen.findByRole('region', { name: 'Уведомления' });
    await waitFor(() => expect(panel.contains(document.activeElement)).toBe(true));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Уведомления' })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(bell));
  });

  it('BELL-12 on a phone it is a sheet', async () => {
    narrow(true);
    const { open, user } = await shown({ list: [notice(1)] });
    await open();
    expect(screen.getByRole('dialog', { name: 'Уведомления' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Закрыть' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Уведомления' })).toBeNull());
  });
});

it('BELL-1200 asked for a change that waits, it opens at that one, and once open goes on to the next', async () => {
  const box = await outboxOf({ kind: 'rejected', code: 'DUPLICATE', reason: 'Такое уже есть' });
  const issue = (kind: 'channel' | 'creative', label: string): string =>
    box.issue({
      target: { kind, id: null },
      method: 'POST',
      path: `/api/${kind}s`,
      body: { name: label },
      baseRevision: null,
      label,
      scope: 'workspace',
    });
  const ids = [issue('channel', 'Новый канал'), issue('creative', 'Новый креатив')];
  await shown({ outbox: box });
  const focused = () => document.activeElement?.getAttribute('aria-label');
  act(() => openNotifications(ids[1]));
  await waitFor(() => expect(focused()).toBe('Повторить: Новый креатив'));
  act(() => openNotifications(ids[0]));
  await waitFor(() => expect(focused()).toBe('Повторить: Новый канал'));
});

it('BELL-1201 in «Как было» its panel has what the person was told and what waits, as it is now', async () => {
  const box = await outboxOf({ kind: 'rejected', code: 'DUPLICATE', reason: 'Такой канал уже есть' });
  box.issue({
    target: { kind: 'channel', id: null },
    method: 'POST',
    path: '/api/channels',
    body: { name: 'Дача' },
    baseRevision: null,
    label: 'Новый канал',
    scope: 'workspace',
  });
  const lists = { channels: [], campaigns: [], creatives: [], contractors: [], users: [] };
  const Then = () => <output aria-label="Момент">{useMoment()?.position}</output>;
  const { user } = stage({
    element: (
      <OutboxProvider value={box}>
        <PastHost>
          <Then />
          <NowBelow>
            <Bell />
          </NowBelow>
        </PastHost>
      </OutboxProvider>
    ),
    address: '/dashboard?at=7',
    docs: { me: [['notification', notice(9)]] },
    serve: ({ path }) =>
      path.startsWith('/api/timeline')
        ? { data: { days: [], at: null, previous: null, next: null }, position: 9 }
        : { data: lists, position: 7 },
  });
  await waitFor(() => expect(screen.getByLabelText('Момент').textContent).toBe('7'));
  await user.click(screen.getByRole('button', { name: 'Уведомления' }));
  const panel = within(await screen.findByRole('region', { name: 'Уведомления' }));
  expect(screen.getByText('Уведомления и неотправленное – как сейчас')).toBeDefined();
  expect(panel.getByText('Отклонено: Такой канал уже есть')).toBeDefined();
  expect(panel.getByText(/@nick9/u)).toBeDefined();
});

it('BELL-30 in «Как было» the bell tells of nothing unread, and its panel says that it is of now', async () => {
  const box = await outboxOf({ kind: 'later', retryAfterSeconds: null });
  const { user } = stage({
    element: (
      <OutboxProvider value={box}>
        <MomentProvider value={{ position: 7, at: null, now: memoryReplica() }}>
          <Bell />
        </MomentProvider>
      </OutboxProvider>
    ),
    docs: { me: [['notification', notice(9)]] },
  });
  const bell = await screen.findByRole('button', { name: 'Уведомления' });
  expect(screen.queryByTestId('bell-dot')).toBeNull();
  await user.click(bell);
  expect(await screen.findByText('Уведомления и неотправленное – как сейчас')).toBeDefined();
});

import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import type { CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { describe, expect, it } from 'vitest';
import { LiveStatus } from '../../shared/live/live-status.tsx';
import { memoryEntryStore } from '../../shared/outbox/entry-store.ts';
import { type Answer, type Call, licence, person, stage } from '../../shared/testing/stage.tsx';
import { SlotOutlet, SlotProvider } from '../../shared/ui/slots.tsx';
import { SettingsPage } from './settings-page.tsx';

const stamp = { revision: 3, createdAt: '2026-11-01T09:00:00.000Z', updatedAt: '2026-11-01T09:00:00.000Z' };
const channel: ChannelWire = { ...stamp, id: 'ch1', name: 'Кухня', avatar: null };
const campaign: CampaignWire = {
  ...stamp,
  id: 'ca1',
  name: 'Ноябрь',
  channelId: 'ch1',
  totalBudget: 1000,
  budget: 1000,
  status: 'ACTIVE',
  startDate: '2026-11-01',
  endDate: '2026-11-30',
  participants: [],
};

const open = (tab: string, serve: (call: Call) => Answer | Promise<Answer>, entryStore = memoryEntryStore()) =>
  stage({
    element: (
      <SlotProvider>
        <SettingsPage />
        <LiveStatus />
        <SlotOutlet name="status-right" />
      </SlotProvider>
    ),
    address: `/settings?tab=${tab}`,
    serve,
    withOutbox: true,
    entryStore,
    docs: {
      workspace: [
        ['license', licence],
        ['channel', channel],
        ['campaign', campaign],
        ['person', person('me')],
      ],
    },
  });
const addChannel = async (hand: ReturnType<typeof stage>['user'], name: string): Promise<void> => {
  await hand.click(await screen.findByRole('button', { name: 'Добавить канал' }));
  const dialog = within(await screen.findByRole('dialog'));
  await hand.type(dialog.getByLabelText('Название'), name);
  await hand.click(dialog.getByRole('button', { name: 'Добавить' }));
};
const closed = (): Promise<void> => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('changes of lists that nobody answered', () => {
  it('KEPT-1060 a channel made without a line is kept, shown, counted, and sent again under its id, once', async () => {
    let answer: Answer = 'no answer';
    const store = memoryEntryStore();
    const { user, calls, outbox, bring } = open('channels', () => answer, store);
    await addChannel(user, 'Дача');
    await closed();
    expect(await screen.findByText('Дача')).toBeDefined();
    expect(screen.getByText(/не сохранено: новое/u)).toBeDefined();
    expect(screen.queryByText('Все изменения сохранены')).toBeNull();
    expect(screen.getByText(/Не отправлено/u).textContent).toContain('1');
    expect(await store.load()).toHaveLength(1);
    answer = { data: {}, position: 9 };
    const box = await outbox();
    const made = box.entries()[0]?.target.id ?? '';
    act(() => box.flush());
    await waitFor(() => expect(screen.queryByText(/не сохранено/u)).toBeNull());
    expect(new Set(calls.map(({ commandId }) => commandId)).size).toBe(1);
    expect(calls.at(-1)?.body).toEqual({ name: 'Дача', avatar: null });
    const there: ChannelWire = { ...channel, id: made, name: 'Дача', revision: 0 };
    act(() => bring('workspace', [['channel', there]]));
    expect(screen.getAllByText('Дача')).toHaveLength(1);
  });

  it('KEPT-1061 a campaign in a channel that is not yet made waits for it', async () => {
    let answer: Answer = 'no answer';
    const { user, calls, outbox } = open('channels', () => answer);
    await addChannel(user, 'Дача');
    await closed();
    const box = await outbox();
    const channelId = box.entries()[0]?.target.id ?? '';
    await user.click(screen.getByRole('tab', { name: 'Кампании' }));
    await user.click(await screen.findByRole('button', { name: 'Создать кампанию' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Название'), 'Декабрь');
    await user.selectOptions(dialog.getByLabelText('Канал'), 'Дача');
    await user.type(dialog.getByLabelText('Общий бюджет, ₽'), '5000');
    await user.click(dialog.getByRole('button', { name: 'Создать' }));
    await closed();
    expect(within(await screen.findByRole('region', { name: 'Дача' })).getByText('Декабрь')).toBeDefined();
    expect(calls.some(({ path }) => path === '/api/campaigns/create-safe')).toBe(false);
    answer = { problem: { code: 'DUPLICATE', message: 'Такой канал уже есть' } };
    act(() => box.flush());
    expect(await screen.findByText('ждёт отклонённого: новое')).toBeDefined();
    expect(calls.some(({ path }) => path === '/api/campaigns/create-safe')).toBe(false);
    answer = { data: {}, position: 9 };
    act(() => box.tryAgain(box.entries()[0]?.id ?? ''));
    await waitFor(() => expect(calls.at(-1)?.path).toBe('/api/campaigns/create-safe'));
    expect(calls.at(-1)?.body).toMatchObject({ name: 'Декабрь', channelId });
    expect(calls.at(-2)?.path).toBe('/api/channels');
  });

  it('KEPT-1062 one refused later says why, and its form opens with what was typed; it is made once', async () => {
    let answer: Answer = 'no answer';
    const { user, calls, outbox } = open('channels', () => answer);
    await addChannel(user, 'Дача');
    await closed();
    const box = await outbox();
    const before = box.entries()[0]?.target.id;
    answer = { problem: { code: 'DUPLICATE', message: 'Такой канал уже есть' } };
    act(() => box.flush());
    expect(await screen.findByText('Такой канал уже есть')).toBeDefined();
    expect(screen.getByText(/отклонено: новое/u)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Изменить: Дача' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText<HTMLInputElement>('Название').value).toBe('Дача');
    answer = { data: {}, position: 9 };
    await user.type(dialog.getByLabelText('Название'), ' и сад');
    await user.click(dialog.getByRole('button', { name: 'Добавить' }));
    await closed();
    await waitFor(() => expect(calls.at(-1)?.body).toEqual({ name: 'Дача и сад', avatar: null }));
    expect(box.entries().map(({ target }) => target.id)).toEqual([before]);
    expect(screen.getAllByText('Дача и сад')).toHaveLength(1);
  });

  it('KEPT-1063 a change refused later opens with its text over what is there, and is off the list once saved', async () => {
    let answer: Answer = 'no answer';
    const { user, calls, outbox } = open('campaigns', () => answer);
    await user.click(await screen.findByRole('button', { name: 'Изменить: Ноябрь' }));
    await user.type(await screen.findByLabelText('Название'), '!');
    await user.click(screen.getByRole('button', { name: 'Сохранить' }));
    await closed();
    expect(await screen.findByText('Ноябрь!')).toBeDefined();
    answer = { problem: { code: 'ACCESS_DENIED', message: 'Доступ запрещен' } };
    const box = await outbox();
    act(() => box.flush());
    expect(await screen.findByText('Доступ запрещен')).toBeDefined();
    expect(screen.getByText('Ноябрь')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Изменить: Ноябрь' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Название')).value).toBe('Ноябрь!');
    answer = { data: { campaign: { ...campaign, name: 'Ноябрь!', revision: 4 } } };
    await user.click(screen.getByRole('button', { name: 'Сохранить' }));
    await closed();
    expect(calls.at(-1)?.body).toEqual({ name: 'Ноябрь!', baseRevision: 3 });
    expect(box.entries()).toEqual([]);
  });

  it('KEPT-1064 a contested change opens with both values, and the other may be taken', async () => {
    let answer: Answer = 'no answer';
    const { user, outbox, bring } = open('channels', () => answer);
    await user.click(await screen.findByRole('button', { name: 'Изменить: Кухня' }));
    await user.type(await screen.findByLabelText('Название'), '!');
    await user.click(screen.getByRole('button', { name: 'Сохранить' }));
    await closed();
    const by = { userId: 'u1', name: 'Илья Кравцов' };
    answer = {
      problem: {
        code: 'CONFLICT',
        message: 'Уже изменено',
        revision: 4,
        conflicts: [
          { field: 'name', base: 'Кухня', theirs: 'Наша кухня', mine: 'Кухня!', by, at: '2026-11-21T11:00:00.000Z' },
        ],
      },
    };
    const box = await outbox();
    act(() => box.flush());
    expect(await screen.findByText(/изменено и другим/u)).toBeDefined();
    const theirs: ChannelWire = { ...channel, name: 'Наша кухня', revision: 4 };
    act(() => bring('workspace', [['channel', theirs]]));
    await user.click(screen.getByRole('button', { name: 'Изменить: Наша кухня' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText<HTMLInputElement>('Название').value).toBe('Кухня!');
    await user.click(dialog.getByRole('button', { name: 'Взять новое' }));
    expect(dialog.getByLabelText<HTMLInputElement>('Название').value).toBe('Наша кухня');
    expect(box.entries()).toEqual([]);
  });

  it('KEPT-1065 deleting and completing without a line are kept too, and marked', async () => {
    const { user, outbox } = open('campaigns', () => 'no answer');
    await user.click(await screen.findByRole('button', { name: 'Завершить: Ноябрь' }));
    expect(await screen.findByText(/не сохранено: изменение/u)).toBeDefined();
    expect(screen.getByText('Завершена')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Удалить: Ноябрь' }));
    await user.click(await screen.findByRole('button', { name: 'Удалить' }));
    await closed();
    expect(await screen.findByText(/удаление/u)).toBeDefined();
    expect((await outbox()).entries().map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  });

  it('KEPT-1066 while an open form holds what was refused, nothing says that all is saved', async () => {
    const { user } = open('channels', () => ({ problem: { code: 'ACCESS_DENIED', message: 'Доступ запрещен' } }));
    expect(await screen.findByText('Все изменения сохранены')).toBeDefined();
    await addChannel(user, 'Дача');
    expect((await screen.findByRole('alert')).textContent).toContain('Доступ запрещен');
    expect(screen.queryByText('Все изменения сохранены')).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Название').value).toBe('Дача');
  });

  it('KEPT-1200 a change is kept before it is sent: whoever opens the page after a tab that was killed sends it, once, under its id', async () => {
    const store = memoryEntryStore();
    const kept: unknown[] = [];
    const answers: ((answer: Answer) => void)[] = [];
    const serve = async (): Promise<Answer> => {
      kept.push(...(await store.load()).map(({ id, body }) => ({ id, body })));
      return new Promise((resolve) => answers.push(resolve));
    };
    const { user, calls } = open('channels', serve, store);
    await addChannel(user, 'Дача');
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(kept).toEqual([{ id: calls[0]?.commandId, body: { name: 'Дача', avatar: null } }]);
    expect(screen.queryByText('Все изменения сохранены')).toBeNull();
    expect(screen.getByText(/^Отправляется/u).textContent).toBe('Отправляется: 1');
    cleanup();
    const next = open('channels', () => ({ data: {}, position: 9 }), store);
    await waitFor(() => expect(next.calls).toHaveLength(1));
    expect(next.calls[0]).toMatchObject({ path: '/api/channels', commandId: calls[0]?.commandId });
  });

  it('KEPT-1201 what the server answered is kept no more, done or refused', async () => {
    const store = memoryEntryStore();
    let answer: Answer = { problem: { code: 'DUPLICATE', message: 'Такой канал уже есть' } };
    const { user } = open('channels', () => answer, store);
    await addChannel(user, 'Дача');
    expect(await screen.findByText('Такой канал уже есть')).toBeDefined();
    expect(await store.load()).toEqual([]);
    answer = { data: { channel: { ...channel, id: 'ch2', name: 'Дача' } }, position: 2 };
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Добавить' }));
    await closed();
    expect(await store.load()).toEqual([]);
  });
});

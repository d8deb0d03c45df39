import { act, screen, waitFor, within } from '@testing-library/react';
import type { CampaignWire, ChannelWire, LicenseWire } from '@zakup/contracts/wire-entities';
import { describe, expect, it } from 'vitest';
import { type Answer, type Call, licence, person, stage } from '../../shared/testing/stage.tsx';
import { SettingsPage } from './settings-page.tsx';

const stamp = { revision: 3, createdAt: '2026-11-01T09:00:00.000Z', updatedAt: '2026-11-01T09:00:00.000Z' };
const channel: ChannelWire = { ...stamp, id: 'ch1', name: 'Кухня за 15 минут', avatar: null };
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
const settled = (revision: number, settings: Partial<LicenseWire['settings']>): LicenseWire => ({
  ...licence,
  revision,
  settings: { ...licence.settings, earningsVisible: false, ...settings },
});

const open = (tab: string, serve: (call: Call) => Answer | Promise<Answer> = () => 'no answer') =>
  stage({
    element: <SettingsPage />,
    address: `/settings?tab=${tab}`,
    serve,
    docs: {
      workspace: [
        ['license', settled(0, {})],
        ['channel', channel],
        ['campaign', campaign],
        ['person', person('me')],
      ],
    },
  });
/** A server that answers each change when it is told to. */
const slowServer = () => {
  const waiting: ((answer: Answer) => void)[] = [];
  return {
    serve: (): Promise<Answer> => new Promise((resolve) => void waiting.push(resolve)),
    answer: async (data: unknown): Promise<void> => {
      await waitFor(() => expect(waiting).toHaveLength(1));
      await act(async () => waiting.shift()?.({ data }));
    },
  };
};
const save = () => screen.getByRole('button', { name: 'Сохранить' });
const box = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

describe('a form over what others change', () => {
  it('ST-14 a switch that a colleague turned on meanwhile is turned off again, and that is sent', async () => {
    const { user, calls, bring } = open('parameters');
    await user.type(await screen.findByLabelText('Цена лида, ₽'), '5');
    act(() => bring('workspace', [['license', settled(1, { earningsVisible: true })]]));
    expect(box(/Заработок коллег виден всем/u).checked).toBe(true);
    await user.click(box(/Заработок коллег виден всем/u));
    expect(box(/Заработок коллег виден всем/u).checked).toBe(false);
    await user.click(save());
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]?.body).toEqual({ earningsVisible: false, leadValue: 1005, baseRevision: 0 });
  });

  it('ST-15 a sum typed past its old value stays as typed, whatever a colleague put there meanwhile', async () => {
    const { user, bring } = open('campaigns');
    await user.click(await screen.findByRole('button', { name: 'Изменить: Ноябрь' }));
    await user.type(await screen.findByLabelText('Название'), '!');
    const richer: CampaignWire = { ...campaign, revision: 4, totalBudget: 2000 };
    act(() => bring('workspace', [['campaign', richer]]));
    await user.clear(input('Общий бюджет, ₽'));
    await user.type(input('Общий бюджет, ₽'), '10000');
    expect(input('Общий бюджет, ₽').value).toBe('10000');
  });

  it('ST-16 an edit taken back is forgotten with the revision it stood on', async () => {
    const { user, calls, bring } = open('channels');
    await user.click(await screen.findByRole('button', { name: 'Изменить: Кухня за 15 минут' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Название'), 'х{Backspace}');
    const renamed: ChannelWire = { ...channel, name: 'Кухня', revision: 5 };
    act(() => bring('workspace', [['channel', renamed]]));
    expect(input('Название').value).toBe('Кухня');
    await user.type(dialog.getByLabelText('Название'), '!');
    await user.click(save());
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]?.body).toEqual({ name: 'Кухня!', baseRevision: 5 });
  });

  it('ST-17 what is typed while a save is under way stays, and goes with the next on the revision of the answer', async () => {
    const server = slowServer();
    const { user, calls } = open('parameters', server.serve);
    await user.type(await screen.findByLabelText('Цена лида, ₽'), '5');
    await user.click(box(/Заработок коллег виден всем/u));
    await user.click(save());
    await user.type(input('Цена лида, ₽'), '0');
    // Back to what was there before: the save under way changes it.
    await user.click(box(/Заработок коллег виден всем/u));
    await server.answer({ license: settled(1, { earningsVisible: true, leadValue: 1005 }) });
    expect(input('Цена лида, ₽').value).toBe('10050');
    expect(box(/Заработок коллег виден всем/u).checked).toBe(false);
    await user.click(await screen.findByRole('button', { name: 'Сохранить' }));
    await server.answer({ license: settled(2, { leadValue: 10050 }) });
    expect(calls.map(({ body }) => body)).toEqual([
      { earningsVisible: true, leadValue: 1005, baseRevision: 0 },
      { earningsVisible: false, leadValue: 10050, baseRevision: 1 },
    ]);
    expect(input('Цена лида, ₽').value).toBe('10050');
  });

  it('ST-18 a dialog that was typed into while it saved stays open, and closes when all is saved', async () => {
    const server = slowServer();
    const { user, calls } = open('channels', server.serve);
    await user.click(await screen.findByRole('button', { name: 'Изменить: Кухня за 15 минут' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Название'), '!');
    await user.click(save());
    await user.type(dialog.getByLabelText('Название'), '!');
    await server.answer({ channel: { ...channel, name: 'Кухня за 15 минут!', revision: 4 } });
    expect(input('Название').value).toBe('Кухня за 15 минут!!');
    await user.click(await dialog.findByRole('button', { name: 'Сохранить' }));
    await server.answer({ channel: { ...channel, name: 'Кухня за 15 минут!!', revision: 5 } });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.map(({ body }) => body)).toEqual([
      { name: 'Кухня за 15 минут!', baseRevision: 3 },
      { name: 'Кухня за 15 минут!!', baseRevision: 4 },
    ]);
  });

  it('ST-19 what is typed while a new one is made stays, and goes as a change of the one that was made', async () => {
    const server = slowServer();
    const { user, calls, bring } = open('channels', server.serve);
    await user.click(await screen.findByRole('button', { name: 'Добавить канал' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Название'), 'Дача');
    await user.click(dialog.getByRole('button', { name: 'Добавить' }));
    await user.type(dialog.getByLabelText('Название'), ' и сад');
    const made = { ...channel, id: 'ch2', name: 'Дача', revision: 0 };
    await server.answer({ channel: made });
    expect(await dialog.findByRole('heading', { name: 'Изменить канал' })).toBeDefined();
    expect(input('Название').value).toBe('Дача и сад');
    act(() => bring('workspace', [['channel', made]]));
    await user.click(save());
    await server.answer({ channel: { ...made, name: 'Дача и сад', revision: 1 } });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/api/channels', { name: 'Дача', avatar: null }],
      ['PUT', '/api/channels/ch2', { name: 'Дача и сад', baseRevision: 0 }],
    ]);
  });

  it('ST-30 a new one into which nothing more was typed closes its dialog as it is made', async () => {
    const server = slowServer();
    const { user, calls } = open('channels', server.serve);
    await user.click(await screen.findByRole('button', { name: 'Добавить канал' }));
    await user.type(await screen.findByLabelText('Название'), 'Дача');
    await user.click(screen.getByRole('button', { name: 'Добавить' }));
    await server.answer({ channel: { ...channel, id: 'ch2', name: 'Дача', revision: 0 } });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls).toHaveLength(1);
  });

  it('ST-31 a new person’s fields are closed while they are made, as their dialog ends with code and password, and open after a refusal', async () => {
    let refuse: (answer: Answer) => void = () => undefined;
    const { user } = open(
      'employees',
      () =>
        new Promise<Answer>((resolve) => {
          refuse = resolve;
        }),
    );
    await user.click(await screen.findByRole('button', { name: 'Добавить сотрудника' }));
    const dialog = within(await screen.findByRole('dialog'));
    const name = dialog.getByLabelText<HTMLInputElement>('Имя');
    await user.type(name, 'Пётр Новый');
    await user.type(dialog.getByLabelText('Почта'), 'petr@vkus.media');
    await user.click(dialog.getByRole('button', { name: 'Добавить' }));
    const closed = (): boolean | undefined => name.closest<HTMLFieldSetElement>('fieldset.z-form-closable')?.disabled;
    await waitFor(() => expect(closed()).toBe(true));
    await act(async () => refuse({ problem: { code: 'DUPLICATE', message: 'Уже есть' } }));
    await waitFor(() => expect(closed()).toBe(false));
    expect(name.value).toBe('Пётр Новый');
    expect(document.activeElement).toBe(dialog.getByLabelText('Почта'));
  });
});

import { act, screen, waitFor, within } from '@testing-library/react';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { messages } from '@zakup/domain/messages';
import { nbsp } from '@zakup/domain/russian';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Call, licence, person, stage, type StageOptions } from '../../shared/testing/stage.tsx';
import { ToastHost } from '../../shared/toasts/toast-host.tsx';
import { toastMillis } from '../../shared/toasts/toast-queue.ts';
import { toasts, toastStore } from '../../shared/toasts/toasts.ts';
import { ContractorDialogHost } from './contractor-dialog-host.tsx';
import { ContractorsPage } from './contractors-page.tsx';
// Loaded before it is asked for: a test is about what it does, not about how fast it comes.
import './contractor-dialog.tsx';

const stamp = { revision: 4, createdAt: '2026-11-01T09:00:00.000Z', updatedAt: '2026-11-01T09:00:00.000Z' };
const contractor = (id: string, adminUsername: string, over: Partial<ContractorWire> = {}): ContractorWire => ({
  ...stamp,
  id,
  adminUsername,
  channelName: '',
  category: 'Кулинария',
  isActive: true,
  automatic: false,
  totalSpent: 0,
  totalLeads: 0,
  totalPlacements: 0,
  averageCostPerLead: 0,
  averagePlacementPrice: 0,
  firstUsed: null,
  lastUsed: null,
  notes: '',
  notesHistory: [],
  ...over,
});
const masha = contractor('c1', '@masha', { totalSpent: 1500, totalLeads: 15, totalPlacements: 2 });
const elka = contractor('c2', '@Ёлка', {
  channelName: 'Ёлки круглый год',
  otherUsernames: ['@sosna'],
  totalSpent: 10_000.5,
  totalLeads: 60,
  totalPlacements: 5,
});
const off = contractor('c3', '@Елка_off', { isActive: false });
const petya = contractor('c4', '@petya');
const note = {
  id: 'n1',
  revision: 2,
  contractorId: 'c1',
  note: 'Отвечает вечером',
  authorId: 'u1',
  authorName: 'Анна',
  createdAt: '2026-11-02T09:00:00.000Z',
};

// They outlive whoever caused them.
beforeEach(() => {
  for (const { id } of toastStore.read().shown) toasts.dismiss(id);
});

const refused = (problem: Extract<Answer, { readonly problem: unknown }>['problem']): Answer => ({ problem });

const opened = async (serve: (call: Call) => Answer = () => 'no answer', over: Partial<StageOptions> = {}) => {
  const set = stage({
    element: (
      <ContractorDialogHost>
        <ContractorsPage />
        <ToastHost />
      </ContractorDialogHost>
    ),
    me: person('me', { role: 'TEAM_LEAD' }),
    serve,
    docs: {
      workspace: [
        ['license', { ...licence, ...over.licenceOver }],
        ['contractor', masha],
        ['contractor', elka],
        ['contractor', off],
        ['contractor', petya],
      ],
      'contractor:c1': [['note', note]],
      'contractor:c2': [],
    },
    ...over,
  });
  await set.user.click(await screen.findByRole('button', { name: '@masha' }));
  const dialog = within(await screen.findByRole('dialog', { name: '@masha' }));
  return { ...set, dialog };
};

const changing = async (serve?: (call: Call) => Answer) => {
  const set = await opened(serve);
  await set.user.click(set.dialog.getByRole('button', { name: 'Изменить' }));
  return { ...set, form: within(await screen.findByRole('dialog', { name: 'Изменить @masha' })) };
};

const merging = async (serve?: (call: Call) => Answer, over?: Partial<StageOptions>) => {
  const set = await opened(serve, over);
  await set.user.click(set.dialog.getByRole('button', { name: 'Объединить с…' }));
  return { ...set, form: within(await screen.findByRole('dialog', { name: 'Объединить @masha с…' })) };
};

const read = (element: HTMLElement): string => element.textContent.replaceAll(nbsp, ' ');

describe('changing a contractor', () => {
  it('CTR-30 sends what was changed and nothing else, with the revision that was seen', async () => {
    const { user, form, calls } = await changing(() => ({
      data: { contractor: { ...masha, adminUsername: '@masha_new', revision: 6 } },
    }));
    const nick = form.getByLabelText('Ник');
    expect(document.activeElement).toBe(nick);
    await user.clear(nick);
    await user.type(nick, 'https://t.me/masha_new');
    await user.selectOptions(form.getByLabelText('Тематика'), 'Юмор');
    await user.click(form.getByLabelText('Активен'));
    expect(form.getByText(/размещения и суммы останутся/u)).toBeTruthy();
    await user.keyboard('{Enter}');
    await user.click(form.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Изменить/u })).toBeNull());
    expect(calls[0]).toMatchObject({
      method: 'PUT',
      path: '/api/contractors/c1',
      body: { adminUsername: 'https://t.me/masha_new', category: 'Юмор', isActive: false, baseRevision: 4 },
    });
    expect(calls[0]?.body).not.toHaveProperty('channelName');
  });

  it('CTR-31 a nick is checked here as the server would, and the keyboard goes to it', async () => {
    const { user, form, calls } = await changing();
    const nick = form.getByLabelText('Ник');
    await user.clear(nick);
    await user.click(form.getByRole('button', { name: 'Сохранить' }));
    expect(form.getByText(messages.nickRequired)).toBeTruthy();
    await user.type(nick, 'два слова');
    await user.click(form.getByRole('button', { name: 'Сохранить' }));
    expect(form.getByText(messages.nickInvalid)).toBeTruthy();
    expect(document.activeElement).toBe(nick);
    expect(calls).toEqual([]);
  });

  it('VRD-2152 is put on a list with a reason, which is asked for, and taken off it', async () => {
    const verdict = { list: 'black', reason: 'Не вернул предоплату' } as const;
    const { user, form, calls, bring } = await changing((call) => ({
      data: { contractor: { ...masha, revision: 4 + calls.length, ...(call.body as object) } },
    }));
    expect(form.queryByLabelText('Причина')).toBeNull();
    await user.selectOptions(form.getByLabelText('Список'), 'Чёрный список');
    await user.click(form.getByRole('button', { name: 'Сохранить' }));
    expect(form.getByText(messages.verdictReasonRequired)).toBeTruthy();
    expect(document.activeElement).toBe(form.getByLabelText('Причина'));
    await user.keyboard(verdict.reason);
    await user.click(form.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Изменить/u })).toBeNull());
    expect(calls.map(({ body }) => body)).toEqual([{ verdict, baseRevision: 4 }]);
    const listed: ContractorWire = { ...masha, revision: 5, verdict };
    act(() => bring('workspace', [['contractor', listed]]));
    const dialog = within(screen.getByRole('dialog', { name: '@masha' }));
    expect(dialog.getByText('Чёрный список').closest('p')?.textContent).toBe('Чёрный список Не вернул предоплату');
    const row = screen.getByText('@masha', { selector: 'button' }).closest('.z-contractors-who');
    expect(row?.textContent).toBe('@mashaНе вернул предоплатуЧёрный список');
    await user.click(dialog.getByRole('button', { name: 'Изменить' }));
    const again = within(await screen.findByRole('dialog', { name: 'Изменить @masha' }));
    await user.selectOptions(again.getByLabelText('Список'), 'Ни в каком');
    await user.click(again.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(calls[1]?.body).toEqual({ verdict: null, baseRevision: 5 }));
  });

  it('VRD-2153 where another was faster both lists are told with their reasons, and the new one can be taken', async () => {
    const theirs = { list: 'white', reason: 'Быстро отвечает' } as const;
    const mine = { list: 'black', reason: 'Долго' } as const;
    const { user, form, bring } = await changing(() =>
      refused({
        code: 'CONFLICT',
        message: messages.conflict,
        revision: 5,
        conflicts: [
          {
            field: 'verdict',
            base: null,
            theirs,
            mine,
            by: { userId: 'u1', name: 'Анна' },
            at: '2026-11-21T09:00:00.000Z',
          },
        ],
      }),
    );
    await user.selectOptions(form.getByLabelText('Список'), 'Чёрный список');
    await user.type(form.getByLabelText('Причина'), mine.reason);
    await user.click(form.getByRole('button', { name: 'Сохранить' }));
    const listed: ContractorWire = { ...masha, revision: 5, verdict: theirs };
    act(() => bring('workspace', [['contractor', listed]]));
    const notice = await form.findByRole('alert');
    expect(notice.textContent).toContain('Белый список, Быстро отвечает');
    expect(notice.textContent).toContain('Чёрный список, Долго');
    await user.click(form.getByRole('button', { name: 'Взять новое' }));
    expect(form.getByLabelText<HTMLSelectElement>('Список').value).toBe('white');
    expect(form.getByLabelText<HTMLInputElement>('Причина').value).toBe('Быстро отвечает');
  });

  it('CTR-1080 keeps its name while the new nick is there already and the answer is not', async () => {
    const { user, form, bring } = await changing(() => 'no answer');
    const nick = form.getByLabelText('Ник');
    await user.clear(nick);
    await user.type(nick, 'masha_new');
    await user.click(form.getByRole('button', { name: 'Сохранить' }));
    const renamed: ContractorWire = { ...masha, adminUsername: '@masha_new', revision: 5 };
    act(() => bring('workspace', [['contractor', renamed]]));
    expect(await screen.findByRole('dialog', { name: '@masha_new' })).toBeTruthy();
    expect(screen.getByRole('dialog', { name: 'Изменить @masha' })).toBeTruthy();
  });

  it('CTR-32 a taken nick says whose it is, and leads to merging with them', async () => {
    const { user, form } = await changing(() => refused({ code: 'DUPLICATE', message: messages.nickTaken }));
    const nick = form.getByLabelText('Ник');
    await user.clear(nick);
    await user.type(nick, 'SOSNA');
    await user.click(form.getByRole('button', { name: 'Сохранить' }));
    expect(await form.findByText(messages.nickTaken)).toBeTruthy();
    expect(read(await form.findByText(/Этот ник у контрагента/u))).toBe(
      'Этот ник у контрагента @Ёлка: Ёлки круглый год, 5 размещений на 10 000,50 ₽.',
    );
    await user.click(form.getByRole('button', { name: 'Объединить с @Ёлка' }));
    const merge = within(await screen.findByRole('dialog', { name: 'Объединить @masha с…' }));
    expect(merge.getByRole<HTMLInputElement>('radio', { name: /@Ёлка/u }).checked).toBe(true);
  });

  it('CTR-33 a nick of somebody deactivated is told so, without a way that the server would refuse', async () => {
    const { user, form } = await changing(() => refused({ code: 'DUPLICATE', message: messages.nickTaken }));
    const nick = form.getByLabelText('Ник');
    await user.clear(nick);
    await user.type(nick, '@Елка_off');
    await user.click(form.getByRole('button', { name: 'Сохранить' }));
    expect(await form.findByText(/Он отключён/u)).toBeTruthy();
    expect(form.queryByRole('button', { name: /^Объединить/u })).toBeNull();
  });

  it('CTR-34 a conflict shows theirs and mine; mine goes out again over the new revision', async () => {
    let answer: Answer = refused({
      code: 'CONFLICT',
      message: messages.conflict,
      revision: 5,
      conflicts: [
        {
          field: 'category',
          base: 'Кулинария',
          theirs: 'Мемы',
          mine: 'Юмор',
          by: { userId: 'u1', name: 'Анна' },
          at: '2026-11-21T11:00:00.000Z',
        },
      ],
    });
    const { user, form, calls, bring } = await changing(() => answer);
    await user.selectOptions(form.getByLabelText('Тематика'), 'Юмор');
    await user.click(form.getByRole('button', { name: 'Сохранить' }));
    const notice = await form.findByRole('alert');
    expect(read(notice)).toContain('Тематика: Анна, 21 ноября, 14:00: Мемы (было Кулинария), у вас: Юмор');
    answer = { data: { contractor: { ...masha, category: 'Юмор', revision: 6 } } };
    const theirs: ContractorWire = { ...masha, category: 'Мемы', revision: 5 };
    act(() => bring('workspace', [['contractor', theirs]]));
    await user.click(form.getByRole('button', { name: 'Оставить моё' }));
    await waitFor(() => expect(calls[1]?.body).toEqual({ category: 'Юмор', baseRevision: 5 }));
  });
});

describe('merging contractors', () => {
  it('CTR-35 the search knows neither case nor ё nor a leading @, and finds by the nicks that came with others', async () => {
    const { user, form } = await merging();
    const search = form.getByLabelText('С кем объединить');
    expect(document.activeElement).toBe(search);
    await user.type(search, '@ЕЛКА');
    expect(form.getAllByRole('radio')).toHaveLength(1);
    expect(form.getByText(/^@Елка_off отключён/u)).toBeTruthy();
    await user.clear(search);
    await user.type(search, 'сосен нет');
    expect(form.getByText('Ничего не найдено')).toBeTruthy();
    await user.clear(search);
    await user.type(search, 'sosna{Enter}');
    expect(form.getByRole<HTMLInputElement>('radio', { name: /@Ёлка/u }).checked).toBe(true);
  });

  it('CTR-45 an arrow leads from the search to whom it found first, or back to whom was chosen', async () => {
    const { user, form } = await merging();
    await user.keyboard('{ArrowDown}');
    const [first, second] = form.getAllByRole<HTMLInputElement>('radio');
    expect(document.activeElement).toBe(first);
    expect(first?.checked).toBe(true);
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(second);
    expect(second?.checked).toBe(true);
    await user.click(form.getByLabelText('С кем объединить'));
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(second);
    await user.click(form.getByLabelText('С кем объединить'));
    await user.keyboard('sosna{ArrowDown}');
    expect(form.getAllByRole('radio')).toEqual([document.activeElement]);
    expect(form.getByRole<HTMLInputElement>('radio', { name: /@Ёлка/u }).checked).toBe(true);
  });

  it('VRD-2157 says in which list the other one will stand and why, where merging changes that', async () => {
    const blackened = { ...masha, verdict: { list: 'black', reason: 'Не вернул предоплату' } } as const;
    const praised = { ...elka, verdict: { list: 'white', reason: 'Быстро отвечает' } } as const;
    const blackToo = { ...petya, verdict: { list: 'black', reason: 'Снял пост раньше срока' } } as const;
    const whitened: ContractorWire = { ...masha, revision: 5, verdict: praised.verdict };
    const freed: ContractorWire = { ...petya, revision: 5 };
    const { user, form, bring } = await merging(undefined, {
      docs: {
        workspace: [
          ['license', licence],
          ['contractor', blackened],
          ['contractor', praised],
          ['contractor', blackToo],
        ],
        'contractor:c1': [],
      },
    });
    const outcome = (): string => read(form.getByRole('region', { name: 'Что произойдёт' }));
    await user.click(form.getByRole('radio', { name: /@Ёлка/u }));
    expect(outcome()).toContain('В каком списке окажется @Ёлка: Чёрный список Не вернул предоплату');
    await user.click(form.getByRole('radio', { name: /@petya/u }));
    expect(outcome(), 'its own black list stays').not.toContain('В каком списке');
    act(() => bring('workspace', [['contractor', whitened]]));
    expect(outcome(), 'a white list gives way').not.toContain('В каком списке');
    act(() => bring('workspace', [['contractor', freed]]));
    expect(outcome()).toContain('В каком списке окажется @petya: Белый список Быстро отвечает');
  });

  it('CTR-46 an arrow from a search that finds nobody leads nowhere', async () => {
    const { user, form } = await merging();
    await user.keyboard('сосен нет{ArrowDown}');
    expect(document.activeElement).toBe(form.getByLabelText('С кем объединить'));
  });

  it('CTR-36 says what will happen, in sums of both and in words, and does it only after a question', async () => {
    const { user, form, calls } = await merging(({ path }) =>
      path === '/api/undo' ? { data: { undone: 'x', changed: [] } } : { data: { contractor: elka } },
    );
    await user.click(form.getByRole('button', { name: 'Объединить…' }));
    expect(form.getByText(messages.mergeTargetRequired)).toBeTruthy();
    await user.click(form.getByRole('radio', { name: /@Ёлка/u }));
    const rows = within(form.getByRole('table')).getAllByRole('row').slice(1);
    expect(rows.map(read).map((text) => text.replace(/ ▲.*| ▼.*| ●.*/u, ''))).toEqual([
      expect.stringContaining('@masha21 500 ₽15'),
      expect.stringContaining('@Ёлка510 000,50 ₽60'),
      expect.stringContaining('Вместе711 500,50 ₽75'),
    ]);
    const words = form.getAllByRole('listitem').map(read);
    expect(words).toEqual([
      '@Ёлка получит 2 размещения на 1 500 ₽ и 1 заметку; завершённых кампаний это тоже касается.',
      'Останется ник @Ёлка. По нику @masha тоже будет находиться @Ёлка.',
      '@masha больше не будет в списках.',
      'Объединение можно отменить: сразу после него или в Журнале.',
    ]);
    await user.click(form.getByRole('button', { name: 'Объединить…' }));
    expect(calls).toEqual([]);
    const question = within(await screen.findByRole('alertdialog', { name: 'Объединить @masha с @Ёлка?' }));
    await user.click(question.getByRole('button', { name: 'Объединить' }));
    expect(await screen.findByRole('dialog', { name: '@Ёлка' })).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: /masha/u })).toBeNull();
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/api/contractors/c1/merge',
      body: { intoId: 'c2', baseRevision: 4 },
    });
    const back = await screen.findByRole('button', { name: 'Отменить' });
    const offer = toastStore.read().shown.find(({ text }) => text === '@masha объединён с @Ёлка');
    expect(toastMillis[offer?.kind ?? 'success'], 'as long as every toast that offers a way back').toBe(4_000);
    await user.click(back);
    expect(await screen.findByText('Объединение отменено: @masha снова отдельно')).toBeTruthy();
    expect(calls[1]).toMatchObject({ method: 'POST', path: '/api/undo', body: { commandId: calls[0]?.commandId } });
  });

  it('CTR-3142 a merge that was taken back leads to who stands apart again', async () => {
    const { user, form } = await merging(({ path }) =>
      path === '/api/undo' ? { data: { undone: 'x', changed: [] } } : { data: { contractor: elka } },
    );
    await user.click(form.getByRole('radio', { name: /@Ёлка/u }));
    await user.click(form.getByRole('button', { name: 'Объединить…' }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Объединить' }));
    await user.click(await screen.findByRole('button', { name: 'Отменить' }));
    await user.click(await screen.findByRole('button', { name: 'Показать' }));
    expect(await screen.findByRole('dialog', { name: '@masha' })).toBeTruthy();
  });

  it('CTR-37 what changed meanwhile is said, and the next try is over the new revision', async () => {
    let answer: Answer = refused({
      code: 'CONFLICT',
      message: messages.conflict,
      revision: 5,
      conflicts: [
        {
          field: 'category',
          base: 'Кулинария',
          theirs: 'Мемы',
          mine: null,
          by: { userId: 'u1', name: 'Анна' },
          at: '2026-11-21T11:00:00.000Z',
        },
      ],
    });
    const { user, form, calls } = await merging(() => answer);
    await user.click(form.getByRole('radio', { name: /@Ёлка/u }));
    const confirm = async (): Promise<void> => {
      await user.click(form.getByRole('button', { name: 'Объединить…' }));
      const question = within(await screen.findByRole('alertdialog'));
      await user.click(question.getByRole('button', { name: 'Объединить' }));
    };
    await confirm();
    expect(await form.findByText(/контрагента изменили \(Анна: Тематика\)/u)).toBeTruthy();
    answer = 'no answer';
    await confirm();
    expect(await form.findByText(messages.connectionFailed)).toBeTruthy();
    answer = { data: { contractor: elka } };
    await confirm();
    expect(await screen.findByRole('dialog', { name: '@Ёлка' })).toBeTruthy();
    expect(calls.map(({ body }) => body)).toEqual([4, 5, 5].map((baseRevision) => ({ intoId: 'c2', baseRevision })));
    expect(calls[2]?.commandId, 'after a lost answer it is the same command').toBe(calls[1]?.commandId);
  });
});

describe('a contractor that somebody else merged', () => {
  const gone = { kind: 'contractor', id: 'c1' } as const;
  const answering = ({ path }: Call): Answer =>
    path === '/api/contractors/c1' ? { data: { contractor: elka } } : 'no answer';

  it('CTR-39 an open dialog leads to whom it is a part of now, with a word about it', async () => {
    const { withdraw } = await opened(answering);
    act(() => withdraw('workspace', gone));
    expect(await screen.findByRole('dialog', { name: '@Ёлка' })).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: '@masha' })).toBeNull();
    expect(screen.getByText('@masha объединён с @Ёлка')).toBeTruthy();
    expect(screen.queryByText(messages.contractorNotFound)).toBeNull();
  });

  it('CTR-40 what is being written stays, and leads there once it is closed', async () => {
    const { user, form, withdraw } = await changing(answering);
    act(() => withdraw('workspace', gone));
    expect(form.getByLabelText('Ник')).toBeTruthy();
    await user.click(form.getByRole('button', { name: 'Отмена' }));
    expect(await screen.findByRole('dialog', { name: '@Ёлка' })).toBeTruthy();
  });

  it('CTR-41 the own merge is told once, however early the lists know of it', async () => {
    let arrived = (): void => undefined;
    const { user, form, withdraw } = await merging((call) => {
      arrived();
      return call.method === 'POST' ? { data: { contractor: elka } } : answering(call);
    });
    arrived = () => act(() => withdraw('workspace', gone));
    await user.click(form.getByRole('radio', { name: /@Ёлка/u }));
    await user.click(form.getByRole('button', { name: 'Объединить…' }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Объединить' }));
    expect(await screen.findByRole('dialog', { name: '@Ёлка' })).toBeTruthy();
    expect(screen.getAllByText('@masha объединён с @Ёлка')).toHaveLength(1);
  });
});

describe('a note being written about a contractor that is merged', () => {
  const answering = ({ path, method }: Call): Answer =>
    method === 'POST' || path === '/api/contractors/c1' ? { data: { contractor: elka } } : 'no answer';
  const field = () => screen.getByLabelText<HTMLTextAreaElement>('Новая заметка');
  const writing = async () => {
    const set = await opened(answering);
    await set.user.click(set.dialog.getByRole('tab', { name: /Заметки/u }));
    await set.user.type(field(), 'Отвечает');
    return set;
  };

  it('CTR-42 it stays as it is, is written on, and goes along to the other one when asked', async () => {
    const { user, withdraw } = await writing();
    const typing = field();
    act(() => withdraw('workspace', { kind: 'contractor', id: 'c1' }));
    const go = await screen.findByRole('button', { name: 'Открыть @Ёлка' });
    expect(screen.getByText(/^@masha объединён с @Ёлка\./u, { selector: '.z-contractor-warning' })).toBeTruthy();
    expect(screen.getByRole('dialog', { name: '@masha' })).toBeTruthy();
    expect(field(), 'the same field, with the keyboard in it').toBe(typing);
    await user.type(field(), ' утром');
    await user.click(go);
    expect(await screen.findByRole('dialog', { name: '@Ёлка' })).toBeTruthy();
    expect(field().value).toBe('Отвечает утром');
  });

  it('CTR-43 it goes along with the own merge', async () => {
    const { user, dialog } = await writing();
    await user.click(dialog.getByRole('button', { name: 'Объединить с…' }));
    const form = within(await screen.findByRole('dialog', { name: 'Объединить @masha с…' }));
    await user.click(form.getByRole('radio', { name: /@Ёлка/u }));
    await user.click(form.getByRole('button', { name: 'Объединить…' }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Объединить' }));
    expect(await screen.findByRole('dialog', { name: '@Ёлка' })).toBeTruthy();
    expect(field().value).toBe('Отвечает');
  });

  it('CTR-44 emptied, it leads there by itself; closed then, the focus is where the first one was opened', async () => {
    const { user, withdraw } = await writing();
    act(() => withdraw('workspace', { kind: 'contractor', id: 'c1' }));
    await screen.findByRole('button', { name: 'Открыть @Ёлка' });
    await user.clear(field());
    const other = within(await screen.findByRole('dialog', { name: '@Ёлка' }));
    await user.click(other.getByRole('button', { name: 'Закрыть' }));
    await waitFor(() => expect(document.activeElement?.textContent, 'in the row that stands there now').toBe('@petya'));
  });
});

describe('whom it is offered to', () => {
  const offline = { state: 'offline', announced: true, dataAt: 0 } as const;
  it.each<[string, Partial<StageOptions>]>([
    ['who may not', { permissionsOver: { contractors: false } }],
    ['an expired licence', { licenceOver: { status: 'expired', isActive: false } }],
    ['nobody without a line', { connection: offline }],
  ])('CTR-38 %s sees neither', async (_, over) => {
    const { dialog } = await opened(undefined, over);
    expect(dialog.queryByRole('button', { name: 'Изменить' })).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Объединить с…' })).toBeNull();
  });
});

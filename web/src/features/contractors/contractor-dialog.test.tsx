import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CampaignWire, ContractorWire, NoteWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { contractorAnalyticsFailed, messages, noteAddFailed, noteRemoveFailed } from '@zakup/domain/messages';
import { nbsp } from '@zakup/domain/russian';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContractorDialog } from './contractor-dialog.tsx';
import { ContractorDialogHost } from './contractor-dialog-host.tsx';
import { ContractorsPage } from './contractors-page.tsx';
import { type Answer, type Call, licence, person, stage, stageNow } from '../../shared/testing/stage.tsx';
import { placementDocument } from '../../shared/testing/placement-document.ts';

const stamp = { revision: 1, createdAt: '2026-11-01T09:00:00.000Z', updatedAt: '2026-11-01T09:00:00.000Z' };
const contractor = (id: string, over: Partial<ContractorWire> = {}): ContractorWire => ({
  ...stamp,
  id,
  adminUsername: '@vkusno_admin',
  channelName: 'Вкусно каждый день',
  category: 'Кулинария',
  isActive: true,
  automatic: false,
  totalSpent: 1500,
  totalLeads: 15,
  totalPlacements: 2,
  averageCostPerLead: 100,
  averagePlacementPrice: 750,
  firstUsed: '2026-07-12',
  lastUsed: '2026-11-21',
  notes: '',
  notesHistory: [],
  ...over,
});
const placement = (id: string, over: Partial<PlacementWire> = {}) =>
  placementDocument({
    ...stamp,
    id,
    campaignId: 'ca1',
    buyerId: 'u1',
    contractorId: 'c1',
    leads: 15,
    costPerLead: 66.67,
    paymentStatus: 'paid',
    ...over,
  });
const campaign = (id: string, name: string, channelId: string): CampaignWire => ({
  ...stamp,
  id,
  name,
  channelId,
  totalBudget: 0,
  budget: 0,
  status: 'ACTIVE',
  startDate: null,
  endDate: null,
  participants: [],
});
const note = (id: string, authorId: string, createdAt: string): NoteWire => ({
  id,
  revision: 1,
  contractorId: 'c1',
  note: `Заметка ${id}`,
  authorId,
  authorName: authorId === 'me' ? 'Я' : 'Анна',
  createdAt,
});

const workspace = [
  ['license', licence],
  ['contractor', contractor('c1')],
  ['channel', { ...stamp, id: 'ch1', name: 'Кухня', avatar: null }],
  ['channel', { ...stamp, id: 'ch2', name: 'Дача', avatar: null }],
  ['campaign', campaign('ca1', 'Ноябрь | Подписчики', 'ch1')],
  ['campaign', campaign('ca2', 'Лето', 'ch2')],
  ['user', { id: 'u1', revision: 0, name: 'Анна', role: 'TEAM_LEAD', isActive: true }],
] as const;

const open = (
  serve: (call: Call) => Answer | Promise<Answer> = () => 'no answer',
  scope: readonly (readonly ['placement' | 'note', { readonly id: string }])[] | null = [],
  onClose = () => undefined,
) =>
  stage({
    element: <ContractorDialog contractorId="c1" onClose={onClose} />,
    me: person('me', { role: 'MEDIA_BUYER' }),
    serve,
    docs: { workspace, ...(scope !== null && { 'contractor:c1': scope }) },
  });

afterEach(() => vi.useRealTimers());

describe('contractor dialog', () => {
  it('CD-1 shows totals, last price and the sums by campaign and buyer, and holds its scope', async () => {
    const { held } = open(undefined, [
      ['placement', placement('p1')],
      ['placement', placement('p2', { campaignId: 'ca2', price: 500, leads: 0, date: '2026-11-01' })],
    ]);
    const totals = within(await screen.findByLabelText('Итоги по контрагенту'));
    expect(totals.getByText('1 500 ₽')).toBeDefined();
    expect(totals.getByText('750 ₽')).toBeDefined();
    expect(totals.getByText('100–200 ₽')).toBeDefined();
    expect(totals.getByText('100 %')).toBeDefined();
    const rows = within(screen.getByRole('table', { name: 'По кампаниям' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent.replaceAll(nbsp, ' '))).toEqual([
      'НазваниеРазм.РасходПриходCPL',
      'Ноябрь - Подписчики11 000 ₽1566,67 ₽ ▼низкий CPL',
      'Лето1500 ₽0—',
    ]);
    expect(held).toEqual(['contractor:c1']);
  });

  it.each([
    {
      who: 'a buyer is told of somebody else, whoever bought last',
      me: person('u1', { role: 'MEDIA_BUYER' }),
      said: 'Куплено другим байером 5 дней назад. Илья, 16 ноября, 1 234 567,50 ₽, Рецепт за 15 минут',
    },
    {
      who: 'whoever does not buy is told when the buyer changed',
      me: person('me', { role: 'CBDO' }),
      said: 'Куплено другим байером 5 дней назад. Илья, 16 ноября, 1 234 567,50 ₽, Рецепт за 15 минут',
    },
    {
      who: 'a buyer who has not bought it is told who did last',
      me: person('u3', { role: 'TEAM_LEAD' }),
      said: 'Куплено другим байером вчера. Анна, 20 ноября, 1 000 ₽',
    },
    {
      who: 'what is longer ago than 14 days is not told',
      me: person('u2', { role: 'MEDIA_BUYER' }),
      annas: '2026-11-06',
      said: undefined,
    },
  ])(
    'CD-1188 the dialog says who else bought the contractor lately: $who',
    async ({ me, annas = '2026-11-20', said }) => {
      vi.useFakeTimers({ toFake: ['Date'], now: stageNow });
      stage({
        element: <ContractorDialog contractorId="c1" onClose={() => undefined} />,
        me,
        docs: {
          workspace: [
            ...workspace,
            ['user', { id: 'u2', name: 'Илья' } as { id: string }],
            ['creative', { id: 'cr1', name: 'Рецепт за 15 минут' } as { id: string }],
          ],
          'contractor:c1': [
            ['placement', placement('p1', { date: annas })],
            [
              'placement',
              placement('p2', { date: '2026-11-16', buyerId: 'u2', creativeId: 'cr1', price: 1_234_567.5 }),
            ],
          ],
        },
      });
      await screen.findByRole('table', { name: 'По байерам' });
      const told = document.querySelector<HTMLElement>('.z-contractor-lately');
      expect(told?.textContent.replaceAll(nbsp, ' ')).toBe(said);
      expect(told === null ? 0 : within(told).getAllByRole('button').length).toBe(said === undefined ? 0 : 1);
    },
  );

  it('CD-1185 two pictures of what placements cost and a lead came to, in words, as tables of figures that explain themselves', async () => {
    const { user } = open(undefined, [
      ['placement', placement('p1', { price: 1000, leads: 5, date: '2026-11-20' })],
      [
        'placement',
        placement('p2', { price: 500, leads: 10, date: '2026-11-20', createdAt: '2026-10-01T09:00:00.000Z' }),
      ],
      ['placement', placement('p3', { price: 400, leads: 0, date: '2026-11-01' })],
    ]);
    const plain = (text: string | null | undefined): string => (text ?? '').replaceAll(nbsp, ' ');
    const rows = (name: string): readonly string[] =>
      within(screen.getByRole('table', { name }))
        .getAllByRole('row')
        .map((row) => [...row.children].map((cell) => plain(cell.textContent)).join(' | '));
    const pictures = [
      {
        title: 'Цена размещения',
        finding: 'Выросла с 400 ₽ до 1 000 ₽, на 150 %.',
        table: ['Дата | Цена', '1 ноября | 400 ₽', '20 ноября | 500 ₽', '20 ноября | 1 000 ₽'],
      },
      {
        title: 'CPL по размещениям',
        finding: '1 из 2 дешевле 100 ₽; последнее: 200,00 ₽. Ещё без лидов: 1.',
        table: [
          'Дата | Расход | Приход | CPL',
          '1 ноября | 400 ₽ | 0 | —',
          '20 ноября | 500 ₽ | 10 | 50,00 ₽ ▼низкий CPL',
          '20 ноября | 1 000 ₽ | 5 | 200,00 ₽ ◆средний CPL',
        ],
      },
    ];
    for (const { title, finding, table } of pictures) {
      const picture = await screen.findByRole('region', { name: title });
      expect(plain(document.getElementById(picture.getAttribute('aria-describedby') ?? '')?.textContent)).toBe(finding);
      expect(within(picture).getByRole('heading', { level: 3, name: title })).toBeDefined();
      await user.click(within(picture).getByRole('button', { name: `${title}: таблица и файлы` }));
      await user.click(await screen.findByRole('menuitem', { name: 'Показать таблицей' }));
      expect(rows(title)).toEqual(table);
    }
    await user.click(within(screen.getByRole('table', { name: 'Цена размещения' })).getByText('1 000 ₽'));
    expect(await screen.findByText('Почему эта цифра?')).toBeDefined();
  });

  it('CD-1186 with one placement it is said what comes with the second; with none nothing is promised', async () => {
    const { bring } = open();
    await screen.findByLabelText('Итоги по контрагенту');
    expect(screen.queryByRole('region', { name: 'Цена размещения' })).toBeNull();
    act(() => bring('contractor:c1', [['placement', placement('p1', { leads: 0 })]]));
    const price = within(await screen.findByRole('region', { name: 'Цена размещения' }));
    expect(price.getByText('Пока одна цена: 1 000 ₽.')).toBeDefined();
    expect(price.getByText('Картинка появится со вторым размещением.')).toBeDefined();
    const cpl = within(screen.getByRole('region', { name: 'CPL по размещениям' }));
    expect(cpl.getByText('Лидов пока нет.')).toBeDefined();
    expect(cpl.getByText('Картинка появится, когда лиды будут у двух размещений.')).toBeDefined();
  });

  it('CD-30 Escape closes it also before the keyboard has come into it', async () => {
    const onClose = vi.fn<() => undefined>();
    open(undefined, [], onClose);
    await screen.findByLabelText('Итоги по контрагенту');
    act(() => (document.activeElement as HTMLElement | null)?.blur());
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('CD-9 «Обновить» asks the server, and the live channel has the last word', async () => {
    const { user, bring } = open(() => ({ data: { contractor: contractor('c1', { totalSpent: 1700 }) } }));
    await user.click(await screen.findByRole('button', { name: 'Обновить' }));
    const totals = within(screen.getByLabelText('Итоги по контрагенту'));
    expect(await totals.findByText('1 700 ₽')).toBeDefined();
    act(() => bring('contractor:c1', [['contractor', contractor('c1', { totalSpent: 1800 })]]));
    expect(totals.getByText('1 800 ₽')).toBeDefined();
  });

  it('CD-10 a failed refresh leaves the figures and says why', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Обновить' }));
    expect((await screen.findByRole('alert')).textContent).toBe(contractorAnalyticsFailed(messages.connectionFailed));
    expect(screen.getByLabelText('Итоги по контрагенту')).toBeDefined();
  });

  it('CD-20 the history of one channel has only its placements, and all of them again without it', async () => {
    const { user } = open(undefined, [
      ['placement', placement('p1', { campaignId: 'ca1', price: 700 })],
      ['placement', placement('p2', { campaignId: 'ca2', price: 900 })],
    ]);
    await user.click(await screen.findByRole('tab', { name: /История сотрудничества/u }));
    const prices = (): readonly (string | undefined)[] =>
      within(screen.getByRole('table', { name: 'История сотрудничества' }))
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.children[2]?.textContent.replaceAll(nbsp, ' '));
    expect(prices().toSorted((a = '', b = '') => a.localeCompare(b))).toEqual(['700 ₽', '900 ₽']);
    await user.selectOptions(screen.getByLabelText('Канал'), 'Дача');
    expect(prices()).toEqual(['900 ₽']);
    await user.selectOptions(screen.getByLabelText('Канал'), 'Все каналы');
    expect(prices()).toHaveLength(2);
  });

  it('CD-2 the history is newest first, filtered by channel, and says when nothing is left', async () => {
    const { user } = open(undefined, [
      ['placement', placement('p1', { date: '2026-11-01' })],
      ['placement', placement('p2', { date: '2026-11-20', price: 900 })],
    ]);
    await user.click(await screen.findByRole('tab', { name: /История сотрудничества/u }));
    const table = within(screen.getByRole('table', { name: 'История сотрудничества' }));
    expect(table.getAllByRole('row').map((row) => row.firstChild?.textContent)).toEqual([
      'Дата',
      '20 ноября 2026',
      '1 ноября 2026',
    ]);
    expect([...screen.getByLabelText('Канал').children].map((option) => option.textContent)).toEqual([
      'Все каналы',
      'Кухня',
    ]);
  });

  it('CD-3 an empty history has its sentence', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('tab', { name: /История сотрудничества/u }));
    expect(screen.getByText('Нет размещений за выбранный период')).toBeDefined();
  });

  it('CD-4 while the scope loads the dialog says so; what is not there is not found', async () => {
    open(undefined, null);
    expect(await screen.findByText(messages.contractorLoading)).toBeDefined();
  });

  it('CD-5 an unknown contractor is not found', async () => {
    stage({
      element: <ContractorDialog contractorId="c9" onClose={() => undefined} />,
      docs: { workspace, 'contractor:c9': [] },
    });
    expect(await screen.findByText('Контрагент не найден')).toBeDefined();
  });

  it('CD-6 a blank note cannot be added; a note goes out and the field empties', async () => {
    const { user, calls } = open(() => ({ data: { note: note('n1', 'me', '2026-11-21T11:00:00.000Z') } }));
    await user.click(await screen.findByRole('tab', { name: /Заметки/u }));
    const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Добавить заметку' });
    expect(add.disabled).toBe(true);
    await user.type(screen.getByLabelText('Новая заметка'), '   ');
    expect(add.disabled).toBe(true);
    await user.type(screen.getByLabelText('Новая заметка'), 'Пишет в тот же день ');
    expect(add.disabled).toBe(false);
    await user.click(add);
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Новая заметка').value).toBe(''));
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/api/contractors/c1/notes',
      body: { note: 'Пишет в тот же день' },
    });
  });

  it('CD-7 a failed note says whether the server or the line refused, and keeps the text', async () => {
    let answer: Answer = { problem: { code: 'ACCESS_DENIED', message: messages.accessDenied } };
    const { user } = open(() => answer);
    await user.click(await screen.findByRole('tab', { name: /Заметки/u }));
    await user.type(screen.getByLabelText('Новая заметка'), 'Текст');
    await user.click(screen.getByRole('button', { name: 'Добавить заметку' }));
    expect(await screen.findByText(noteAddFailed(messages.accessDenied))).toBeDefined();
    answer = 'no answer';
    await user.click(screen.getByRole('button', { name: 'Добавить заметку' }));
    expect(await screen.findByText(messages.noteAddOffline)).toBeDefined();
    expect(screen.getByLabelText<HTMLTextAreaElement>('Новая заметка').value).toBe('Текст');
  });

  it('CD-8 only the own note can be deleted by a buyer, after the question', async () => {
    const { user, calls } = open(
      () => ({ data: {} }),
      [
        ['note', note('n1', 'me', '2026-11-20T11:00:00.000Z')],
        ['note', note('n2', 'u1', '2026-11-21T11:00:00.000Z')],
      ],
    );
    await user.click(await screen.findByRole('tab', { name: /Заметки/u }));
    const entries = within(screen.getByRole('list', { name: 'История заметок' })).getAllByRole('listitem');
    expect(entries[0]?.textContent).toContain('Анна 21 ноября, 14:00Заметка n2');
    const buttons = screen.getAllByRole('button', { name: /^Удалить заметку/u });
    expect(buttons).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: /^Удалить заметку: Я/u }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText('Вы уверены, что хотите удалить эту заметку?')).toBeDefined();
    expect(question.getByText('Заметка n1')).toBeDefined();
    expect(question.queryByText('Заметка n2')).toBeNull();
    await user.click(question.getByRole('button', { name: 'Удалить' }));
    await waitFor(() => expect(calls[0]).toMatchObject({ method: 'DELETE', path: '/api/contractors/c1/notes/n1' }));
  });

  it('CD-11 a note that was not deleted says whether the server or the line refused, and stays', async () => {
    let answer: Answer = { problem: { code: 'ACCESS_DENIED', message: messages.accessDenied } };
    const { user } = open(() => answer, [['note', note('n1', 'me', '2026-11-20T11:00:00.000Z')]]);
    await user.click(await screen.findByRole('tab', { name: /Заметки/u }));
    const remove = async () => {
      await user.click(screen.getByRole('button', { name: /^Удалить заметку: Я/u }));
      await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Удалить' }));
    };
    await remove();
    expect(await screen.findByText(noteRemoveFailed(messages.accessDenied))).toBeDefined();
    answer = 'no answer';
    await remove();
    expect(await screen.findByText(messages.noteRemoveOffline)).toBeDefined();
    expect(screen.getByText('Заметка n1')).toBeDefined();
  });

  const added: Answer = { data: { note: note('n1', 'me', '2026-11-21T11:00:00.000Z') } };
  const field = () => screen.getByLabelText<HTMLTextAreaElement>('Новая заметка');
  const addButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Добавить заметку' });
  const toTab = async (user: ReturnType<typeof open>['user'], name: RegExp) =>
    user.click(await screen.findByRole('tab', { name }));
  /** A note under way on a line that answers when it is told to. */
  const sending = async () => {
    let answer: (given: Answer) => void = () => undefined;
    const set = open(
      () =>
        new Promise<Answer>((resolve) => {
          answer = resolve;
        }),
    );
    await toTab(set.user, /Заметки/u);
    await set.user.type(field(), 'Текст');
    await set.user.click(addButton());
    await waitFor(() => expect(set.calls).toHaveLength(1));
    return { ...set, answer: (given: Answer) => answer(given) };
  };

  it('CD-12 a note on its way is not sent twice by going to another tab and back, and nothing is typed into it', async () => {
    const { user, calls, answer } = await sending();
    await toTab(user, /Обзор/u);
    await toTab(user, /Заметки/u);
    expect(addButton().disabled).toBe(true);
    await user.click(addButton());
    await user.type(field(), ' и ещё');
    expect(field().value).toBe('Текст');
    answer(added);
    await waitFor(() => expect(field().value).toBe(''));
    expect(field().disabled).toBe(false);
    expect(calls).toHaveLength(1);
  });

  it('CD-13 what became of a note is told after another tab, and the next try is the same command', async () => {
    const { user, calls, answer } = await sending();
    await toTab(user, /Обзор/u);
    answer('no answer');
    await toTab(user, /Заметки/u);
    expect(await screen.findByText(messages.noteAddOffline)).toBeDefined();
    expect(field().value).toBe('Текст');
    await user.click(addButton());
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]?.commandId).toBe(calls[0]?.commandId);
    answer(added);
    await waitFor(() => expect(field().value).toBe(''));
  });

  it('CD-14 a note sent again is the same command, also after a deletion in between', async () => {
    const { user, calls } = open(undefined, [['note', note('n1', 'me', '2026-11-20T11:00:00.000Z')]]);
    await toTab(user, /Заметки/u);
    await user.type(field(), 'Текст');
    await user.click(addButton());
    expect(await screen.findByText(messages.noteAddOffline)).toBeDefined();
    await user.click(screen.getByRole('button', { name: /^Удалить заметку: Я/u }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Удалить' }));
    expect(await screen.findByText(messages.noteRemoveOffline)).toBeDefined();
    await user.click(addButton());
    await waitFor(() => expect(calls.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'POST']));
    expect(calls[2]?.commandId).toBe(calls[0]?.commandId);
  });
});

describe('contractors', () => {
  const list = () =>
    stage({
      element: (
        <ContractorDialogHost>
          <ContractorsPage />
        </ContractorDialogHost>
      ),
      docs: {
        workspace: [
          ...workspace,
          [
            'contractor',
            contractor('c2', {
              adminUsername: '@Ёлка',
              channelName: '',
              category: 'Юмор',
              totalLeads: 0,
              totalSpent: 90,
            }),
          ],
          ['contractor', contractor('c3', { adminUsername: '@off', isActive: false, totalSpent: -1 })],
        ],
        'contractor:c2': [],
      },
    });

  it('CS-1 the search knows neither case nor ё nor a leading @', async () => {
    const { user } = list();
    await user.type(await screen.findByLabelText('Поиск контрагентов'), '@ЕЛКА');
    expect(screen.getAllByRole('row')).toHaveLength(2);
    expect(screen.getByRole('button', { name: '@Ёлка' })).toBeDefined();
    await user.type(screen.getByLabelText('Поиск контрагентов'), 'ы');
    expect(screen.getByText('Ничего не найдено')).toBeDefined();
  });

  it('CS-2 doubtful data is marked, without leads there is no CPL', async () => {
    const { user } = list();
    await user.click(await screen.findByLabelText('Показать отключённых'));
    expect(screen.getByText('сумма меньше нуля')).toBeDefined();
    expect(screen.getByText('Проверьте данные: 1')).toBeDefined();
    expect(screen.getByRole('row', { name: /Ёлка/u }).textContent).toContain('—');
  });

  it('CS-3 a row opens the dialog', async () => {
    const { user } = list();
    await user.click(await screen.findByRole('button', { name: '@Ёлка' }));
    expect(await screen.findByRole('dialog', { name: '@Ёлка' })).toBeDefined();
  });

  it('CS-5 a heading sorts, the greatest first and names by the alphabet; without leads one stands last either way', async () => {
    const { user } = list();
    await user.click(await screen.findByLabelText('Показать отключённых'));
    const nicks = () => screen.getAllByRole('button', { name: /^@/u }).map(({ textContent }) => textContent);
    expect(nicks()).toEqual(['@vkusno_admin', '@Ёлка', '@off']);
    const cpl = () => screen.getByRole('button', { name: 'Средний CPL' });
    await user.click(cpl());
    expect(nicks().at(-1)).toBe('@Ёлка');
    expect(cpl().closest('th')?.getAttribute('aria-sort')).toBe('descending');
    await user.click(cpl());
    expect(nicks().at(-1)).toBe('@Ёлка');
    expect(cpl().closest('th')?.getAttribute('aria-sort')).toBe('ascending');
    await user.click(screen.getByRole('button', { name: 'Контрагент' }));
    expect(nicks()).toEqual(['@off', '@vkusno_admin', '@Ёлка']);
    expect(screen.queryByRole('button', { name: 'Тематика' })).toBeNull();
  });

  it('CS-4 a contractor needs a nick', async () => {
    const { user } = list();
    await user.click(await screen.findByRole('button', { name: 'Добавить контрагента' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Добавить' }));
    expect(dialog.getByText(messages.nickRequired)).toBeDefined();
    expect(document.activeElement).toBe(dialog.getByLabelText('Ник'));
  });
});

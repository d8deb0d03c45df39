import { screen, waitFor, within } from '@testing-library/react';
import type { HistoryEntry } from '@zakup/contracts/history';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bell } from '../features/notifications/bell.tsx';
import { ContractorsPage } from '../features/contractors/contractors-page.tsx';
import { CreativesPage } from '../features/creatives/creatives-page.tsx';
import { JournalPage } from '../features/journal/journal-page.tsx';
import { PaletteHost } from '../features/palette/palette-host.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { OutboxProvider } from '../shared/outbox/outbox-context.tsx';
import { pastOutbox } from '../shared/time-travel/past-outbox.ts';
import { type Answer, type Call, licence, person, stage, type StageOptions } from '../shared/testing/stage.tsx';

type Docs = NonNullable<StageOptions['docs']>;
type User = ReturnType<typeof stage>['user'];

const stamp = { revision: 0, createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' };
const me = person('me', { role: 'CEO', isOwner: true });
const channel = ['channel', { ...stamp, id: 'ch', name: 'Кухня', avatar: null } as never] as const;
const campaign = [
  'campaign',
  { ...stamp, id: 'k', name: 'Ноябрь', channelId: 'ch', totalBudget: 10, status: 'ACTIVE', participants: [] } as never,
] as const;
const base: Docs['workspace'] = [
  ['license', licence],
  ['person', me],
];
const refused = {
  kind: 'refused',
  problem: {
    type: 'about:blank',
    title: 'UNAVAILABLE',
    status: 503,
    detail: 'Сервис перезапускается.',
    instance: 'r-77',
    success: false,
    error: 'Сервис перезапускается.',
    code: 'UNAVAILABLE',
  },
} as const;

/** Lists that the live channel fills. */
interface LiveList {
  readonly title: string;
  readonly element: ReactNode;
  readonly address: string;
  /** Rows and their height in px, as of what comes. */
  readonly grey: readonly [rows: number, height: number];
  readonly empty: string;
  readonly filled: string;
  /** Workspace when there is nothing, and what is there when it is filled. */
  readonly without?: Docs['workspace'];
  readonly within: Docs['workspace'];
}

const settings = (tab: string) => ({
  element: <SettingsPage />,
  address: `/settings?tab=${tab}`,
  grey: [6, 38] as const,
});
const lists: readonly LiveList[] = [
  {
    title: 'contractors',
    element: <ContractorsPage />,
    address: '/contractors',
    grey: [8, 38],
    empty: 'Контрагентов ещё нет',
    filled: '@kitchen_ads',
    within: [
      [
        'contractor',
        {
          ...stamp,
          id: 'c',
          adminUsername: '@kitchen_ads',
          channelName: '',
          category: 'Кулинария',
          isActive: true,
          totalSpent: 10,
          totalLeads: 1,
          totalPlacements: 1,
          lastUsed: null,
        } as never,
      ],
    ],
  },
  {
    title: 'creatives',
    element: <CreativesPage />,
    address: '/creatives',
    grey: [6, 44],
    empty: 'Креативов ещё нет',
    filled: 'Рецепт',
    within: [
      [
        'creative',
        { ...stamp, id: 'cr', name: 'Рецепт', abbreviation: '', notes: '', type: 'TEXT_ONLY', isActive: true } as never,
      ],
    ],
  },
  { title: 'channels', ...settings('channels'), empty: 'Каналов ещё нет', filled: 'Кухня', within: [channel] },
  {
    title: 'campaigns',
    ...settings('campaigns'),
    empty: 'Кампаний ещё нет',
    filled: 'Ноябрь',
    without: [channel],
    within: [channel, campaign],
  },
  {
    title: 'campaigns without a channel',
    ...settings('campaigns'),
    empty: 'Сначала добавьте канал',
    filled: 'Ноябрь',
    within: [channel, campaign],
  },
];
/** What is never empty: there is always oneself, and one's licence. */
const neverEmpty: readonly Omit<LiveList, 'empty' | 'within'>[] = [
  { title: 'employees', ...settings('employees'), filled: 'Ольга Демидова' },
  { title: 'licence', ...settings('licence'), filled: 'Мои сессии' },
  { title: 'export', ...settings('export'), filled: 'Размещения кампании' },
  { title: 'parameters', ...settings('parameters'), filled: 'Цена лида, ₽' },
];

const show = (
  { element, address }: Pick<LiveList, 'element' | 'address'>,
  more: Omit<StageOptions, 'element' | 'address'> = {},
) => stage({ element: <OutboxProvider value={pastOutbox}>{element}</OutboxProvider>, address, me, ...more });

const greyLines = async (): Promise<readonly (string | null)[]> => {
  await waitFor(() => expect(document.querySelector('.z-skeleton-shown')).not.toBeNull());
  return [...document.querySelectorAll('.z-skeleton-shown svg')].map((line) => line.getAttribute('height'));
};
const rowsOf = ([rows, height]: readonly [number, number]): readonly string[] =>
  Array.from({ length: rows }, () => String(height));

describe('four looks of a list', () => {
  it.each([...lists, ...neverEmpty])(
    'LOOK-1 $title: grey lines of the height that comes while it is loading',
    async (list) => {
      show(list, { scopeStatus: { kind: 'loading' } });
      expect(await greyLines()).toEqual(rowsOf(list.grey));
      expect(screen.queryByRole('alert')).toBeNull();
    },
  );

  it.each([...lists, ...neverEmpty])(
    'LOOK-2 $title: an error with its reason, the request and another try',
    async (list) => {
      const { user, tried } = show(list, { scopeStatus: refused });
      const alert = within(await screen.findByRole('alert'));
      expect(alert.getByText('Сервис перезапускается.')).toBeDefined();
      expect(alert.getByText('запрос r-77')).toBeDefined();
      await user.click(alert.getByRole('button', { name: 'Повторить' }));
      expect(tried.times).toBe(1);
    },
  );

  it.each(lists)('LOOK-3 $title: nothing there yet says what comes next', async (list) => {
    show(list, { docs: { workspace: [...(base ?? []), ...(list.without ?? [])] } });
    expect(await screen.findByRole('heading', { name: list.empty })).toBeDefined();
    expect(document.querySelector('.z-skeleton')).toBeNull();
  });

  it.each([...lists, ...neverEmpty.map((one) => ({ ...one, within: [] as Docs['workspace'] }))])(
    'LOOK-4 $title: filled',
    async (list) => {
      show(list, { docs: { workspace: [...(base ?? []), ...(list.within ?? [])] } });
      expect((await screen.findAllByText(list.filled)).length).toBeGreaterThan(0);
      expect(screen.queryByRole('alert', { name: 'Не загрузилось' })).toBeNull();
    },
  );

  const colleagues: Docs['workspace'] = [['user', { ...me, isActive: true } as never]];
  const searched = [...lists, ...neverEmpty.map((one) => ({ ...one, within: colleagues }))].filter(({ title }) =>
    ['contractors', 'creatives', 'employees'].includes(title),
  );
  it.each(searched)('LOOK-9 $title: a search that finds nothing says so, and is taken back', async (list) => {
    const { filled } = list;
    const { user } = show(list, { docs: { workspace: [...(base ?? []), ...(list.within ?? [])] } });
    await screen.findAllByText(filled);
    await user.type(screen.getByRole('searchbox'), 'нет такого');
    expect(await screen.findByRole('heading', { name: 'Ничего не найдено' })).toBeDefined();
    expect(screen.queryByText(filled)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Сбросить фильтры' }));
    expect((await screen.findAllByText(filled)).length).toBeGreaterThan(0);
  });
});

/** Lists that a call fills: how they are opened, what the call answers when there is something, and when there is nothing. */
interface AskedList {
  readonly title: string;
  readonly element: ReactNode;
  readonly address: string;
  readonly open?: (user: User) => Promise<void>;
  /** Grey lines or words. */
  readonly loading: readonly [rows: number, height: number] | string;
  readonly none: unknown;
  readonly some: unknown;
  readonly empty: string;
  readonly filled: string;
}

const change: HistoryEntry = {
  position: 20,
  at: '2026-11-21T11:41:00.000Z',
  actor: { userId: 'anna', name: 'Анна Соколова' },
  source: 'screen',
  commandId: 'c',
  reason: null,
  causedBy: null,
  revision: 3,
  event: 'PlacementPriceChanged',
  entity: { kind: 'placement', id: 'p', name: '@kitchen_ads' },
  campaign: { id: 'k', name: 'Ноябрь' },
  changes: [{ field: 'price', from: 5100, to: 5200 }],
};
const pages = (entries: readonly HistoryEntry[]) => ({ entries, nextCursor: null });
const asked: readonly AskedList[] = [
  {
    title: 'journal',
    element: <JournalPage />,
    address: '/journal',
    loading: [12, 32],
    none: pages([]),
    some: pages([change]),
    empty: 'Журнал пуст',
    filled: '@kitchen_ads',
  },
  {
    title: 'deleted things',
    element: <JournalPage />,
    address: '/journal?tab=deleted',
    loading: [6, 38],
    none: pages([]),
    some: pages([{ ...change, event: 'PlacementRemoved', changes: [{ field: 'deleted', from: false, to: true }] }]),
    empty: 'Ничего не удалено',
    filled: '@kitchen_ads',
  },
  {
    title: 'salary report',
    element: <JournalPage />,
    address: '/journal?tab=salary',
    loading: [6, 38],
    none: { rows: [] },
    some: {
      rows: [
        {
          userId: 'anna',
          name: 'Анна Соколова',
          role: 'MEDIA_BUYER',
          isActive: true,
          salaryType: null,
          threshold: 100,
          salaryReportBonus: 0,
          formula: '',
          countedTotal: { count: 0, price: 0 },
          leftOutTotal: { count: 0, price: 0 },
          counted: [],
          leftOut: [],
        },
      ],
    },
    empty: 'Сотрудников ещё нет',
    filled: 'Анна Соколова',
  },
  {
    title: 'bell',
    element: <Bell />,
    address: '/dashboard',
    open: async (user) => user.click(await screen.findByRole('button', { name: /^Уведомления/u })),
    loading: [3, 48],
    none: { notifications: [] },
    some: {
      notifications: [
        {
          id: 'n',
          type: 'placement',
          text: 'Ваше размещение изменено',
          at: '2026-11-21T11:00:00.000Z',
          position: 3,
          actor: { userId: 'anna', name: 'Анна' },
          count: 1,
          read: false,
          campaignId: 'k',
          placementId: 'p',
          userId: null,
        },
      ],
    },
    empty: 'Уведомлений нет',
    filled: 'Ваше размещение изменено',
  },
  {
    title: 'palette',
    element: <PaletteHost actions={[]} />,
    address: '/dashboard',
    open: async (user) => {
      await user.click(await screen.findByRole('button', { name: /Поиск и команды/u }));
      await user.type(await screen.findByRole('combobox', { name: 'Поиск и команды' }), 'ноя');
    },
    loading: 'Ищем…',
    none: { hits: [] },
    some: {
      hits: [
        {
          kind: 'campaign',
          id: 'k',
          title: 'Ноябрь',
          subtitle: 'Кухня',
          campaignId: 'k',
          channelId: 'ch',
          contractorId: null,
        },
      ],
    },
    empty: 'Ничего не найдено',
    filled: 'Ноябрь',
  },
];

const showAsked = async (list: AskedList, serve: (call: Call) => Answer | Promise<Answer>): Promise<User> => {
  const { user } = show(list, { serve, docs: list.title === 'bell' ? {} : { workspace: base ?? [] } });
  await list.open?.(user);
  return user;
};

describe('four looks of a list that is asked for', () => {
  const original = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'clientHeight');
  const offset = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'offsetHeight');
  // There is no layout here; the window over the journal's rows needs one.
  beforeEach(() => {
    for (const name of ['clientHeight', 'offsetHeight'])
      Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value: 600 });
  });
  afterEach(() => {
    if (original) Object.defineProperty(HTMLElement.prototype, 'clientHeight', original);
    if (offset) Object.defineProperty(HTMLElement.prototype, 'offsetHeight', offset);
  });

  it.each(asked)('LOOK-5 $title: that it is loading', async (list) => {
    await showAsked(list, () => new Promise<never>(() => undefined));
    const { loading } = list;
    const seen = typeof loading === 'string' ? screen.findByText(loading).then(() => loading) : greyLines();
    expect(await seen).toEqual(typeof loading === 'string' ? loading : rowsOf(loading));
  });

  it.each(asked)('LOOK-6 $title: an error with another try, which brings it', async (list) => {
    let up = false;
    const user = await showAsked(list, () => (up ? { data: list.some } : 'no answer'));
    expect(await screen.findByText(/Ошибка соединения с сервером/u)).toBeDefined();
    up = true;
    await user.click(screen.getByRole('button', { name: 'Повторить' }));
    expect((await screen.findAllByText(list.filled)).length).toBeGreaterThan(0);
    expect(screen.queryByText(/Ошибка соединения с сервером/u)).toBeNull();
  });

  it.each(asked)('LOOK-7 $title: nothing there yet, in words', async (list) => {
    await showAsked(list, () => ({ data: list.none }));
    expect(await screen.findByText(list.empty)).toBeDefined();
  });

  it.each(asked)('LOOK-8 $title: filled', async (list) => {
    await showAsked(list, () => ({ data: list.some }));
    expect((await screen.findAllByText(list.filled)).length).toBeGreaterThan(0);
    expect(screen.queryByText(list.empty)).toBeNull();
  });
});

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CampaignWire, PlacementWire, ViewWire } from '@zakup/contracts/wire-entities';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fullStorage } from '../../../shared/testing/full-storage.ts';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import { type Answer, type Call, person, stage } from '../../../shared/testing/stage.tsx';
import { ToastHost } from '../../../shared/toasts/toast-host.tsx';
import { toastStore } from '../../../shared/toasts/toasts.ts';
import { UndoHost } from '../../../shared/undo/undo-host.tsx';
import { SlotProvider } from '../../../shared/ui/slots.tsx';
import { PlacementsSection } from '../placements-section.tsx';

const campaign = {
  id: 'c',
  revision: 1,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  channelId: 'ch',
  name: '11',
  status: 'ACTIVE',
  totalBudget: 100_000,
  startDate: null,
  endDate: null,
  participants: [],
} as unknown as CampaignWire;

const bought = (id: string, over: Partial<PlacementWire> = {}): PlacementWire =>
  placementDocument({ id, contractorId: `k-${id}`, buyerId: 'me', date: '2026-11-10', price: 1000, ...over });

const view = (id: string, name: string, query: string): ViewWire => ({
  id,
  revision: 0,
  createdAt: '2026-11-21T11:00:00.000Z',
  updatedAt: '2026-11-21T11:00:00.000Z',
  name,
  query,
  shared: id.startsWith('team-'),
  authorId: 'me',
});

const setUp = async (
  placements: readonly PlacementWire[],
  of: Partial<CampaignWire> = {},
  { views = [], serve }: { readonly views?: readonly ViewWire[]; readonly serve?: (call: Call) => Answer } = {},
) => {
  const staged = stage({
    element: (
      <SlotProvider>
        <UndoHost />
        <PlacementsSection
          campaign={{ ...campaign, ...of }}
          channelName="Кухня"
          adding={false}
          onAddingChange={() => undefined}
        />
        <ToastHost />
      </SlotProvider>
    ),
    me: person('me', { role: 'CBDO' }),
    withOutbox: true,
    ...(serve && { serve }),
    docs: {
      me: views.filter(({ shared }) => !shared).map((one) => ['view', one] as const),
      workspace: [
        ...views.filter(({ shared }) => shared).map((one) => ['view', one] as const),
        ['campaign', { ...campaign, ...of }],
        ['user', { id: 'me', name: 'Ольга Демидова', role: 'TEAM_LEAD', isActive: true } as never],
        ...placements.map(
          ({ id, contractorId }) =>
            [
              'contractor',
              { id: contractorId, adminUsername: `@${id}`, channelName: '', isActive: true } as never,
            ] as const,
        ),
      ],
      'campaign:c': placements.map((one) => ['placement', one] as const),
    },
  });
  const list = await screen.findByRole('list', { name: 'Размещения' });
  const card = (nick: string): HTMLElement =>
    within(list).getByRole('article', { name: new RegExp(`^@${nick},`, 'u') });
  /** What waits in the outbox, as nothing is answered here. */
  const kept = async () => (await staged.outbox()).entries();
  return { ...staged, list, card, kept };
};

/** A finger that goes down on a card, along these places, and up again. */
const draw = (card: HTMLElement, places: readonly (readonly [number, number])[], pointerType = 'touch'): void => {
  const at = ([clientX, clientY]: readonly [number, number]) => ({
    clientX,
    clientY,
    pointerId: 7,
    pointerType,
    isPrimary: true,
  });
  const [first = [0, 0] as const] = places;
  fireEvent.pointerDown(card, at(first));
  for (const place of places.slice(1)) fireEvent.pointerMove(card, at(place));
  fireEvent.pointerUp(card, at(places.at(-1) ?? first));
};

const far = [
  [100, 300],
  [140, 302],
  [230, 305],
] as const;

describe('placements on a narrow screen', () => {
  beforeEach(() => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({
          matches: query.includes('768') || query.includes('coarse'),
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as unknown as MediaQueryList,
    );
    for (const [name, height] of [
      ['clientHeight', 844],
      ['offsetHeight', 183],
    ] as const)
      vi.spyOn(HTMLElement.prototype, name, 'get').mockReturnValue(height);
    return () => {
      vi.unstubAllGlobals();
      localStorage.removeItem('cardSwipeKnown');
      vi.restoreAllMocks();
    };
  });

  it('PHN-2450 a card that is drawn to the right is paid, and offered back', async () => {
    const { card, kept, user } = await setUp([bought('a', { price: 5400 }), bought('b', { paymentStatus: 'paid' })]);
    draw(card('a'), far);
    await waitFor(async () =>
      expect((await kept()).map(({ path, body }) => [path, body])).toEqual([
        ['/api/placements/a/payment', { paymentStatus: 'paid' }],
      ]),
    );
    const toast = await screen.findByText(/^Оплачено: @a, 5\s400\s₽$/u);
    expect(toast.isConnected).toBe(true);
    draw(card('b'), far);
    await screen.findByText(/^Не оплачено: @b/u);
    await waitFor(() =>
      expect(screen.queryByText(/^Оплачено: @a, 5\s400\s₽$/u), 'the last offer alone stands').toBeNull(),
    );
    await user.click(await screen.findByRole('button', { name: 'Отменить' }));
    await waitFor(async () => expect((await kept()).map(({ target }) => target.id)).toEqual(['a']));
  });

  it('PHN-2451 what is no way to the right pays nothing: short, back, down, from the edge, and a mouse', async () => {
    const { card, kept } = await setUp([bought('a')]);
    const one = card('a');
    draw(one, [far[0], [180, 300]]);
    draw(one, [...far, [120, 300]]);
    draw(one, [far[0], [105, 360], [300, 380]]);
    draw(one, [far[0], [20, 300]]);
    draw(one, [
      [10, 300],
      [60, 300],
      [250, 300],
    ]);
    draw(one, far, 'mouse');
    expect(await kept()).toEqual([]);
    expect(one.dataset['swipe']).toBeUndefined();
  });

  it('PHN-2452 behind the card it says what letting go does, and that it is far enough', async () => {
    const { card, kept } = await setUp([bought('a')]);
    const one = card('a');
    const at = (clientX: number) => ({ clientX, clientY: 300, pointerId: 1, pointerType: 'touch', isPrimary: true });
    fireEvent.pointerDown(one, at(100));
    fireEvent.pointerMove(one, at(150));
    expect([one.dataset['swipe'], one.hasAttribute('data-swiped')]).toEqual(['Оплачено', false]);
    expect(one.style.getPropertyValue('--swipe')).toBe('40px');
    fireEvent.pointerMove(one, at(220));
    expect(one.hasAttribute('data-swiped')).toBe(true);
    fireEvent.pointerCancel(one, at(220));
    expect(one.dataset['swipe']).toBeUndefined();
    expect(await kept()).toEqual([]);
  });

  it('PHN-2690 a finger that draws a card flings nothing after it: the browser is told so, and not of one that scrolls', async () => {
    const { card } = await setUp([bought('a')]);
    const one = card('a');
    const at = (clientX: number, clientY = 300) => ({
      clientX,
      clientY,
      pointerId: 1,
      pointerType: 'touch',
      isPrimary: true,
    });
    // `fireEvent` answers false where the event was prevented.
    fireEvent.pointerDown(one, at(100));
    expect(fireEvent.touchMove(one)).toBe(true);
    fireEvent.pointerMove(one, at(150));
    expect(fireEvent.touchMove(one)).toBe(false);
    fireEvent.pointerUp(one, at(150));
    expect(fireEvent.touchMove(one)).toBe(true);
    fireEvent.pointerDown(one, at(100));
    fireEvent.pointerMove(one, at(105, 360));
    expect(fireEvent.touchMove(one)).toBe(true);
  });

  it('PHN-2453 it is told once that cards can be drawn', async () => {
    const hint = 'Потяните карточку вправо, чтобы отметить оплату';
    const { card } = await setUp([bought('a')]);
    expect((await screen.findByText(hint)).isConnected).toBe(true);
    draw(card('a'), far);
    await waitFor(() => expect(screen.queryByText(hint)).toBeNull());
    expect(localStorage.getItem('cardSwipeKnown')).toBe('1');
  });

  it('PHN-2454 cards are ticked, summed up and changed as one command', async () => {
    const { user, list, card, kept } = await setUp([
      bought('a', { price: 1000, leads: 4 }),
      bought('b', { price: 2000, leads: 6 }),
      bought('c', { price: 4000 }),
    ]);
    await user.click(await screen.findByRole('button', { name: 'Отметить' }));
    const bar = screen.getByRole('region', { name: 'Отмеченные размещения' });
    expect(within(bar).getByRole<HTMLButtonElement>('button', { name: 'Изменить…' }).disabled).toBe(true);
    await user.click(within(card('a')).getByRole('checkbox', { name: /^Отметить @a/u }));
    await user.click(within(card('b')).getByRole('checkbox', { name: /^Отметить @b/u }));
    await waitFor(() =>
      expect(bar.textContent?.replaceAll(/\s/gu, ' ')).toContain(
        'Отмечено 2 · 3 000 ₽ · ср. 1 500 ₽ · приход 10 · CPL 300',
      ),
    );
    draw(card('c'), far);
    expect(await kept(), 'nothing is drawn while cards are ticked').toEqual([]);
    await user.click(within(bar).getByRole('button', { name: 'Изменить…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Изменить: 2 размещения' });
    await user.selectOptions(within(dialog).getByLabelText('Оплата'), 'paid');
    await user.click(within(dialog).getByRole('button', { name: 'Изменить' }));
    await waitFor(async () =>
      expect((await kept()).map(({ parts }) => parts?.map(({ target }) => target.id).sort())).toEqual([['a', 'b']]),
    );
    await user.click(within(bar).getByRole('button', { name: 'Готово' }));
    expect(within(list).queryByRole('checkbox')).toBeNull();
    expect(document.activeElement?.textContent).toBe('Отметить');
  });

  it('PHN-2455 all that are shown are ticked and unticked at once, and removed with a question', async () => {
    const { user, kept } = await setUp([bought('a'), bought('b')]);
    await user.click(await screen.findByRole('button', { name: 'Отметить' }));
    const bar = screen.getByRole('region', { name: 'Отмеченные размещения' });
    await user.click(within(bar).getByRole('button', { name: 'Все' }));
    await user.click(within(bar).getByRole('button', { name: 'Снять все' }));
    expect(screen.getAllByRole<HTMLInputElement>('checkbox').some(({ checked }) => checked)).toBe(false);
    await user.click(within(bar).getByRole('button', { name: 'Все' }));
    await user.click(within(bar).getByRole('button', { name: 'Удалить…' }));
    const question = await screen.findByRole('alertdialog', { name: /^Удалить 2 размещения на 2\s000\s₽\?$/u });
    await user.click(within(question).getByRole('button', { name: 'Удалить' }));
    await waitFor(async () =>
      expect((await kept()).map(({ parts }) => parts?.map(({ method }) => method))).toEqual([['DELETE', 'DELETE']]),
    );
  });

  it('PHN-2456 of a completed campaign cards are summed up alone', async () => {
    const { user, card, kept } = await setUp([bought('a')], { status: 'COMPLETED' });
    draw(card('a'), far);
    await user.click(await screen.findByRole('button', { name: 'Отметить' }));
    const bar = screen.getByRole('region', { name: 'Отмеченные размещения' });
    expect(
      within(bar)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Все', 'Готово']);
    expect(await kept()).toEqual([]);
  });

  it('PHN-2564 a view is chosen and saved on a phone, one’s own and the team’s, in the order of the cards', async () => {
    const { user, list, calls } = await setUp(
      [bought('a'), bought('b', { paymentStatus: 'paid', date: '2026-11-12' })],
      {},
      {
        views: [
          view('v1', 'К оплате', 'payment=unpaid&sort=-date'),
          view('team-v2', 'Дорогие сначала', 'sort=-price&group=week'),
        ],
        serve: ({ body }) => ({ data: { view: view('v3', (body as { name: string }).name, '') } }),
      },
    );
    const cards = (): readonly (string | undefined)[] =>
      within(list)
        .getAllByRole('article')
        .map((one) => one.getAttribute('aria-label')?.split(',')[0]);
    expect(cards()).toEqual(['@b', '@a']);
    await user.click(await screen.findByRole('button', { name: 'Виды' }));
    await user.click(await screen.findByRole('menuitem', { name: 'К оплате' }));
    await waitFor(() => expect(cards()).toEqual(['@a']));
    await user.click(await screen.findByRole('button', { name: 'Виды' }));
    const marked = await screen.findByRole('menuitem', { name: 'К оплате' });
    expect(marked.getAttribute('aria-current')).toBe('true');
    expect((await screen.findByRole('menuitem', { name: 'Дорогие сначала' })).isConnected).toBe(true);
    await user.click(screen.getByRole('menuitem', { name: 'Сохранить вид…' }));
    await user.type(await screen.findByLabelText('Название'), 'Мой');
    await user.click(screen.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(toastStore.announced()?.text).toBe('Вид «Мой» сохранён'));
    expect(calls.at(-1)).toMatchObject({
      method: 'POST',
      path: '/api/views',
      body: { name: 'Мой', query: 'payment=unpaid&sort=-date', shared: false },
    });
  });

  it('PHN-2573 the way to what was taken down early stands in the line above the cards, without the words that it has no room for', async () => {
    const { user, list } = await setUp([bought('a'), bought('b', { status: 'REMOVED_EARLY' })]);
    const line = document.querySelector<HTMLElement>('.z-said-of-rows');
    expect(line?.textContent).toMatch(/Показать снятые: 1$/u);
    expect(line?.textContent).not.toContain('скрыты');
    await user.click(await screen.findByRole('button', { name: 'Показать снятые: 1' }));
    await waitFor(() => expect(within(list).getAllByRole('article')).toHaveLength(2));
  });

  it('ATT-2460 a card whose payment somebody else changes while it is drawn is not turned back by letting it go', async () => {
    const { card, kept, bring } = await setUp([bought('a', { revision: 1 })]);
    const one = card('a');
    const at = (clientX: number) => ({ clientX, clientY: 300, pointerId: 1, pointerType: 'touch', isPrimary: true });
    fireEvent.pointerDown(one, at(100));
    fireEvent.pointerMove(one, at(230));
    expect([one.dataset['swipe'], one.hasAttribute('data-swiped')]).toEqual(['Оплачено', true]);
    act(() => bring('campaign:c', [['placement', bought('a', { revision: 2, paymentStatus: 'paid' })]]));
    expect((await within(one).findByRole('button', { name: 'Не оплачено' })).isConnected).toBe(true);
    fireEvent.pointerUp(one, at(230));
    expect(one.dataset['swipe']).toBeUndefined();
    expect(await kept()).toEqual([]);
    draw(one, far);
    await waitFor(async () => expect((await kept()).map(({ body }) => body)).toEqual([{ paymentStatus: 'unpaid' }]));
  });

  it('ATT-2461 a browser that keeps nothing pays a card that is drawn all the same', async () => {
    const { card, kept } = await setUp([bought('a')]);
    const full = fullStorage();
    vi.stubGlobal('localStorage', full);
    draw(card('a'), far);
    vi.unstubAllGlobals();
    expect(full.setItem.mock.calls).toEqual([['cardSwipeKnown', '1']]);
    await waitFor(async () => expect((await kept()).map(({ target }) => target.id)).toEqual(['a']));
  });
});

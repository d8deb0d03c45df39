import { screen, waitFor, within } from '@testing-library/react';
import type { CampaignWire, ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { topics } from '@zakup/domain/topics';
import { today } from '@zakup/domain/calendar';
import { beforeEach, describe, expect, it } from 'vitest';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import { type Answer, person, stage } from '../../../shared/testing/stage.tsx';
import { ToastHost } from '../../../shared/toasts/toast-host.tsx';
import { SlotOutlet, SlotProvider } from '../../../shared/ui/slots.tsx';
import { PlacementsSection } from '../placements-section.tsx';

const campaign = { id: 'c', name: 'Ноябрь', status: 'ACTIVE', participants: [] } as unknown as CampaignWire;
const contractor = (id: string, members: Partial<ContractorWire> = {}) =>
  ({ id, adminUsername: `@${id}`, isActive: true, ...members }) as ContractorWire;
const buyer = (id: string, name: string) => ({ id, name, role: 'MEDIA_BUYER', isActive: true });

const dayMillis = 86_400_000;
const daysAgo = (days: number): string => today(Date.now() - days * dayMillis);
const bought = (id: string, contractorId: string, days: number, over: Partial<PlacementWire> = {}) =>
  [
    'placement',
    placementDocument({
      id,
      contractorId,
      date: daysAgo(days),
      category: topics[0] ?? '',
      format: '1/24',
      buyerId: 'anna',
      ...over,
    }),
  ] as const;

beforeEach(() => {
  // A wide screen, where there is no layout.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 600 });
});

const setUp = async ({
  mine = person('anna', { name: 'Анна', role: 'TEAM_LEAD' }),
  placements = [
    bought('p1', 'kitchen', 6, { price: 5400, leads: 30, paymentStatus: 'paid' }),
    bought('p2', 'dacha', 2, { price: 900, buyerId: 'ilya' }),
    bought('p3', 'bad', 3, { price: 700 }),
  ],
  isOpen = true,
} = {}) => {
  const set = stage({
    element: (
      <SlotProvider>
        <SlotOutlet name="status-left" />
        <PlacementsSection
          campaign={{ ...campaign, status: isOpen ? 'ACTIVE' : 'COMPLETED' }}
          channelName="Кухня"
          adding={false}
          onAddingChange={() => undefined}
        />
        <ToastHost />
      </SlotProvider>
    ),
    me: mine,
    docs: {
      workspace: [
        ['user', buyer('anna', 'Анна')],
        ['user', buyer('ilya', 'Илья')],
        ['contractor', contractor('kitchen')],
        ['contractor', contractor('dacha')],
        ['contractor', contractor('bad', { verdict: { list: 'black', reason: 'Не вернул предоплату' } })],
        ['campaign', campaign],
      ],
      'campaign:c': placements,
    },
    withOutbox: true,
    serve: (): Answer => 'no answer',
  });
  const menu = async (): Promise<void> => {
    await set.user.click(await screen.findByRole('button', { name: /^Ещё: скачать/u }));
    await screen.findByText('Печать');
  };
  const open = async () => {
    await menu();
    await set.user.click(screen.getByText('Повторить прошлую неделю…'));
    return within(await screen.findByRole('dialog', { name: 'Повторить прошлую неделю' }));
  };
  return { ...set, menu, open };
};

const ticked = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox')
    .map((box) => [box.getAttribute('aria-label')?.split(',')[0], box.checked]);

describe('last week once more', () => {
  it('RPT-2305 is a list with ticks, without those of the black list, and one command of what is ticked, at its prices', async () => {
    const { user, open, outbox, calls } = await setUp();
    const dialog = await open();
    expect(ticked()).toEqual([
      ['@kitchen', true],
      ['@bad', false],
      ['@dacha', true],
    ]);
    expect(dialog.getByRole('table').textContent).toContain('@badЧёрный список Не вернул предоплату');
    const price = dialog.getByLabelText(/^Цена @dacha/u);
    await user.clear(price);
    await user.type(price, '1000');
    expect(dialog.getByText(/^Отмечено 2 из 3 на 6\s400\s₽$/u)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Добавить 2 размещения' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const entries = (await outbox()).entries();
    const inOrder = (parts: (typeof entries)[number]['parts']) =>
      parts?.toSorted((a, b) => (a.target.id < b.target.id ? -1 : 1)).map(({ body }) => body);
    expect(entries.map(({ label, parts }) => [label, inOrder(parts)])).toEqual([
      [
        'Повтор недели: 2 размещения',
        [
          {
            campaignId: 'c',
            contractor: '@kitchen',
            date: daysAgo(-1),
            price: 5400,
            buyerId: 'anna',
            category: topics[0],
            format: '1/24',
            creativeId: 'NO_CREATIVE',
            paymentStatus: 'unpaid',
          },
          {
            campaignId: 'c',
            contractor: '@dacha',
            date: daysAgo(-5),
            price: 1000,
            buyerId: 'ilya',
            category: topics[0],
            format: '1/24',
            creativeId: 'NO_CREATIVE',
            paymentStatus: 'unpaid',
          },
        ],
      ],
    ]);
    await expect.poll(() => calls.map(({ path }) => path)).toEqual(['/api/placements/batch']);
  });

  it('RPT-2306 one day takes the place of all, and what was repeated once is not proposed again', async () => {
    const { user, open } = await setUp();
    const dialog = await open();
    await user.selectOptions(dialog.getByLabelText('Новые даты'), 'Один день для всех');
    await user.click(dialog.getByLabelText(/^@kitchen/u));
    await user.click(dialog.getByLabelText(/^@bad/u));
    await user.click(dialog.getByRole('button', { name: 'Добавить 2 размещения' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const again = await open();
    await user.selectOptions(again.getByLabelText('Новые даты'), 'Один день для всех');
    expect(again.getByRole('table').textContent).toMatch(/@dachaуже есть/u);
    expect(ticked()).toEqual([
      ['@kitchen', true],
      ['@bad', false],
      ['@dacha', false],
    ]);
  });

  it('RPT-2307 a media buyer begins with their own, and may ask for those of all', async () => {
    const { user, open } = await setUp({ mine: person('ilya', { name: 'Илья', role: 'MEDIA_BUYER' }) });
    const dialog = await open();
    expect(ticked().map(([nick]) => nick)).toEqual(['@dacha']);
    await user.selectOptions(dialog.getByLabelText('Чьи покупки'), 'Все');
    expect(ticked().map(([nick]) => nick)).toEqual(['@kitchen', '@bad', '@dacha']);
  });

  it('RPT-2308 begins with the latest week in which something was bought, says where none was, and all ticks go and come at once', async () => {
    const { user, open } = await setUp({ placements: [bought('p1', 'kitchen', 10), bought('p2', 'dacha', 12)] });
    const dialog = await open();
    expect(ticked()).toHaveLength(2);
    await user.click(dialog.getByRole('button', { name: 'Снять все' }));
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Добавить' }).disabled).toBe(true);
    await user.click(dialog.getByRole('button', { name: 'Отметить все' }));
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Добавить 2 размещения' }).disabled).toBe(false);
    await user.selectOptions(dialog.getByLabelText('Неделя'), '0');
    expect(dialog.getByText('За эту неделю покупок нет: выберите другую.')).toBeTruthy();
  });

  it('RPT-2309 is not offered where nothing may be added', async () => {
    const { menu } = await setUp({ isOpen: false });
    await menu();
    expect(screen.queryByText('Повторить прошлую неделю…')).toBeNull();
  });
});

import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { stage } from '../../../shared/testing/stage.tsx';
import { AddPlacementDialog } from './add-placement-dialog.tsx';
import type { PlacementForm } from './placement-form.ts';
import { placementDocument } from '../../../shared/testing/placement-document.ts';

const half = Date.parse('2026-11-20T21:30:00.000Z');
const kitchen = {
  adminUsername: '@Kitchen_ads',
  isActive: true,
  totalPlacements: 2,
  totalLeads: 0,
  totalSpent: 10,
  averagePlacementPrice: 5,
  lastUsed: null,
};
const named = (id: string, name: string): { readonly id: string } =>
  ({ id, name, role: 'MEDIA_BUYER', isActive: true }) as { readonly id: string };
const placement = (id: string, over: Partial<PlacementWire>) =>
  placementDocument({
    id,
    revision: 0,
    createdAt: '2026-11-01T09:00:00.000Z',
    updatedAt: '2026-11-01T09:00:00.000Z',
    buyerId: 'u1',
    price: 0,
    leads: 0,
    costPerLead: 0,
    date: '2026-11-01',
    ...over,
  });

const people = [
  ['user', named('u1', 'Анна')],
  ['user', { ...named('u2', 'Илья'), role: 'TEAM_LEAD' } as { readonly id: string }],
  ['user', { ...named('u3', 'Ушёл'), isActive: false } as { readonly id: string }],
] as const;

const setUp = async (campaignId: string | null = 'c', buyerId = 'nobody', buyers: typeof people | [] = people) => {
  const added: PlacementForm[] = [];
  const { user } = stage({
    element: (
      <AddPlacementDialog
        campaignId={campaignId}
        now={() => half}
        buyerId={buyerId}
        onAdd={(form) => added.push(form)}
        onAddMore={async () => true}
        onClose={() => undefined}
      />
    ),
    docs: {
      workspace: [
        ...buyers,
        ['user', { ...named('u4', 'Глава'), role: 'CEO' } as { readonly id: string }],
        ['contractor', { id: 'k1', ...kitchen }],
      ],
    },
  });
  const submit = await screen.findByRole('button', { name: 'Добавить размещение' });
  return { user, added, submit };
};

describe('add placement dialog', () => {
  it('AD-1 says what is wrong in the order of the rules and takes the person there', async () => {
    const { user, added, submit } = await setUp();
    await user.click(submit);
    expect(screen.getByRole('alert').textContent).toBe('Ник контрагента обязателен');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Ник контрагента')));
    await user.type(screen.getByLabelText('Ник контрагента'), 'new_nick');
    await user.click(submit);
    expect(screen.getByRole('alert').textContent).toBe('Выберите байера');
    await user.selectOptions(screen.getByLabelText('Байер'), 'u1');
    await user.click(submit);
    expect(screen.getByRole('alert').textContent).toBe('Выберите тематику');
    await user.type(screen.getByLabelText('Тематика'), 'кулин');
    await user.click(within(screen.getByRole('listbox')).getByText('Кулинария'));
    await user.click(submit);
    await user.click(submit);
    expect(added).toEqual([
      {
        date: '2026-11-21',
        buyerId: 'u1',
        contractor: 'new_nick',
        format: '1/24',
        price: '',
        leads: '0',
        creativeId: '',
        category: 'Кулинария',
        paymentStatus: 'unpaid',
        comment: '',
        postUrl: '',
      },
    ]);
  });

  it('AD-2 without a campaign that is the first thing said', async () => {
    const { user, submit } = await setUp(null);
    await user.click(submit);
    expect(screen.getByRole('alert').textContent).toBe('Кампания не выбрана');
  });

  it('AD-3 offers active buyers and team leads only, and begins with the person who buys', async () => {
    await setUp('c', 'u2');
    const options = within(screen.getByLabelText('Байер')).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual(['Выберите байера', 'Анна', 'Илья']);
    expect(screen.getByLabelText<HTMLSelectElement>('Байер').value).toBe('u2');
  });

  it('AD-3300 says where buyers come from while there is none', async () => {
    await setUp('c', 'u4', []);
    expect(screen.getByLabelText('Байер')).toHaveProperty('value', '');
    expect(
      document.getElementById(screen.getByLabelText('Байер').getAttribute('aria-describedby') ?? ''),
    ).toHaveProperty('textContent', 'Байеров пока нет: их добавляют в разделе «Настройки → Сотрудники»');
  });

  it('AD-4 suggests known nicks and has data to analyse only for them', async () => {
    const { user } = await setUp();
    expect(screen.getByRole('button', { name: 'Нет данных для анализа' }).hasAttribute('disabled')).toBe(true);
    await user.type(screen.getByLabelText('Ник контрагента'), 'kitch');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(screen.getByLabelText<HTMLInputElement>('Ник контрагента').value).toBe('@Kitchen_ads');
    expect(screen.getByRole('button', { name: 'Анализ контрагента' }).hasAttribute('disabled')).toBe(false);
  });

  it('AD-5 the price takes digits and a dot, and says when it dropped something', async () => {
    const { user } = await setUp();
    const price = screen.getByLabelText<HTMLInputElement>('Цена, ₽');
    const said = (): string => document.getElementById(price.getAttribute('aria-describedby') ?? '')?.textContent ?? '';
    await user.type(price, '10,5');
    expect([price.value, said()]).toEqual(['10.5', '']);
    await user.clear(price);
    await user.paste('1\u00a0200,50 ₽');
    expect([price.value, said()]).toEqual(['1200.50', '']);
    for (const [text, left] of [
      ['a1x0,5', '10.5'],
      ['-300', '300'],
      ['5400 6', '54006'],
    ] as const) {
      await user.clear(price);
      await user.click(screen.getByLabelText('Байер'));
      await user.click(price);
      expect(said()).toBe('');
      await user.keyboard(text);
      expect([price.value, said()]).toEqual([left, 'Здесь только цифры и точка. Остальное не вставлено']);
    }
    await user.clear(price);
    await user.paste('5400 64');
    expect(price.value, 'two numbers are not glued').toBe('');
    await user.paste('5400\n64');
    expect([price.value, said()]).toEqual([
      '',
      'Скопировано несколько ячеек, а здесь поместится одна. Ничего не вставлено',
    ]);
  });

  it('AD-6 several cells pasted into the nick are not glued', async () => {
    const { user } = await setUp();
    const nick = screen.getByLabelText<HTMLInputElement>('Ник контрагента');
    await user.type(nick, '@kit');
    await user.paste('@anna\n@boris');
    expect(nick.value).toBe('@kit');
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain(
      'Скопировано несколько ячеек, а здесь поместится одна. Ничего не вставлено',
    );
  });

  it('WLO-23 the analysis shows the last five, the last price against the one entered, and who bought when', async () => {
    const bought = (
      id: string,
      date: string,
      buyerId: string,
      price: number,
    ): readonly ['placement', PlacementWire] => [
      'placement',
      placement(id, { contractorId: 'k1', date, buyerId, price, leads: price / 100 }),
    ];
    const { user } = stage({
      element: (
        <AddPlacementDialog
          campaignId="c"
          now={() => half}
          buyerId="u1"
          onAdd={() => undefined}
          onAddMore={async () => true}
          onClose={() => undefined}
        />
      ),
      docs: {
        workspace: [
          ['user', named('u1', 'Анна')],
          ['user', named('u2', 'Илья')],
          ['campaign', { id: 'c', name: 'Осень' } as { id: string }],
          ['contractor', { id: 'k1', ...kitchen, totalPlacements: 6 } as { id: string }],
        ],
        'contractor:k1': [
          bought('p1', '2026-09-01', 'u1', 900),
          bought('p2', '2026-10-01', 'u1', 1000),
          bought('p3', '2026-10-02', 'u1', 1100),
          bought('p4', '2026-10-03', 'u1', 1200),
          bought('p5', '2026-11-18', 'u2', 1300),
          bought('p6', '2026-11-20', 'u1', 2000),
        ],
      },
    });
    await user.type(await screen.findByLabelText('Ник контрагента'), 'kitchen_ads');
    await user.keyboard('{Escape}');
    const toggle = screen.getByRole('button', { name: 'Анализ контрагента' });
    await user.click(toggle);
    const rows = within(screen.getByRole('table', { name: 'Последние размещения у контрагента' })).getAllByRole('row');
    expect(rows.slice(1).map((row) => row.querySelector('td')?.textContent)).toEqual([
      '20 ноября',
      '18 ноября',
      '3 октября',
      '2 октября',
      '1 октября',
    ]);
    const said = (): string | undefined =>
      document.querySelector('.z-contractor-deals')?.textContent?.replaceAll('\u00a0', ' ');
    expect(said()).toContain('Последняя цена 2 000 ₽, вчера');
    expect(said(), 'the price that is proposed').toContain('ваша такая же');
    await user.clear(screen.getByLabelText('Цена, ₽'));
    expect(said()).not.toContain('ваша');
    expect(said()).toContain('Куплено другим байером 3 дня назад: Илья');
    await user.type(screen.getByLabelText('Цена, ₽'), '2500');
    expect(said()).toContain('ваша выше на 25 %');
    await user.selectOptions(screen.getByLabelText('Байер'), 'u2');
    expect(said()).toContain('Куплено другим байером вчера: Анна');
  });
});

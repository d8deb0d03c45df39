import type { ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import { stage, stageNow } from '../../../shared/testing/stage.tsx';
import { toastStore } from '../../../shared/toasts/toasts.ts';
import { AddPlacementDialog } from './add-placement-dialog.tsx';
import { emptyForm, type PlacementForm } from './placement-form.ts';

const doc = (id: string, members: object): { readonly id: string } => ({ id, ...members });
const contractor = (id: string, adminUsername: string, totalPlacements: number) =>
  [
    'contractor',
    doc(id, {
      adminUsername,
      isActive: true,
      totalPlacements,
      totalLeads: 0,
      totalSpent: 10,
      averagePlacementPrice: 5,
      lastUsed: null,
    }),
  ] as const;
const deal = (id: string, over: Partial<PlacementWire>) => {
  const placement = placementDocument({
    revision: 0,
    createdAt: '2026-10-01T09:00:00.000Z',
    updatedAt: '2026-10-01T09:00:00.000Z',
    buyerId: 'u1',
    price: 0,
    leads: 0,
    costPerLead: 0,
    date: '2026-10-01',
    ...over,
    id,
  });
  return ['placement', placement] as const;
};

const kitchenDeals = [
  deal('p1', { contractorId: 'k1', date: '2026-10-12', price: 5400, format: '1/72', category: 'Кулинария' }),
  deal('p2', { contractorId: 'k1', date: '2026-09-30', price: 900, format: '1/24', category: 'Мода' }),
];
const dachaDeals = [
  deal('p3', { contractorId: 'k2', date: '2026-11-02', price: 1200.5, format: '1/48', category: 'Юмор' }),
];

const setUp = async ({ taken = true, loaded = true } = {}) => {
  const added: PlacementForm[] = [];
  const more: PlacementForm[] = [];
  const closed: true[] = [];
  let answer: (isTaken: boolean) => void = () => undefined;
  const staged = stage({
    element: (
      <AddPlacementDialog
        campaignId="c"
        now={() => stageNow}
        buyerId="u1"
        onAdd={(form) => added.push(form)}
        onAddMore={(form) => {
          more.push(form);
          return taken ? Promise.resolve(true) : new Promise((resolve) => (answer = resolve));
        }}
        onClose={() => closed.push(true)}
      />
    ),
    docs: {
      workspace: [
        ['user', doc('u1', { name: 'Анна', role: 'MEDIA_BUYER', isActive: true })],
        ['user', doc('u2', { name: 'Илья', role: 'MEDIA_BUYER', isActive: true })],
        contractor('k1', '@Kitchen_ads', 2),
        contractor('k2', '@dacha', 1),
        contractor('k3', '@fresh', 0),
      ],
      ...(loaded && { 'contractor:k1': kitchenDeals, 'contractor:k2': dachaDeals }),
    },
  });
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  const values = () => ['Цена, ₽', 'Формат', 'Тематика'].map((label) => field(label).value);
  const nick = await screen.findByLabelText<HTMLInputElement>('Ник контрагента');
  return { ...staged, added, more, closed, field, values, nick, refuse: () => answer(false) };
};

const emptied = emptyForm('2026-11-21');
const hints = () => screen.queryAllByText(/^как в прошлый раз/u).map(({ textContent }) => textContent);
const saidInDialog = () => document.querySelector('.z-form-added')?.textContent?.replaceAll('\u00a0', ' ');

describe('a new placement and the last deal', () => {
  it('ADD-2140 a nick typed in full or chosen brings price, format and topic of the last deal, saying of when', async () => {
    const { user, field, values, nick, held } = await setUp();
    await user.type(nick, 'kitchen_ad');
    expect([values(), hints(), held]).toEqual([['', '1/24', ''], [], []]);
    await user.type(nick, 's');
    expect(held).toEqual(['contractor:k1']);
    expect(values()).toEqual(['5400', '1/72', 'Кулинария']);
    expect(hints()).toEqual(Array.from({ length: 3 }, () => 'как в прошлый раз, 12.10.2026'));
    expect(document.getElementById(field('Цена, ₽').getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'как в прошлый раз, 12.10.2026',
    );
    await user.clear(nick);
    expect([values(), hints()]).toEqual([['', '1/24', ''], []]);
    await user.type(nick, 'dac');
    await user.keyboard('{ArrowDown}{Enter}');
    expect([nick.value, ...values()]).toEqual(['@dacha', '1200.5', '1/48', 'Юмор']);
    await user.clear(nick);
    await user.type(nick, '@fresh');
    expect([values(), hints()]).toEqual([['', '1/24', ''], []]);
    expect(held, 'nothing is asked for where there is no deal').toEqual(['contractor:k1', 'contractor:k2']);
  });

  it('ADD-2141 what the person typed is never overwritten, emptied fields too', async () => {
    const { user, field, values, nick, added } = await setUp();
    await user.type(field('Цена, ₽'), '7');
    await user.clear(field('Цена, ₽'));
    await user.selectOptions(field('Формат'), '1/48');
    await user.type(nick, 'kitchen_ads');
    expect([values(), hints().length]).toEqual([['', '1/48', 'Кулинария'], 1]);
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Добавить размещение' }));
    expect(added).toEqual([
      { ...emptied, buyerId: 'u1', contractor: 'kitchen_ads', format: '1/48', category: 'Кулинария' },
    ]);
  });

  it('ADD-2142 deals that come late fill what is untouched; where the keyboard is, what is typed takes their place', async () => {
    const { user, field, values, nick, bring } = await setUp({ loaded: false });
    await user.type(nick, 'kitchen_ads{Escape}');
    await user.selectOptions(field('Формат'), '1/48');
    await user.click(field('Цена, ₽'));
    expect(values()).toEqual(['', '1/48', '']);
    bring('contractor:k1', kitchenDeals);
    await waitFor(() => expect(values()).toEqual(['5400', '1/48', 'Кулинария']));
    await user.keyboard('61');
    expect(values()).toEqual(['61', '1/48', 'Кулинария']);
    bring('contractor:k1', [deal('p9', { contractorId: 'k1', date: '2026-11-20', price: 1, category: 'Мода' })]);
    expect(values(), 'a deal that comes meanwhile moves nothing').toEqual(['61', '1/48', 'Кулинария']);
  });

  it('ADD-2148 who saves before the deals are there saves with what they propose, and without them where they do not come', async () => {
    const { user, nick, bring, more, added } = await setUp({ loaded: false });
    await user.type(nick, 'kitchen_ads{Escape}{Control>}{Enter}{/Control}');
    expect(more).toEqual([]);
    bring('contractor:k1', kitchenDeals);
    await waitFor(() => expect(more.map(({ price, category }) => [price, category])).toEqual([['5400', 'Кулинария']]));
    await user.keyboard('dacha{Escape}');
    await user.click(screen.getByRole('button', { name: 'Добавить размещение' }));
    expect(added).toEqual([]);
    await waitFor(() => expect(added.map(({ price, category }) => [price, category])).toEqual([['', 'Кулинария']]));
  });

  it('ADD-2149 what was missing is no longer said to be once it is proposed', async () => {
    const { user, nick, bring, added } = await setUp({ loaded: false });
    await user.type(nick, 'kitchen_ads{Escape}');
    await user.click(screen.getByRole('button', { name: 'Добавить размещение' }));
    expect(await screen.findByText('Выберите тематику', { selector: '[role="alert"]' })).toBeDefined();
    bring('contractor:k1', kitchenDeals);
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(''));
    expect(added).toEqual([]);
  });

  it('ADD-2143 Escape in the nick closes the list alone, and what was typed is what is added', async () => {
    const { user, field, nick, more, closed } = await setUp();
    await user.type(field('Тематика'), 'Юмор');
    await user.type(nick, 'dach');
    expect(screen.getByRole('option', { name: '@dacha' })).toBeDefined();
    await user.keyboard('{Escape}');
    expect([nick.value, closed, screen.queryByRole('listbox')]).toEqual(['dach', [], null]);
    await user.tab();
    await user.tab({ shift: true });
    await user.keyboard('{ArrowDown}');
    expect([nick.value, screen.getByRole('option', { name: '@dacha' }).getAttribute('aria-selected')]).toEqual([
      'dach',
      'false',
    ]);
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(more.map(({ contractor: added }) => added)).toEqual(['dach']);
  });
});

describe('a contractor on a list', () => {
  it('VRD-2151 is told of under the nick with the reason, of whichever contractor it is, and is bought from all the same', async () => {
    const { user, nick, bring, more, field } = await setUp();
    const judged = ([kind, known]: ReturnType<typeof contractor>, verdict: ContractorWire['verdict']) =>
      [kind, doc(known.id, { ...known, verdict })] as const;
    bring('workspace', [
      judged(contractor('k2', '@dacha', 1), { list: 'black', reason: 'Не вернул предоплату' }),
      judged(contractor('k3', '@fresh', 0), { list: 'white', reason: 'Быстро' }),
    ]);
    const told = () => document.querySelector('.z-verdict')?.textContent;
    await user.type(nick, 'dach');
    expect(told()).toBeUndefined();
    await user.type(nick, 'a');
    expect(told()).toBe('Чёрный список Не вернул предоплату');
    expect(toastStore.announced()?.text).toBe('Чёрный список Не вернул предоплату');
    await user.keyboard('{Escape}{Control>}{Enter}{/Control}');
    expect([more.length, told()]).toEqual([1, undefined]);
    await user.type(field('Ник контрагента'), 'fresh');
    expect(told()).toBe('Белый список Быстро');
  });
});

describe('one placement after another', () => {
  it('ADD-2144 «Добавить ещё» keeps day, buyer, format and topic, empties the rest, says what it added and goes to the nick', async () => {
    const { user, field, values, nick, more, added } = await setUp();
    await user.clear(field('Дата'));
    await user.type(field('Дата'), '19.11.2026');
    await user.selectOptions(field('Байер'), 'u2');
    await user.type(nick, 'somebody');
    await user.type(field('Цена, ₽'), '5400');
    await user.type(field('Тематика'), 'Юмор');
    await user.type(field('Комментарий'), 'Первая');
    await user.type(field('Ссылка на пост'), 't.me/some/17');
    await user.click(screen.getByLabelText('Оплачено'));
    await user.click(screen.getByRole('button', { name: /^Добавить ещё/u }));
    const first = { ...emptied, date: '2026-11-19', buyerId: 'u2', category: 'Юмор' };
    expect(more).toEqual([
      {
        ...first,
        contractor: 'somebody',
        price: '5400',
        paymentStatus: 'paid',
        comment: 'Первая',
        postUrl: 't.me/some/17',
      },
    ]);
    expect(saidInDialog()).toBe('Добавлено: @somebody, 5 400 ₽');
    expect(toastStore.announced()?.text.replaceAll('\u00a0', ' ')).toBe('Добавлено: @somebody, 5 400 ₽');
    expect(document.activeElement).toBe(field('Ник контрагента'));
    expect(field('Дата').value).toBe('19.11.2026');
    expect(values()).toEqual(['', '1/24', 'Юмор']);
    await user.keyboard('next_one{Control>}{Enter}{/Control}');
    await user.keyboard('last_one{Meta>}{Enter}{/Meta}');
    expect(more.slice(1)).toEqual([
      { ...first, contractor: 'next_one' },
      { ...first, contractor: 'last_one' },
    ]);
    await user.keyboard('the_end{Enter}');
    await user.click(screen.getByRole('button', { name: 'Добавить размещение' }));
    expect(added).toEqual([{ ...first, contractor: 'the_end' }]);
  });

  it('ADD-2145 the next one takes the deal of its own contractor, except in what the person typed for the one before', async () => {
    const { user, field, values, more } = await setUp();
    await user.type(field('Тематика'), 'Мода');
    await user.type(field('Ник контрагента'), 'kitchen_ads{Control>}{Enter}{/Control}');
    expect(values()).toEqual(['', '1/72', 'Мода']);
    await user.keyboard('dacha');
    expect([values(), hints().length]).toEqual([['1200.5', '1/48', 'Мода'], 2]);
    await user.keyboard('{Control>}{Enter}{/Control}');
    await user.keyboard('dacha');
    expect(values()).toEqual(['1200.5', '1/48', 'Мода']);
    expect(more.map(({ price, format, category }) => [price, format, category])).toEqual([
      ['5400', '1/72', 'Мода'],
      ['1200.5', '1/48', 'Мода'],
    ]);
  });

  it('ADD-2146 nothing is asked at closing after one was added, and what is typed for the next is', async () => {
    const { user, closed } = await setUp();
    const type = async (text: string) => user.type(screen.getByLabelText('Ник контрагента'), text);
    await type('kitchen_ads{Control>}{Enter}{/Control}');
    await user.keyboard('{Escape}');
    expect([closed, screen.queryByRole('alertdialog')]).toEqual([[true], null]);
    await type('x');
    await user.keyboard('{Escape}');
    expect([closed.length, screen.getByRole('alertdialog').textContent]).toEqual([
      1,
      expect.stringContaining('Закрыть без сохранения?'),
    ]);
  });

  it('ADD-2147 a wrong form stays and says why; one that is refused is no longer told as added', async () => {
    const { user, more, refuse, field } = await setUp({ taken: false });
    await user.type(field('Ник контрагента'), 'somebody{Control>}{Enter}{/Control}');
    expect([more, screen.getByRole('alert').textContent, saidInDialog()]).toEqual([[], 'Выберите тематику', undefined]);
    await waitFor(() => expect(document.activeElement).toBe(field('Тематика')));
    await user.type(field('Тематика'), 'Юмор');
    await user.dblClick(screen.getByRole('button', { name: /^Добавить ещё/u }));
    expect([more.length, screen.getByRole('alert').textContent]).toEqual([1, '']);
    expect(saidInDialog()).toContain('@somebody');
    refuse();
    await waitFor(() => expect(saidInDialog()).toBeUndefined());
  });
});

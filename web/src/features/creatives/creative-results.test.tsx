import { screen, waitFor, within } from '@testing-library/react';
import type { CreativeWire } from '@zakup/contracts/wire-entities';
import { nbsp } from '@zakup/domain/russian';
import { Route, Routes } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { unexplained } from '../../shared/testing/figures.ts';
import { type Answer, stage, type StageOptions } from '../../shared/testing/stage.tsx';
import { CreativePage } from './creative-page.tsx';
import { CreativesPage } from './creatives-page.tsx';
import type { CreativeResults } from './use-creative-results.ts';
import { placementDocument } from '../../shared/testing/placement-document.ts';

const stamp = { revision: 3, createdAt: '2026-11-01T09:00:00.000Z', updatedAt: '2026-11-01T09:00:00.000Z' };
const none = { spent: 0, leads: 0, placements: 0, averageCostPerLead: 0 };

const creative = (id: string, name: string, over: Partial<CreativeWire> = {}): CreativeWire => ({
  ...stamp,
  id,
  name,
  abbreviation: '',
  type: 'TEXT_WITH_IMAGE',
  notes: '',
  isActive: true,
  ...over,
});
const results: NonNullable<CreativeWire['results']> = {
  spent: 1_254_000,
  leads: 10_000,
  placements: 12,
  averageCostPerLead: 125.4,
  efficiency: 'Хорошо',
  sizes: [
    { size: 'large', spent: 1_200_000, leads: 8_000, placements: 8, averageCostPerLead: 150 },
    { size: 'medium', spent: 54_000, leads: 2_000, placements: 4, averageCostPerLead: 27 },
    { size: 'small', ...none },
  ],
};
const soup = creative('soup', 'Суп, который просят дети', { results });
const fresh = creative('fresh', 'Осенний ужин', {
  results: { ...none, efficiency: 'Отлично', sizes: results.sizes.map(({ size }) => ({ size, ...none })) },
});
const unknown = creative('unknown', 'Пирог на кефире');
const november = { ...stamp, id: 'k', name: 'Ноябрь | Подписчики', channelId: 'food', status: 'ACTIVE' };
const placement = placementDocument({
  ...stamp,
  campaignId: 'k',
  contractorId: 'c',
  creativeId: 'soup',
  price: 54_000,
  leads: 2_000,
  costPerLead: 27,
  paymentStatus: 'paid',
});
const workspace: NonNullable<StageOptions['docs']>[string] = [
  ['campaign', november],
  ['user', { id: 'anna', revision: 0, name: 'Анна Соколова', role: 'MEDIA_BUYER', isActive: true } as never],
  ...[soup, fresh, unknown].map((one) => ['creative', one] as const),
];

const { sizes, ...total } = results;
const answer: CreativeResults = {
  creative: soup,
  total: { ...total, conversionRate: 0, roi: 0 },
  sizes: sizes.map((line) => ({ ...line, label: line.size })),
  byCampaign: [{ ...total, campaignId: 'k', campaignName: 'Ноябрь - Подписчики', channelId: 'food', status: 'ACTIVE' }],
  lastPlacements: [{ ...placement, campaignName: 'Ноябрь - Подписчики' }],
};

const read = (element: Element): string => (element.textContent ?? '').replaceAll(nbsp, ' ');

const shown = (address: string, answered: () => Answer = () => ({ data: answer })) =>
  stage({
    address,
    docs: { workspace },
    serve: ({ path }) => (path.endsWith('/results') ? answered() : 'no answer'),
    element: (
      <Routes>
        <Route path="/creatives" element={<CreativesPage />} />
        <Route path="/creatives/:id" element={<CreativePage />} />
      </Routes>
    ),
  });

describe('what creatives brought', () => {
  it('CRV-1100 the list shows spend, leads, CPL, class and the three sizes, the dearest first, each with its reason', async () => {
    shown('/creatives');
    const table = within(await screen.findByRole('table', { name: 'Креативы' }));
    const [, first = document.body, second = document.body, third = document.body] = table.getAllByRole('row');
    const cells = (row: HTMLElement): readonly string[] => within(row).getAllByRole('cell').map(read);
    expect(read(within(first).getByRole('rowheader'))).toContain('Суп, который просят дети');
    expect(cells(first).slice(0, 7)).toEqual([
      '1 254 000 ₽',
      '10 000',
      '125,40 ₽ ◆средний CPL',
      'Хорошо',
      '150,00 ₽ ◆средний CPL8 разм.',
      '27,00 ₽ ▼низкий CPL4 разм.',
      '—',
    ]);
    // Before the first lead the class follows its formula, and has no colour.
    expect(cells(second).slice(0, 4)).toEqual(['0 ₽', '0', '—', 'Отлично']);
    expect(within(second).getByText('Отлично').className).toBe('z-quiet');
    expect(cells(third).slice(0, 7)).toEqual(Array.from({ length: 7 }, () => '…'));
    expect(unexplained(table.getAllByRole('rowgroup')[1] ?? document)).toEqual([]);
  });

  it('CRV-1101 a heading sorts the list, and what has no figure stands last either way', async () => {
    const { user } = shown('/creatives');
    const table = within(await screen.findByRole('table', { name: 'Креативы' }));
    const names = (): readonly string[] => table.getAllByRole('link').map(read);
    await user.click(table.getByRole('button', { name: 'Креатив' }));
    expect(names()).toEqual(['Осенний ужин', 'Пирог на кефире', 'Суп, который просят дети']);
    await user.click(table.getByRole('button', { name: 'CPL' }));
    expect(names()[0]).toBe('Суп, который просят дети');
    await user.click(table.getByRole('button', { name: 'CPL' }));
    expect(names()[0]).toBe('Суп, который просят дети');
  });

  it('CRV-1102 a name leads to the page: totals, class, sizes, campaigns, newest placements, each with its reason', async () => {
    const { user, calls } = shown('/creatives');
    await user.click(await screen.findByRole('link', { name: 'Суп, который просят дети' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Суп, который просят дети' })).toBeTruthy();
    const bySize = await screen.findByRole('table', { name: 'По размеру каналов' });
    expect(within(bySize).getAllByRole('row').slice(1).map(read)).toEqual([
      'Крупные81 200 000 ₽8 000150,00 ₽ ◆средний CPL',
      'Средние454 000 ₽2 00027,00 ₽ ▼низкий CPL',
      'Небольшие00 ₽0—',
    ]);
    expect(within(bySize).getByTitle('Крупные каналы: дороже 5 000 ₽')).toBeTruthy();
    expect(read(screen.getByRole('table', { name: 'По кампаниям' }))).toContain('Ноябрь - Подписчики');
    expect(read(screen.getByRole('table', { name: 'Последние размещения' }))).toContain('Анна Соколова54 000 ₽2 000');
    expect(screen.getByText('Хорошо')).toBeTruthy();
    expect(unexplained(document.body)).toEqual([]);
    expect(calls.map(({ path }) => path)).toEqual(['/api/creatives/soup/results']);
  });

  it('CRV-1103 the page asks anew when what the creative brought has moved', async () => {
    let served = answer;
    const { bring, calls } = shown('/creatives/soup', () => ({ data: served }));
    await screen.findByRole('table', { name: 'По кампаниям' });
    served = { ...answer, total: { ...answer.total, spent: 1_255_000 } };
    const moved: CreativeWire = { ...soup, results: { ...results, spent: 1_255_000 } };
    bring('workspace', [['creative', moved]]);
    await waitFor(() => expect(read(screen.getByLabelText('Итоги по креативу'))).toContain('1 255 000 ₽'));
    expect(calls).toHaveLength(2);
  });

  it('CRV-1104 without an answer the totals are there all the same, and the rest says why it is not', async () => {
    shown('/creatives/soup', () => 'no answer');
    expect(await screen.findByRole('button', { name: 'Повторить' })).toBeTruthy();
    expect(read(screen.getByLabelText('Итоги по креативу'))).toContain('1 254 000 ₽');
  });

  it('CRV-1105 an address of no creative says so and leads to the list; one that was never placed says that', async () => {
    const { user } = shown('/creatives/none', () => 'no answer');
    expect(await screen.findByRole('heading', { name: 'Такого креатива нет' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'К креативам' }));
    await user.click(await screen.findByRole('link', { name: 'Осенний ужин' }));
    expect(await screen.findByRole('heading', { name: 'Размещений с ним ещё не было' })).toBeTruthy();
  });

  it('CRV-1106 a figure of one size is asked for with that size', async () => {
    const { user, calls } = shown('/creatives/soup');
    const bySize = await screen.findByRole('table', { name: 'По размеру каналов' });
    await user.click(within(bySize).getByTitle(/^Приход, Крупные каналы/u));
    await waitFor(() => expect(calls).toHaveLength(2));
    const asked = new URL(calls[1]?.path ?? '', 'http://zakup');
    expect([asked.pathname, asked.searchParams.get('figure'), asked.searchParams.get('size')]).toEqual([
      '/api/creatives/soup/lineage',
      'leads',
      'large',
    ]);
  });
});

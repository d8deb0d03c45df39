import { screen, waitFor, within } from '@testing-library/react';
import type { HistoryEntry } from '@zakup/contracts/history';
import { describe, expect, test } from 'vitest';
import { type Answer, type Call, person, stage } from '../testing/stage.tsx';
import { Figure } from './figure.tsx';
import { type CountedLine, type LeftOutLine, type LineageData, movedBy } from './lineage.ts';
import { movedText, movedWhen } from './moved-text.ts';

const plain = (text: string | null | undefined): string => (text ?? '').replaceAll('\u00a0', ' ');

const line = (placementId: string, more: Partial<CountedLine> = {}): CountedLine => ({
  placementId,
  campaignId: 'k1',
  contractorId: 'c1',
  buyerId: 'u1',
  date: '2026-11-02',
  price: 9900,
  leads: 118,
  costPerLead: 83.9,
  amount: null,
  ...more,
});

const left = (placementId: string, more: Partial<LeftOutLine> = {}): LeftOutLine => ({
  placementId,
  campaignId: 'k1',
  contractorId: 'c1',
  buyerId: 'u1',
  date: null,
  price: null,
  leads: null,
  costPerLead: null,
  name: null,
  reason: '',
  at: null,
  ...more,
});

const added: HistoryEntry = {
  position: 18_204,
  revision: 0,
  at: '2026-11-21T10:58:00.000Z',
  actor: { userId: 'u1', name: 'Илья Кравцов' },
  commandId: '00000000-0000-4000-8000-000000000001',
  source: 'screen',
  reason: null,
  causedBy: null,
  event: 'PlacementAdded',
  entity: { kind: 'placement', id: 'p2', name: '@recepty24' },
  campaign: { id: 'k1', name: 'Ноябрь' },
  changes: [
    { field: 'campaignId', from: null, to: 'k1' },
    { field: 'price', from: null, to: 10_600 },
  ],
};

const lineage: LineageData = {
  figure: 'earnings',
  title: 'Заработок',
  unit: 'money',
  value: 2460,
  shown: '2 460 ₽',
  formula: '',
  terms: [{ name: 'Условия', shown: '12% за результат до 100 ₽', source: 'участие в кампании' }],
  counted: {
    total: 2,
    price: 20_500,
    leads: 118,
    lines: [line('p1', { amount: 1188 }), line('p2', { price: 10_600, leads: 0, amount: 1272 })],
    next: null,
  },
  leftOut: {
    total: 2,
    there: 1,
    gone: 1,
    price: 3900,
    leads: 17,
    lines: [
      left('p3', { date: '2026-11-06', price: 3900, leads: 17, reason: 'CPL выше 100 ₽: 3 900 ₽ за 17 лидов' }),
      left('p4', { name: '@gone', reason: 'Размещение удалено', at: '2026-11-20T09:00:00.000Z', contractorId: null }),
    ],
    next: null,
  },
  moved: [added],
  historyComplete: true,
};

const about = { of: 'campaign', id: 'k1', figure: 'earnings', userId: 'u1' } as const;

const staged = (serve: (call: Call) => Answer, me = person('me')) =>
  stage({
    me,
    serve,
    docs: {
      workspace: [['contractor', { id: 'c1', adminUsername: '@kitchen_ads' } as never]],
      'campaign:k1': [
        ['placement', { id: 'p3', contractorId: 'c1', date: '2026-11-06', price: 3900, leads: 17 } as never],
        ['earnings', { id: 'k1:u1', zeroLeads: { count: 1, price: 10_600 } } as never],
      ],
    },
    element: (
      <Figure label="Заработок, Илья" formula="12 % × 20 500 ₽" about={about}>
        2 460,00 ₽
      </Figure>
    ),
  });

const opened = async (user: ReturnType<typeof stage>['user']): Promise<HTMLElement> => {
  await user.click(await screen.findByTitle(/почему эта цифра/u));
  return screen.findByRole('dialog', { name: 'Почему эта цифра?' });
};

describe('why a figure is what it is', () => {
  test('WHY-1 the calculation is there at once, then terms, what counts, what does not and why, and who moved it', async () => {
    const { user, calls } = staged(() => ({ data: lineage }));
    const why = await opened(user);
    expect(plain(why.textContent)).toContain('12 % × 20 500 ₽');
    const counted = await within(why).findByRole('table', { name: 'Засчитанные размещения' });
    expect(calls.map(({ path }) => path)).toEqual(['/api/campaigns/k1/lineage?figure=earnings&userId=u1&pageSize=12']);
    const told = plain(why.textContent);
    expect(told).toContain('Условия: 12% за результат до 100 ₽ – участие в кампании');
    expect(told).toContain('Засчитано 220 500,00 ₽');
    expect(plain(counted.textContent)).toContain('2 нояб.@kitchen_ads9 900 ₽11883,90 ₽ ▼+1 188,00 ₽');
    expect(plain(counted.textContent)).toContain('+1 272,00 ₽, лидов пока нет');
    const leftOut = plain(within(why).getByRole('table', { name: 'Не засчитанные размещения' }).textContent);
    expect(leftOut).toContain('6 нояб.@kitchen_ads3 900 ₽17229,41 ₽ ▲CPL выше 100 ₽: 3 900 ₽ за 17 лидов');
    const gone = plain(within(why).getByRole('table', { name: 'Удалённые и переданные размещения' }).textContent);
    expect(gone).toContain('@goneРазмещение удалено 20 ноября, 12:00');
    expect(told).toContain('Не засчитано 13 900,00 ₽');
    expect(told).toContain('Больше не входят 1');
    expect(told).toContain('Без лидов засчитано: 1 на 10 600 ₽');
    expect(told).toContain('Илья Кравцов: добавлено @recepty24 за 10 600 ₽ +1 272 ₽');
    expect(within(why).getByRole('link', { name: 'Показать в журнале' }).getAttribute('href')).toBe(
      '/journal?campaign=k1',
    );
  });

  test('WHY-2 Escape closes it and the keyboard is back at the figure', async () => {
    const { user } = staged(() => ({ data: lineage }));
    const why = await opened(user);
    await within(why).findByRole('table', { name: 'Засчитанные размещения' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(screen.getByTitle(/почему эта цифра/u));
    await user.keyboard('{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Закрыть' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('WHY-3 without a line the calculation stays, and what is missing is asked for again', async () => {
    let answer: Answer = 'no answer';
    const { user } = staged(() => answer);
    const why = await opened(user);
    expect((await within(why).findByRole('alert')).textContent).toContain('Нет связи');
    expect(plain(why.textContent)).toContain('12 % × 20 500 ₽');
    answer = { data: lineage };
    await user.click(within(why).getByRole('button', { name: 'Повторить' }));
    expect(await within(why).findByRole('table', { name: 'Засчитанные размещения' })).toBeDefined();
  });

  test('WHY-4 more lines of each list come when asked for, of the moment of the first ones', async () => {
    const all = Array.from({ length: 14 }, (_, index) => line(`p${index}`));
    const others = Array.from({ length: 30 }, (_, index) =>
      left(`l${index}`, { date: '2026-11-01', price: 10, leads: 0, reason: 'Лидов пока нет' }),
    );
    const part = (cursor: string | null) => ({
      ...lineage,
      counted: {
        ...lineage.counted,
        total: 14,
        lines: cursor === null ? all.slice(0, 12) : cursor === 'counted-7-12' ? all.slice(12) : [],
        next: cursor === null ? 'counted-7-12' : null,
      },
      leftOut: {
        ...lineage.leftOut,
        total: 30,
        there: 30,
        gone: 0,
        lines:
          cursor === null
            ? others.slice(0, 12)
            : cursor.startsWith('leftOut')
              ? others.slice(Number(cursor.split('-')[2]), Number(cursor.split('-')[2]) + 12)
              : [],
        next: cursor === null ? 'leftOut-7-12' : cursor === 'leftOut-7-12' ? 'leftOut-7-24' : null,
      },
    });
    const { user, calls } = staged(({ path }) => ({ data: part(/cursor=([^&]*)/u.exec(path)?.[1] ?? null) }));
    const why = await opened(user);
    const rows = (name: string): number => within(why).getByRole('table', { name }).querySelectorAll('tr').length;
    await user.click(await within(why).findByRole('button', { name: 'Показать ещё, осталось 2' }));
    await waitFor(() => expect(rows('Засчитанные размещения')).toBe(14));
    expect(rows('Не засчитанные размещения')).toBe(12);
    await user.click(within(why).getByRole('button', { name: 'Показать ещё, осталось 18' }));
    await user.click(await within(why).findByRole('button', { name: 'Показать ещё, осталось 6' }));
    await waitFor(() => expect(rows('Не засчитанные размещения')).toBe(30));
    expect(within(why).queryByRole('button', { name: /Показать ещё/u })).toBeNull();
    expect(calls.map(({ path }) => /cursor=([^&]*)/u.exec(path)?.[1])).toEqual([
      undefined,
      'counted-7-12',
      'leftOut-7-12',
      'leftOut-7-24',
    ]);
  });

  test('WHY-5 an event says who, what and by how much', () => {
    const changed = (field: string, from: number, to: number): HistoryEntry => ({
      ...added,
      revision: 3,
      changes: [{ field, from, to }],
    });
    const counted = [line('p2', { amount: 1272 })];
    expect(movedBy('spent', added, counted)).toBe(10_600);
    expect(movedBy('earnings', added, counted)).toBe(1272);
    expect(movedBy('spent', changed('price', 5000, 4400), counted)).toBe(-600);
    expect(movedBy('leads', changed('leads', 0, 7), counted)).toBe(7);
    expect(movedBy('cpl', changed('leads', 0, 7), counted)).toBeNull();
    expect(plain(movedText(changed('price', 5000, 4400)))).toBe('Илья Кравцов: @recepty24, цена 5 000 ₽ → 4 400 ₽');
    expect(movedText({ ...added, revision: 4, changes: [{ field: 'deleted', from: false, to: true }] })).toBe(
      'Илья Кравцов: @recepty24, удалено',
    );
    const now = Date.parse('2026-11-21T12:00:00.000Z');
    expect([movedWhen(added.at, now), movedWhen('2026-11-20T22:30:00.000Z', now)]).toEqual([
      'Сегодня 13:58',
      'Сегодня 01:30',
    ]);
    expect(movedWhen('2026-11-20T20:30:00.000Z', now)).toBe('20 ноября 23:30');
  });
});

import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Conflict } from '@zakup/contracts/problems';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agoText, ConflictNote } from './cell-notes.tsx';

const names = {
  contractors: new Map(),
  creatives: new Map(),
  users: new Map([
    ['anna', { name: 'Анна Соколова' }],
    ['ilya', { name: 'Илья Кравцов' }],
    ['olga', { name: 'Ольга Демидова' }],
  ]),
} as never;
const shown = (over: Partial<Conflict>) => {
  const chosen: string[] = [];
  const choose = (what: string) => (id: string) => void chosen.push(`${what} ${id}`);
  render(
    <p aria-label="Спор">
      <ConflictNote
        entryId="e1"
        names={names}
        outbox={{
          keepMine: choose('keep'),
          takeTheirs: choose('take'),
          dismiss: choose('dismiss'),
          tryAgain: choose('again'),
          flush: () => undefined,
        }}
        conflict={{
          field: 'buyerId',
          base: 'anna',
          theirs: 'ilya',
          mine: 'olga',
          by: { userId: 'anna', name: 'Анна Соколова' },
          at: new Date(Date.now() - 5 * 60_000).toISOString(),
          ...over,
        }}
      />
    </p>,
  );
  return { text: screen.getByLabelText('Спор').textContent ?? '', chosen };
};

/** When all of it is read: how long ago something was does not depend on how long the test takes. */
const readAt = Date.parse('2026-11-21T11:00:00.000Z');

const lastOf = (text: string): string => text.replaceAll('\u00a0', ' ').split('Оставить')[0] ?? '';

describe('what is said at a cell', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: readAt }));
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it('WLO-40 of a conflict: who set what and when, what it was and what is one’s own, all as a person reads it', async () => {
    const { text, chosen } = shown({});
    expect(text).toContain('Анна Соколова поставила: Илья Кравцов (5 мин назад)');
    expect(text).toContain('У вас Ольга Демидова, раньше было Анна Соколова');
    await userEvent.click(screen.getByRole('button', { name: 'Оставить моё' }));
    await userEvent.click(screen.getByRole('button', { name: 'Взять новое' }));
    expect(chosen).toEqual(['keep e1', 'take e1']);
  });

  it('WLO-41 where nobody knows who or what it was, nothing is made up', () => {
    const { text } = shown({ field: 'leads', base: undefined, theirs: 12, mine: 15, by: { userId: '', name: '' } });
    expect(text).toContain('Другой сотрудник поставил 12 5 мин назад');
    expect(text).toContain('У вас 15');
    expect(text).not.toContain('было');
  });

  it('WLO-42 how long ago, and from a day on the moment', () => {
    const said = ['2026-11-21T10:59:59.500Z', '2026-11-21T10:59:58Z', '2026-11-21T10:55:00Z', '2026-11-20T09:00:00Z'];
    expect(said.map((at) => agoText(at, readAt))).toEqual([
      'только что',
      '2 с назад',
      '5 мин назад',
      '20 ноября, 12:00',
    ]);
  });

  const price = { field: 'price', base: 5000, theirs: 5200, mine: 5400.5 } as const;
  const ago = (ms: number) => new Date(readAt - ms).toISOString();
  const by = (name: string) => ({ userId: 'x', name });

  it.each([
    [{ ...price, by: by('Анна Соколова'), at: ago(2500) }, 'Анна Соколова поставила 5 200 ₽ 2 с назад'],
    [{ ...price, theirs: 5200.5, by: by('Илья Кравцов'), at: ago(0) }, 'Илья Кравцов поставил 5 200,50 ₽ только что'],
    [{ ...price, by: by('Саша Ким'), at: ago(0) }, 'Саша Ким, только что: 5 200 ₽'],
    [
      { ...price, by: by('Анна Соколова'), at: '2026-01-20T09:00:00Z' },
      'Анна Соколова поставила 5 200 ₽ (20 января, 12:00)',
    ],
    [
      { field: 'date', base: '2026-11-20', theirs: '2026-11-21', mine: '2026-11-22', by: by('Илья Кравцов') },
      'Илья Кравцов поставил 21 ноября (5 мин назад)',
    ],
    [
      { field: 'creativeId', base: 'c1', theirs: 'NO_CREATIVE', mine: 'c2', by: by('Мария Белова') },
      'Мария Белова поставила: Без креатива (5 мин назад)',
    ],
    [{ field: 'category', base: 'Мемы', theirs: '', mine: 'Юмор', by: by('Анна Соколова') }, 'очистила поле (5 мин'],
    [{ field: 'deleted', base: false, theirs: true, mine: 1, by: by('Анна Соколова') }, '5 мин назад: удалено'],
  ])('WLO-1121 who, what and when of a conflict are one sentence: %#', (over, sentence) => {
    expect(lastOf(shown(over).text)).toContain(sentence);
  });

  it('WLO-1122 what it was never stands beside the time, where «только что было» would be read', () => {
    const text = lastOf(shown({ ...price, by: by('Анна Соколова'), at: ago(0) }).text);
    expect(text).toContain('только чтоУ вас 5 400,50 ₽, раньше было 5 000 ₽');
    expect(text).not.toMatch(/(?:только что|назад|\))\s*было/u);
  });

  it('WLO-1123 one choice for several fields names the others', () => {
    render(
      <p aria-label="Спор">
        <ConflictNote
          entryId="e1"
          names={names}
          outbox={{} as never}
          others={['leads', 'creativeId']}
          conflict={{ ...price, by: by('Анна Соколова'), at: ago(0) }}
        />
      </p>,
    );
    expect(screen.getByLabelText('Спор').textContent).toContain('Выбор сразу и для других полей: Приход, Креатив');
  });
});

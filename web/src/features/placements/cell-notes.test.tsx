import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Conflict } from '@zakup/contracts/problems';
import { describe, expect, it } from 'vitest';
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

describe('what is said at a cell', () => {
  it('WLO-40 of a conflict: who set what and when, what it was and what is one’s own, all as a person reads it', async () => {
    const { text, chosen } = shown({});
    expect(text).toContain('Анна Соколова: Илья Кравцов 5 мин назад');
    expect(text).toContain('было Анна Соколова, у вас Ольга Демидова');
    await userEvent.click(screen.getByRole('button', { name: 'Оставить моё' }));
    await userEvent.click(screen.getByRole('button', { name: 'Взять новое' }));
    expect(chosen).toEqual(['keep e1', 'take e1']);
  });

  it('WLO-41 where nobody knows who or what it was, nothing is made up', () => {
    const { text } = shown({ field: 'leads', base: undefined, theirs: 12, mine: 15, by: { userId: '', name: '' } });
    expect(text).toContain('Другой сотрудник: 12');
    expect(text).toContain('у вас 15');
    expect(text).not.toContain('было');
  });

  it('WLO-42 how long ago, and from a day on the moment', () => {
    const now = Date.parse('2026-11-21T11:00:00.000Z');
    const said = ['2026-11-21T10:59:59.500Z', '2026-11-21T10:59:58Z', '2026-11-21T10:55:00Z', '2026-11-20T09:00:00Z'];
    expect(said.map((at) => agoText(at, now))).toEqual(['только что', '2 с назад', '5 мин назад', '20 ноября, 12:00']);
  });
});

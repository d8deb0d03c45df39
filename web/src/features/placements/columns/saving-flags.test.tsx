import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { describe, expect, it } from 'vitest';
import type { Entry, EntryState } from '../../../shared/outbox/entry.ts';
import { markOf } from './cell-notes.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';
import { withSavingFlags } from './saving-flags.tsx';

const names = { contractors: new Map(), creatives: new Map(), users: new Map() } as never;
const entry = (state: EntryState, body: Entry['body'] = { price: 5400 }): Entry => ({
  id: 'e1',
  target: { kind: 'placement', id: 'p1' },
  method: 'PATCH',
  path: '/api/placements/p1',
  body,
  baseRevision: 1,
  label: 'Цена: 5 400 ₽',
  scope: 'campaign:c',
  order: 1,
  issuedAt: 0,
  attempted: true,
  state,
});
const row = (...entries: readonly Entry[]): PlacementRow => {
  const placement = { id: 'p1', price: 1000 } as PlacementWire;
  return {
    id: 'p1',
    kind: 'stored',
    placement,
    stored: placement,
    decided: placement,
    counted: true,
    typed: {},
    idle: new Set(),
    nick: '@kitchen_ads',
    buyerName: '',
    creativeName: '',
    entries,
    leaving: false,
  };
};
const held: EntryState = { kind: 'pending', held: true };
const rejected: EntryState = { kind: 'rejected', code: 'CAMPAIGN_COMPLETED', reason: 'Кампания завершена' };

/** What stands in the price and in the leads of a row, and in the note of its price. */
const shown = (one: PlacementRow) => {
  const asked: string[] = [];
  const ask = (what: string) => (id?: string) => void asked.push(id === undefined ? what : `${what} ${id}`);
  const outbox = {
    keepMine: ask('keep'),
    takeTheirs: ask('take'),
    dismiss: ask('dismiss'),
    tryAgain: ask('again'),
    flush: ask('flush'),
  };
  const columns = withSavingFlags(
    ['price', 'leads'].map((id) => ({ id, header: id, width: 1, value: () => null, cell: () => 'значение' })),
  );
  const mark = markOf(one, 'price', names, outbox);
  render(
    <>
      {columns.map((column) => (
        <p key={column.id} aria-label={column.id}>
          {column.cell(one)}
        </p>
      ))}
      <div aria-label="note">{mark?.note}</div>
    </>,
  );
  const textOf = (label: string): string => screen.getByLabelText(label).textContent ?? '';
  return { asked, kind: mark?.kind, price: textOf('price'), leads: textOf('leads'), note: textOf('note') };
};

describe('a value that the server does not have', () => {
  it('UNS-1 under way is marked and nothing is said', () => {
    const { kind, price, note } = shown(row(entry({ kind: 'pending' })));
    expect([kind, price, note]).toEqual(['pending', 'значение', '']);
  });

  it('UNS-2 could not be sent: «не сохранено» at its cell alone, with what it is and a way to try now', async () => {
    const { asked, kind, price, leads, note } = shown(row(entry(held)));
    expect([kind, price, leads]).toEqual(['unsaved', 'значениене сохранено', 'значение']);
    expect(note).toContain('Не сохранено: Цена: 5 400 ₽. Отправим сами');
    await userEvent.click(screen.getByRole('button', { name: 'Повторить' }));
    expect(asked).toEqual(['flush']);
  });

  it('UNS-3 was refused: «отклонено» at its cell, with the reason, to be tried again or put away', async () => {
    const { asked, kind, price, note } = shown(row(entry(rejected)));
    expect([kind, price]).toEqual(['rejected', 'значениеотклонено']);
    expect(note).toContain('Отклонено: Цена: 5 400 ₽. Кампания завершена');
    await userEvent.click(screen.getByRole('button', { name: 'Повторить' }));
    await userEvent.click(screen.getByRole('button', { name: 'Убрать' }));
    expect(asked).toEqual(['again e1', 'dismiss e1']);
  });

  it('UNS-4 the latest of a field counts, and what is saved says nothing', () => {
    const { kind, price, leads } = shown(
      row(entry(rejected), entry(held, { leads: 3 }), entry({ kind: 'acknowledged', position: 9, revision: 2 })),
    );
    expect([kind, price, leads]).toEqual(['pending', 'значение', 'значениене сохранено']);
  });

  it('UNS-5 what changes nothing of what is there is not marked, unless it could not be sent', () => {
    const kindOf = (state: EntryState): string | undefined =>
      markOf({ ...row(entry(state)), idle: new Set(['e1']) }, 'price', names, {} as never)?.kind;
    expect(kindOf({ kind: 'pending' })).toBeUndefined();
    expect(kindOf({ kind: 'acknowledged', position: 9, revision: 2 })).toBeUndefined();
    expect([kindOf(held), kindOf(rejected)]).toEqual(['unsaved', 'rejected']);
  });
});

import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { kopecks } from '@zakup/domain/money';
import { describe, expect, it } from 'vitest';
import { againstLast, boughtByAnother, daysAgo, isLately } from './deal-labels.ts';

const text = (last: number, entered: number | null): string | undefined =>
  againstLast(kopecks(last), entered === null ? null : kopecks(entered))?.text.replaceAll('\u00a0', ' ');

describe('words about what was bought of a contractor', () => {
  it('WLO-20 a day is told from today on', () => {
    const said = ['2026-11-21', '2026-11-20', '2026-11-19', '2026-11-10', '2026-10-31', '2026-12-01'].map((day) =>
      daysAgo(day, '2026-11-21'),
    );
    expect(said).toEqual(['сегодня', 'вчера', '2 дня назад', '11 дней назад', '21 день назад', 'на 1 декабря']);
  });

  it('WLO-21 the entered price stands to the last one in percent; nothing entered is compared with nothing', () => {
    expect(text(100_00, 110_00)).toBe('ваша выше на 10 %');
    expect(text(300_00, 200_00)).toBe('ваша ниже на 33,3 %');
    expect(text(100_000_00, 100_000_01)).toBe('ваша выше на меньше чем 0,1 %');
    expect(text(100_00, 100_00)).toBe('ваша такая же');
    expect(text(0, 5_00)).toBe('прошлая была бесплатной');
    expect([text(100_00, null), text(100_00, 0)]).toEqual([undefined, undefined]);
  });

  it('WLO-22 the last one who bought is somebody else than the chosen buyer', () => {
    const bought = (id: string, buyerId: string): PlacementWire => ({ id, buyerId }) as PlacementWire;
    const sorted = [bought('3', 'me'), bought('2', 'anna'), bought('1', 'ilya')];
    expect(boughtByAnother(sorted, 'me')?.id).toBe('2');
    expect(boughtByAnother(sorted, 'anna')?.id).toBe('3');
    expect(boughtByAnother(sorted, '')).toBeNull();
    expect(boughtByAnother([bought('1', 'me')], 'me')).toBeNull();
  });

  it('CTR-1187 of the last 14 days and of what is still to come is said that it was bought lately', () => {
    const isOf = ['2026-12-01', '2026-11-21', '2026-11-07', '2026-11-06'].map((date) => isLately(date, '2026-11-21'));
    expect(isOf).toEqual([true, true, true, false]);
  });
});

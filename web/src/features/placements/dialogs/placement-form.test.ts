import { describe, expect, it } from 'vitest';
import { readDayText } from '../../../shared/day/day-text.ts';
import { addBody, changedBody, emptyForm, formErrors, type PlacementForm } from './placement-form.ts';

const filled: PlacementForm = {
  ...emptyForm('2026-11-21'),
  contractor: 't.me/Vkusno_admin?x=1',
  buyerId: 'u1',
  category: 'Кулинария',
};
const first = (campaignId: string | null, form: PlacementForm): string | undefined =>
  formErrors(campaignId, form)[0]?.message;

describe('placement form', () => {
  it('PF-1 checks in the order of the rules', () => {
    const nothing = { ...emptyForm('2026-11-21') };
    expect(first(null, nothing)).toBe('Кампания не выбрана');
    expect(first('c', nothing)).toBe('Ник контрагента обязателен');
    expect(first('c', { ...nothing, contractor: '@' })).toBe('Ник контрагента обязателен');
    expect(first('c', { ...nothing, contractor: 'nick' })).toBe('Выберите байера');
    expect(first('c', { ...nothing, contractor: 'nick', buyerId: 'u1' })).toBe('Выберите тематику');
    expect(formErrors('c', nothing).map((error) => error.field)).toEqual(['contractor', 'buyerId', 'category']);
  });

  it('PF-2 has a text for each other wrong field', () => {
    expect(first('c', { ...filled, date: '' })).toBe('Некорректная дата');
    expect(first('c', { ...filled, price: '1.234' })).toBe('Некорректная цена');
    expect(first('c', { ...filled, format: '1/1' })).toBe('Некорректный формат');
    expect(first('c', { ...filled, category: 'Такой нет' })).toBe('Выберите тематику');
    expect(formErrors('c', filled)).toEqual([]);
  });

  it('PF-3 begins with today, 1/24, unpaid; an empty price is 0, no creative is NO_CREATIVE, the nick gets its @', () => {
    expect(addBody('c', filled)).toEqual({
      campaignId: 'c',
      date: '2026-11-21',
      buyerId: 'u1',
      contractor: '@Vkusno_admin',
      format: '1/24',
      price: 0,
      creativeId: 'NO_CREATIVE',
      category: 'Кулинария',
      paymentStatus: 'unpaid',
    });
    expect(addBody('c', { ...filled, price: '1000.5' }).price).toBe(1000.5);
  });

  it('PF-4 an edit carries only what was changed', () => {
    expect(changedBody(filled, { ...filled, price: '5', leads: '7' })).toEqual({ price: 5, leads: 7 });
    expect(changedBody(filled, { ...filled, contractor: '@Vkusno_admin' })).toEqual({});
  });

  it('PF-1682 takes a comment and the address of a post, and says what is wrong with them', () => {
    const said = { ...filled, comment: ' Первая\nвторая ', postUrl: 't.me/some/17' };
    const members = { comment: 'Первая\nвторая', postUrl: 'https://t.me/some/17' };
    expect(addBody('c', said)).toMatchObject(members);
    expect(changedBody(filled, said)).toEqual(members);
    expect(changedBody(said, filled)).toEqual({ comment: '', postUrl: null });
    expect(changedBody(said, { ...said, postUrl: 'https://t.me/some/17' })).toEqual({});
    expect(formErrors('c', said)).toEqual([]);
    expect(formErrors('c', { ...filled, comment: 'я'.repeat(501), postUrl: 'javascript:alert(1)' })).toEqual([
      { field: 'comment', message: 'Комментарий: не больше 500 символов' },
      { field: 'postUrl', message: 'Некорректная ссылка на пост' },
    ]);
  });

  it('PF-6 reads prices and leads of an existing placement as its cells do', () => {
    expect(changedBody(filled, { ...filled, price: '5,2к', leads: '=50*2' })).toEqual({ price: 5200, leads: 100 });
    for (const price of ['-300', '5к5', '5400\t64', 'abc'])
      expect(first('c', { ...filled, price })).toBe('Некорректная цена');
    for (const leads of ['-3', '1,5', '64\t5', 'abc'])
      expect(first('c', { ...filled, leads })).toBe('Некорректное количество лидов');
  });

  it('PF-5 reads days as they are typed', () => {
    expect(readDayText('1.2.2026')).toBe('2026-02-01');
    expect(readDayText('21.11.26')).toBe('2026-11-21');
    expect(readDayText('2026-11-21')).toBe('2026-11-21');
    expect(readDayText('31.02.2026')).toBeNull();
    expect(readDayText('')).toBeNull();
  });
});

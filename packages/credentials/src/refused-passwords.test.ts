import { randomBytes } from 'node:crypto';
import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, test } from 'vitest';
import { makeTemporaryPassword } from './codes.ts';
import { faultOf } from './refused-passwords.ts';

const own = ['Анна Петрова', 'ivan.kuznetsov@mail.ru', '@anna_p', 'Вкус Медиа'];
const list = dictionary['passwords-common'];

describe('passwords that nobody may set', () => {
  test('PW-1490 the 3,000 commonest are refused in any case, what is less common is not', () => {
    const spelt = list.slice(0, 3000).flatMap((password) => [password, password.toUpperCase()]);
    expect(spelt.filter((password) => faultOf(password, []) !== 'common')).toEqual([]);
    const next = list.slice(3000, 4000);
    expect(next.filter((password) => faultOf(password, []) !== null)).toEqual([]);
    expect(list.slice(0, 3000).filter(({ length }) => length >= 8)).toHaveLength(675);
  });

  test('PW-1491 a common one with anything beside it is no common one', () => {
    for (const password of ['12345678!', 'password-1', 'xqwerty123', ' password1'])
      expect([password, faultOf(password, [])]).toEqual([password, null]);
  });

  test.each([
    'Петрова1',
    '!ПЕТРОВА!!',
    'Анна Петрова',
    'аннапетрова',
    'Kuznetsov',
    '1kuznetsov2!',
    'ivan.kuznetsov',
    'IvanKuznetsov99',
    'ivan.kuznetsov@mail.ru',
    'вкус медиа',
    'ВкусМедиа!',
    'петрова12',
  ])('PW-1492 %s is hardly more than an own word', (password) => {
    expect(faultOf(password, own)).toBe('own_word');
  });

  test.each([
    ['too much beside the word', 'Петрова1234'],
    ['a sentence with the name in it', 'анна любит чай'],
    ['a word of three letters and digits', 'вку12345'],
    ['the domain of the address', 'mail.ru1'],
    ['words of different people', 'петров-кузнец'],
  ])('PW-1493 %s is a password', (_why, password) => {
    expect(faultOf(password, own)).toBeNull();
  });

  test('PW-1494 names without four letters in a row of words forbid nothing', () => {
    for (const name of ['', '@', '...', 'Ли', 'Ян Ли', '12345678']) {
      const fault = faultOf('8 знаков, и ещё', [name]);
      expect([name, fault]).toEqual([name, null]);
    }
    expect(faultOf('12345679', ['12345679'])).toBeNull();
  });

  test('PW-1495 what the product makes is never refused, also to who is named as its words', () => {
    const made = Array.from({ length: 2000 }, () => makeTemporaryPassword((bytes) => randomBytes(bytes)));
    const named = (password: string): string => password.split('-')[0] ?? '';
    expect(made.filter((password) => faultOf(password, [...own, named(password)]) !== null)).toEqual([]);
  });
});

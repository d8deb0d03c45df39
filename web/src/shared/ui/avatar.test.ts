import { expect, it } from 'vitest';
import { firstSigns, initialsOf } from './avatar.tsx';

it.each([
  ['Анна Соколова', 'АС'],
  ['кухня', 'К'],
  ['👨‍🍳 Шеф', '👨‍🍳Ш'],
  ['🇷🇺🇰🇿', '🇷🇺'],
  ['йод', 'Й'],
])('UI-20 the initials of «%s» are whole signs', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

it('UI-21 a sign of several characters is one', () => {
  expect(firstSigns('👨‍👩‍👧ab', 2)).toBe('👨‍👩‍👧a');
});

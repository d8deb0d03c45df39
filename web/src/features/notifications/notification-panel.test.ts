import { expect, it } from 'vitest';
import { absenceText } from './notification-panel.tsx';

it.each([
  [1, false, 'Пока вас не было: 1 событие'],
  [3, false, 'Пока вас не было: 3 события'],
  [11, false, 'Пока вас не было: 11 событий'],
  [21, true, 'Пока вас не было: не меньше 21 события'],
  [200, true, 'Пока вас не было: не меньше 200 событий'],
])('BELL-18 of %i events, more than counted: %s, it is said: %s', (events, more, text) => {
  expect(absenceText({ events, more })).toBe(text);
});

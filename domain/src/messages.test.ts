import { expect, test } from 'vitest';
import { channelInUseBy, messages, noteAddFailed } from './messages.ts';
import { rateLimited } from './sign-in-messages.ts';

test('MSG-1 no text is empty or padded', () => {
  for (const text of Object.values(messages)) expect(text).toMatch(/^\S(?:.*\S)?$/u);
});

test('MSG-2 texts with a part of their own', () => {
  expect(rateLimited(42)).toBe('Слишком много попыток. Повторите через 42 с');
  expect(channelInUseBy(['Осень', 'Зима'])).toBe('В канале есть кампании: Осень, Зима');
  expect(noteAddFailed(null)).toBe('Ошибка при добавлении заметки: Неизвестная ошибка');
});

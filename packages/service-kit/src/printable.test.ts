import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { printable } from './printable.ts';
import { runMain } from './run-main.ts';

test('SEC-3436 what a terminal would carry out is shown as a mark; letters, line breaks and tabs stay', () => {
  expect(printable('Копия\n\tсделана №\u00A01 👩‍💻')).toBe('Копия\n\tсделана №\u00A01 👩‍💻');
  expect(printable('a\u001B[2K\rb\u009B1mc\u202Ed\u0007')).toBe('a\uFFFD[2K\uFFFDb\uFFFD1mc\uFFFDd\uFFFD');
});

test('SEC-3437 nothing that a main prints, or refuses with, speaks to the terminal', async () => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const process = Object.assign(new EventEmitter(), { env: {}, stdout: stream, stderr: stream, exit: () => undefined });
  await runMain({
    process,
    refusal: 'Не сделано.',
    start: async (_, print) => {
      print('файл \u001B[2Jx');
      throw new Error('нет\u001B[31m его');
    },
  });
  expect(written.join('')).toBe('файл \uFFFD[2Jx\nНе сделано.\n  Непредвиденная ошибка: нет\uFFFD[31m его\n');
});

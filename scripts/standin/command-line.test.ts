import { execFile } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { programPath } from '../../tests/support/built-programs.ts';

/** Exit code and what is printed. */
const run = async (
  program: 'standin-eventstoredb' | 'standin-mongodb',
  args: readonly string[],
): Promise<{ code: unknown; out: string; err: string }> => {
  const path = await programPath(program);
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
  });
};

describe('command line of the stand-ins', () => {
  test.each([
    ['standin-mongodb', ['--ports', '1'], 'Неверные параметры. Есть --port ЗНАЧЕНИЕ, --file ЗНАЧЕНИЕ'],
    ['standin-mongodb', ['--port', 'x'], '--port: нужно целое число от 0 до 65535'],
    ['standin-mongodb', ['--transaction-lifetime', '-1'], 'Неверные параметры.'],
    ['standin-eventstoredb', ['extra'], 'Неверные параметры.'],
    ['standin-eventstoredb', ['--port', '70000'], '--port: нужно целое число от 0 до 65535'],
    ['standin-eventstoredb', ['--file', '/nowhere/at/all'], 'Не запущен: '],
  ] as const)('SIL-1 %s %j ends with a sentence', async (script, args, text) => {
    const { code, out, err } = await run(script, args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(text);
    expect(err).not.toContain('    at ');
  });
});

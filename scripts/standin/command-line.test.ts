import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Exit code and what is printed. */
const run = (script: string, args: readonly string[]): Promise<{ code: unknown; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', `scripts/${script}.ts`, ...args], { cwd: root }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });

describe('command line of the stand-ins', () => {
  test.each([
    ['standin-mongodb', ['--ports', '1'], 'Неверные параметры. Есть --port ЗНАЧЕНИЕ, --file ЗНАЧЕНИЕ'],
    ['standin-mongodb', ['--port', 'x'], '--port: нужно целое число от 0 до 65535'],
    ['standin-mongodb', ['--transaction-lifetime', '-1'], 'Неверные параметры.'],
    ['standin-eventstoredb', ['extra'], 'Неверные параметры.'],
    ['standin-eventstoredb', ['--port', '70000'], '--port: нужно целое число от 0 до 65535'],
    ['standin-eventstoredb', ['--file', '/nowhere/at/all'], 'Не запущен: '],
  ])('SIL-1 %s %j ends with a sentence', async (script, args, text) => {
    const { code, out, err } = await run(script, args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(text);
    expect(err).not.toContain('    at ');
  });
});

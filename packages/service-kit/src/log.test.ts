import { describe, expect, test } from 'vitest';
import { jsonLog } from './log.ts';

function lines(): { write: (line: string) => void; all: string[] } {
  const all: string[] = [];
  return { all, write: (line) => void all.push(line) };
}

describe('log', () => {
  test('LOG-1 secrets are hidden at any depth, by any case, also in bindings', () => {
    const destination = lines();
    const log = jsonLog({ level: 'info', destination, bindings: { service: 'gateway', jwtSecret: 'hunter2' } });
    log.child({ authCode: 'hunter2' }).info(
      {
        headers: { Authorization: 'Bearer hunter2', cookie: 'hunter2' },
        body: [{ user: { password: 'hunter2', name: 'Анна' } }],
        refreshToken: 'hunter2',
        licenseKey: 'hunter2',
      },
      'sign-in',
    );
    const [line = ''] = destination.all;
    expect(line).not.toContain('hunter2');
    expect(JSON.parse(line)).toMatchObject({ level: 'info', service: 'gateway', msg: 'sign-in', authCode: '[скрыто]' });
    expect(line).toContain('Анна');
  });

  test('LOG-2 an error keeps name, message, stack, code and cause, and loses what else hangs on it', () => {
    const destination = lines();
    const cause = Object.assign(new Error('disk'), { code: 'ENOSPC' });
    const error = Object.assign(new Error('failed', { cause }), { body: '{"password":"hunter2"}' });
    jsonLog({ level: 'info', destination }).error({ err: error }, 'no');
    const line = destination.all[0] ?? '';
    expect(line).not.toContain('hunter2');
    expect(JSON.parse(line)).toMatchObject({
      err: { name: 'Error', message: 'failed', cause: { message: 'disk', errorCode: 'ENOSPC' } },
    });
  });

  test('KEY-2894 the secret of a key is hidden wherever it stands', () => {
    const destination = lines();
    const secret = `zk_${'aB3_-'.repeat(8)}xyz`;
    const log = jsonLog({ level: 'info', destination });
    log.info({ path: `/api/keys/${secret}`, list: [`Bearer ${secret}`] }, 'asked');
    log.error({ err: new Error(`no ${secret}`) }, 'failed');
    expect(destination.all.join('')).not.toContain(secret);
    expect(destination.all[0]).toContain('/api/keys/[скрыто]');
  });

  test('LOG-3 the silent level writes nothing', () => {
    const destination = lines();
    jsonLog({ level: 'silent', destination }).fatal('x');
    expect(destination.all).toEqual([]);
  });
});

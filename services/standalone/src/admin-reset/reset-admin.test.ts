import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteCredentials } from '@zakup/credentials/sqlite/sqlite-credentials';
import { codeShown } from '@zakup/credentials/testing/authenticator';
import { testStart } from '@zakup/service-kit/testing/started';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDataDir } from '../data-dir/data-dir.ts';
import { storeFiles } from '../data-dir/store-files.ts';
import { startStandalone } from '../standalone.ts';
import { resetAdmin } from './reset-admin.ts';

describe('a lost admin password', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'zakup-reset-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const start = (path = dir) => {
    const given = testStart({ DATA_DIR: path });
    return { ...given, config: { ...given.config, adminPassword: null } };
  };
  const started = async () => {
    let made: string | null = null;
    const zakup = await startStandalone({
      ...start(),
      webDist: dir,
      onMadeAdmin: (password) => {
        made = password;
      },
    });
    await zakup.ready;
    const login = async (password: string) => {
      const answer = await fetch(`${zakup.address}/api/admin/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ login: 'admin', password }),
      });
      const { data } = (await answer.json()) as { readonly data?: { readonly token: string } };
      return { status: answer.status, token: data?.token ?? '' };
    };
    const list = async (token: string): Promise<number> =>
      (await fetch(`${zakup.address}/api/admin/licenses`, { headers: { Authorization: `Bearer ${token}` } })).status;
    return { ...zakup, made: made as string | null, login, list };
  };

  test('SIG-70 a new one is made: the old one, its tokens, the second factor and what guessers did count no more', async () => {
    const before = await started();
    const { token } = await before.login(before.made ?? '');
    expect(await before.list(token)).toBe(200);
    for (let failure = 0; failure < 5; failure += 1) await before.login('guess-guess');
    await before.shutdown.stop('done');

    const { file, key } = await (async () => {
      const dataDir = await openDataDir(dir, { use: 'either', elsewhere: { events: false, credentials: false } });
      const found = { file: storeFiles(dataDir.path).credentials, key: dataDir.secrets.credentialsKey };
      dataDir.close();
      return found;
    })();
    const opened = sqliteCredentials({ file, key, random: (bytes) => randomBytes(bytes) });
    const now = Date.now();
    const secret = (await opened.beginSecondFactor('admin/admin', '')) ?? '';
    expect((await opened.confirmSecondFactor('admin/admin', codeShown(secret, now), now)).kind).toBe('on');
    await opened.close();

    const { config, log } = start();
    const password = await resetAdmin(config, log);
    expect(password).not.toBe(before.made);
    const after = await started();
    expect(after.made).toBeNull();
    expect(await after.list(token)).toBe(401);
    const signedIn = await after.login(password);
    expect([signedIn.status, await after.list(signedIn.token)]).toEqual([200, 200]);
    expect((await after.login(before.made ?? '')).status).toBe(401);
    await after.shutdown.stop('done');
  });

  test('SIG-71 it is refused in words while the process runs, before there is an admin, and where a setting gives the password', async () => {
    const running = await started();
    const { config, log } = start();
    await expect(resetAdmin(config, log)).rejects.toThrow(dir);
    await running.shutdown.stop('done');
    const fresh = start(join(dir, 'fresh'));
    await expect(resetAdmin(fresh.config, log)).rejects.toThrow('Администратора ещё нет');
    const given = testStart({ DATA_DIR: dir, ADMIN_PASSWORD: 'from-settings' });
    await expect(resetAdmin(given.config, log)).rejects.toThrow('ADMIN_PASSWORD');
  });
});

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suiteOptions } from '@zakup/credentials/contract-suite';
import type { Credentials } from '@zakup/credentials/credentials';
import { mongoCredentials } from '@zakup/credentials/mongodb/mongo-credentials';
import { sqliteCredentials } from '@zakup/credentials/sqlite/sqlite-credentials';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { openDataDir } from '@zakup/standalone/data-dir/data-dir';
import { storeFiles } from '@zakup/standalone/data-dir/store-files';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { programPath } from '../support/built-programs.ts';
import { mongoDbServer } from '../support/mongodb-server.ts';

const server = await mongoDbServer();
afterAll(() => server.stop());

/** Runs the built program as an operator would, with these settings and none of this process. */
const reset = async (env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [await programPath('admin-reset')], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out: out + errors, password: /новый пароль (\S+) /u.exec(out)?.[1] ?? null };
};

describe(`admin-reset.js (${server.kind})`, () => {
  let dir = '';
  let url = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'zakup-reset-'));
    url = server.url(`zakup_reset_${randomBytes(6).toString('hex')}`);
  });
  afterEach(async () => {
    await rm(dir, { recursive: true, force: true });
    const client = new MongoClient(url);
    await client.db().dropDatabase();
    await client.close();
  });

  const signsIn = async (credentials: Credentials, password: string | null): Promise<boolean> =>
    password !== null && credentials.checkAdmin('admin', password);

  test('SIG-72 in the full system a new password is in MongoDB at once, for services that run, and ends what the old one opened', async () => {
    const running = await mongoCredentials({ ...suiteOptions, url });
    try {
      const early = await reset({ MONGODB_URL: url });
      expect([early.code, early.out]).toEqual([1, expect.stringContaining('Администратора ещё нет')]);
      await running.setAdmin('admin', 'the-lost-one');
      const stamp = await running.adminStamp();
      const done = await reset({ MONGODB_URL: url });
      expect([done.code, done.out]).toEqual([0, expect.stringContaining('показан один раз')]);
      expect(await signsIn(running, done.password)).toBe(true);
      expect(await signsIn(running, 'the-lost-one')).toBe(false);
      expect(await running.adminStamp()).not.toBe(stamp);
      const given = await reset({ MONGODB_URL: url, ADMIN_PASSWORD: 'from-the-settings' });
      expect([given.code, given.out]).toEqual([1, expect.stringContaining('ADMIN_PASSWORD')]);
      expect(await signsIn(running, done.password)).toBe(true);
    } finally {
      await running.close();
    }
  });

  test('SIG-73 in the edition of one process it is in the data folder, and refused while the process holds it', async () => {
    const open = async () => {
      const folder = await openDataDir(dir);
      const { credentialsKey: key } = folder.secrets;
      const credentials = sqliteCredentials({ ...suiteOptions, file: storeFiles(folder.path).credentials, key });
      const close = async (): Promise<void> => {
        await credentials.close();
        folder.close();
      };
      return { credentials, close };
    };
    const before = await open();
    await (await sqliteEventStore({ file: storeFiles(dir).events })).close();
    await before.credentials.setAdmin('admin', 'the-lost-one');
    const held = await reset({ DATA_DIR: dir });
    expect([held.code, held.out]).toEqual([1, expect.stringContaining(dir)]);
    await before.close();
    const done = await reset({ DATA_DIR: dir });
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('показан один раз')]);
    const after = await open();
    expect(await signsIn(after.credentials, done.password)).toBe(true);
    expect(await signsIn(after.credentials, 'the-lost-one')).toBe(false);
    await after.close();
  });
});

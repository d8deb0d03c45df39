import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { activatedLicence, call } from '../support/api.ts';
import { liveClient } from '../support/live-client.ts';
import { refusedStart, startZakup, temporaryDataDir, type ZakupProcess } from '../support/zakup-process.ts';

/** What an operator meets: starting, stopping, and everything that must be refused in one clear sentence. */
describe('Running it', () => {
  let folder: Awaited<ReturnType<typeof temporaryDataDir>>;
  let running: ZakupProcess | undefined;

  beforeEach(async () => {
    folder = await temporaryDataDir();
  });

  afterEach(async () => {
    await running?.kill();
    running = undefined;
    await folder.remove();
  });

  const start = async (env: Readonly<Record<string, string>> = {}): Promise<ZakupProcess> => {
    running = await startZakup({ dataDir: folder.path, env });
    return running;
  };

  test('OPS-1 it prints address, stores and the admin’s door, answers its probes and describes its calls in metrics', async () => {
    const zakup = await start();
    expect(zakup.output()).toContain(`Zakup готов: ${zakup.address}`);
    expect(zakup.output()).toContain(join(folder.path, 'events.db'));
    expect(zakup.output()).toContain(`${zakup.address}/admin`);
    expect((await fetch(`${zakup.address}/healthz`)).status).toBe(200);
    expect((await fetch(`${zakup.address}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${zakup.address}/metrics`)).text();
    expect(metrics).toContain('zakup_append_seconds');
    expect(metrics).toContain('nodejs_eventloop_lag');
  });

  test('OPS-2 without ADMIN_PASSWORD one is made and printed once, at the first start only', async () => {
    const first = await start({ ADMIN_PASSWORD: '' });
    const made = /пароль\s+(\S+) \(показан один раз\)/u.exec(first.output())?.[1] ?? '';
    await call(first.address, 'POST', '/admin/login', { login: 'admin', password: made });
    expect(await first.stop()).toBe(0);
    const second = await start({ ADMIN_PASSWORD: '' });
    expect(second.output()).not.toContain('показан один раз');
    await call(second.address, 'POST', '/admin/login', { login: 'admin', password: made });
  });

  test('OPS-3 SIGTERM: sockets are told, the process ends with 0, and everything is there at the next start', async () => {
    const zakup = await start();
    const { owner, licenceId } = await activatedLicence(zakup.address);
    const client = await liveClient(zakup.address, owner.token);
    await client.subscribe('workspace');
    const farewell = new Promise<{ code: string }>((resolve) => client.socket.once('session-ended', resolve));
    const stopped = zakup.stop();
    expect((await farewell).code).toBe('SERVER_STOPPING');
    expect(await stopped).toBe(0);
    client.close();
    const again = await start();
    const session = await call<{ license: { id: string } }>(again.address, 'GET', '/auth/session', undefined, {
      token: owner.token,
    });
    expect(session.data.license.id).toBe(licenceId);
  });

  test('OPS-4 a second process on the same folder is refused, the first goes on; after kill -9 the folder is free', async () => {
    const zakup = await start();
    const second = await refusedStart({ dataDir: folder.path });
    expect(second.code).toBe(1);
    expect(second.output).toContain(folder.path);
    expect((await fetch(`${zakup.address}/readyz`)).status).toBe(200);
    await zakup.kill();
    await start();
  });

  test('OPS-5 a busy port is named', async () => {
    const zakup = await start();
    const other = await temporaryDataDir();
    const port = Number(new URL(zakup.address).port);
    const refused = await refusedStart({ dataDir: other.path, port, env: { ADMIN_PASSWORD: '' } });
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`порт ${port} занят`);
    await zakup.stop();
    // The password that the refused start could not show is still to come.
    running = await startZakup({ dataDir: other.path, env: { ADMIN_PASSWORD: '' } });
    expect(running.output()).toContain('показан один раз');
    await running.stop();
    await other.remove();
  });

  test('OPS-6 wrong settings are refused together, one sentence each', async () => {
    const refused = await refusedStart({
      dataDir: folder.path,
      env: { PORT: 'abc', ADMIN_PASSWORD: 'short', LOG_LEVEL: 'loud' },
    });
    expect(refused.code).toBe(1);
    for (const name of ['PORT', 'ADMIN_PASSWORD', 'LOG_LEVEL']) expect(refused.output).toContain(`${name}:`);
    expect(refused.output).not.toContain('short');
  });

  test.each(['events.db', 'read-models.db', 'credentials.db'])(
    'OPS-7 a damaged %s is refused by name',
    async (file) => {
      await (await start()).stop();
      const path = join(folder.path, file);
      const bytes = await readFile(path);
      bytes.fill(0x5a, 0, 4096);
      await writeFile(path, bytes);
      const refused = await refusedStart({ dataDir: folder.path });
      expect(refused.code).toBe(1);
      expect(refused.output).toContain(file);
    },
  );

  test('OPS-8 a log older than the read models is refused by name', async () => {
    const zakup = await start();
    await zakup.stop();
    const older = await readFile(join(folder.path, 'events.db'));
    const again = await start();
    await activatedLicence(again.address);
    await again.stop();
    await writeFile(join(folder.path, 'events.db'), older);
    const refused = await refusedStart({ dataDir: folder.path });
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('events.db');
  });

  test('OPS-9 a newer data folder is refused', async () => {
    await (await start()).stop();
    await writeFile(join(folder.path, 'version.json'), JSON.stringify({ format: 999 }));
    const refused = await refusedStart({ dataDir: folder.path });
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('version.json');
  });
});

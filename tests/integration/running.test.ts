import { once } from 'node:events';
import { chmod, cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@zakup/sqlite/engine';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { activatedLicence, call, employee } from '../support/api.ts';
import { programPath } from '../support/built-programs.ts';
import { editionsOfDeep, type Installation } from '../support/editions.ts';
import { liveClient } from '../support/live-client.ts';
import { refusalOn } from '../support/refusal-on.ts';
import { refusedStart, startZakup, temporaryDataDir, type ZakupProcess } from '../support/zakup-process.ts';
import { refusedService } from '../support/zakup-services.ts';

/** What an operator meets of either edition: of one installation that is started, used, stopped and started again. */
describe.each(editionsOfDeep)('Running $name', { timeout: 90_000 }, (edition) => {
  let zakup: Installation;
  /** What each start printed. */
  const printed: string[] = [];
  let made = '';
  let licence: Awaited<ReturnType<typeof activatedLicence>>;
  let farewell: { readonly code: string };
  let ended: readonly (number | null)[] = [];

  /** Without ADMIN_PASSWORD. */
  const start = async (): Promise<void> => {
    const before = zakup.output().length;
    await zakup.start({ env: { ADMIN_PASSWORD: '' } });
    printed.push(zakup.output().slice(before));
  };

  beforeAll(async () => {
    zakup = await edition.install();
    await start();
    made = /пароль\s+(\S+) \(показан один раз\)/u.exec(printed[0] ?? '')?.[1] ?? '';
    licence = await activatedLicence(zakup.address, made);
    const client = await liveClient(zakup.address, licence.owner.token);
    await client.subscribe('workspace');
    const told = new Promise<{ code: string }>((resolve) => client.socket.once('session-ended', resolve));
    const stopped = zakup.stop();
    farewell = await told;
    ended = await stopped;
    client.close();
    await start();
  });

  afterAll(async () => {
    await zakup.remove();
    await edition.end();
  });

  test('OPS-1 each process says that it is ready, answers its probes and describes its calls in metrics', async () => {
    const figures: string[] = [];
    for (const address of zakup.addresses()) {
      expect(printed[1]).toMatch(new RegExp(`Zakup\\s?\\w* готов: ${address}`, 'u'));
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      // A server that a busy machine answers late makes it not ready for a moment.
      await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(200);
      const metrics = await (await fetch(`${address}/metrics`)).text();
      expect(metrics).toContain('zakup_http_request_seconds');
      expect(metrics).toContain('nodejs_eventloop_lag');
      figures.push(...[...metrics.matchAll(/^# TYPE zakup_(\w+) /gmu)].map(([, name = '']) => name));
    }
    expect(figures).toEqual(
      expect.arrayContaining([
        'append_seconds',
        'projection_lag_seconds',
        'fan_out_seconds',
        'sockets',
        'conflicts_total',
      ]),
    );
    // Two processes show the same only of their requests.
    const own = figures.filter((name) => name !== 'http_request_seconds');
    expect(new Set(own).size).toBe(own.length);
  });

  test('OPS-2 without ADMIN_PASSWORD one is made and printed once, at the first start only', async () => {
    expect(printed.map((text) => text.includes('показан один раз'))).toEqual([true, false]);
    await call(zakup.address, 'POST', '/admin/login', { login: 'admin', password: made });
  });

  test('OPS-3 SIGTERM: sockets are told, every process ends with 0, and everything is there at the next start', async () => {
    expect(farewell.code).toBe('SERVER_STOPPING');
    expect(ended).toEqual(zakup.services.map(() => 0));
    const session = await call<{ license: { id: string } }>(zakup.address, 'GET', '/auth/session', undefined, {
      token: licence.owner.token,
    });
    expect(session.data.license.id).toBe(licence.licenceId);
  });

  test('OPS-3300 as it is built it describes its calls as the file of the repository does', async () => {
    const told: unknown = await (await fetch(`${zakup.address}/api/openapi.json`)).json();
    const file = fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url));
    expect(told).toEqual(JSON.parse(await readFile(file, 'utf8')));
  });
});

/** What a built program reads before it runs: its own files, and the packages that they import. */
const readAtStart = async (
  program: string,
): Promise<{ readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> }> => {
  const [files, packages, waiting] = [new Set<string>(), new Set<string>(), [program]];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const text = await readFile(file, 'utf8');
    for (const [, name = ''] of text.matchAll(/^(?:import|export)\b[^;"']*?["']([^"']+)["']/gmu)) {
      if (name.startsWith('.')) waiting.push(join(dirname(file), name));
      else packages.add(name);
    }
  }
  return { files, packages };
};

test.each(['main', 'gateway'] as const)(
  'OPS-3301 the start of %s makes no schemas of what describes the calls, and reads none of the many files of zod',
  async (program) => {
    const { files, packages } = await readAtStart(await programPath(program));
    const names = [...files].map((file) => basename(file));
    expect(packages).toContain('express');
    expect([...packages].filter((name) => name.includes('zod'))).toEqual([]);
    expect(names.filter((name) => name.startsWith('service'))).not.toEqual([]);
    expect(names.filter((name) => name.startsWith('openapi-document'))).toEqual([]);
  },
);

type Folder = Awaited<ReturnType<typeof temporaryDataDir>>;

/** Everything that must be refused in one clear sentence. */
describe('Starting one process', () => {
  let folder: Folder;
  let running: ZakupProcess | undefined;
  /** As processes left them: `unused` and `stopped` after SIGTERM, `killed` after `kill -9` at the end of a session. */
  const left: Record<'unused' | 'killed' | 'stopped', string> = { unused: '', killed: '', stopped: '' };
  let owner: { readonly token: string; readonly licenceId: string };
  let printed = '';
  const folders: Folder[] = [];

  beforeAll(async () => {
    const used = await temporaryDataDir();
    folders.push(used);
    const kept = async (): Promise<string> => {
      const copy = await temporaryDataDir();
      folders.push(copy);
      await cp(used.path, copy.path, { recursive: true });
      return copy.path;
    };
    const first = await startZakup({ dataDir: used.path });
    printed = first.output().replaceAll(used.path, 'DATA_DIR').replaceAll(first.address, 'ADDRESS');
    await first.stop();
    left.unused = await kept();
    const second = await startZakup({ dataDir: used.path });
    const licence = await activatedLicence(second.address);
    owner = { token: licence.owner.token, licenceId: licence.licenceId };
    const person = { name: 'Анна Соколова', email: 'anna@vkus.media', role: 'MEDIA_BUYER' };
    const buyer = await employee(second.address, licence.owner, person);
    await call(second.address, 'POST', '/auth/logout', undefined, { token: buyer.token });
    await second.kill();
    left.killed = await kept();
    await (await startZakup({ dataDir: used.path })).stop();
    left.stopped = await kept();
  });

  afterAll(async () => {
    for (const one of folders) await one.remove();
  });

  beforeEach(async () => {
    folder = await temporaryDataDir();
  });

  afterEach(async () => {
    await running?.kill();
    running = undefined;
    await folder.remove();
  });

  const begunAs = (which: keyof typeof left): Promise<void> => cp(left[which], folder.path, { recursive: true });
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<ZakupProcess> => {
    running = await startZakup({ dataDir: folder.path, env });
    return running;
  };

  test('OPS-17 it prints where its stores lie, and the admin’s door', () => {
    expect(printed).toContain('Zakup готов: ADDRESS');
    expect(printed).toContain(join('DATA_DIR', 'events.db'));
    expect(printed).toContain('ADDRESS/admin');
  });

  test('OPS-4 a second process on the same folder is refused, the first goes on; after kill -9 the folder is free @deep', async () => {
    const zakup = await start();
    const second = await refusedStart({ dataDir: folder.path });
    expect(second.code).toBe(1);
    expect(second.output).toContain(folder.path);
    expect((await fetch(`${zakup.address}/readyz`)).status).toBe(200);
    await zakup.kill();
    await start();
  });

  test.skipIf(process.platform === 'win32')(
    'OPS-1260 a folder that others could read, and every file in it, is its owner’s alone',
    async () => {
      await begunAs('unused');
      await chmod(folder.path, 0o755);
      const events = join(folder.path, 'events.db');
      await chmod(events, 0o644);
      await start();
      expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
      const entries = await readdir(folder.path, { recursive: true });
      expect(entries).toContain('events.db');
      const open: string[] = [];
      for (const name of entries) if (((await stat(join(folder.path, name))).mode & 0o077) !== 0) open.push(name);
      expect(open).toEqual([]);
    },
  );

  test('OPS-5 a busy port is named', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const refused = await refusedStart({ dataDir: folder.path, port, env: { ADMIN_PASSWORD: '' } });
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`порт ${port} занят`);
    // The password that the refused start could not show is still to come.
    const zakup = await start({ ADMIN_PASSWORD: '' });
    expect(zakup.output()).toContain('показан один раз');
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

  test('OPS-18 a service of its own refuses wrong and missing settings together, one sentence each', async () => {
    const refused = await refusedService('gateway', {
      PORT: 'abc',
      MONGODB_URL: 'postgres://localhost',
      JWT_SECRET: 'x',
    });
    expect(refused.code).toBe(1);
    for (const name of ['PORT', 'EVENTSTOREDB_URL', 'MONGODB_URL', 'JWT_SECRET'])
      expect(refused.output).toContain(`${name}:`);
  });

  test.each(['events.db', 'read-models.db', 'credentials.db'])(
    'OPS-7 a damaged %s is refused by name, in the operator’s language',
    async (file) => {
      await begunAs('unused');
      const path = join(folder.path, file);
      const bytes = await readFile(path);
      bytes.fill(0x5a, 0, 4096);
      await writeFile(path, bytes);
      expect(await refusalOn(folder.path)).toContain(`Файл ${path} повреждён.`);
    },
  );

  test('OPS-8 a log older than the read models is refused by name @deep', async () => {
    await begunAs('stopped');
    await cp(join(left.unused, 'events.db'), join(folder.path, 'events.db'));
    expect(await refusalOn(folder.path)).toMatch(/Журнал\S* \S+events\.db .*, а по \S+ он доходил до \d+/u);
  });

  test('OPS-9 a newer data folder is refused @deep', async () => {
    await begunAs('unused');
    await writeFile(join(folder.path, 'version.json'), JSON.stringify({ format: 999 }));
    expect(await refusalOn(folder.path)).toContain('version.json');
  });

  const flipByte = async (path: string, offsetOf: (size: number) => number): Promise<void> => {
    const bytes = await readFile(path);
    const offset = offsetOf(bytes.length);
    bytes[offset] = (bytes[offset] ?? 0) ^ 1;
    await writeFile(path, bytes);
  };

  test('OPS-10 a changed byte in the last that credentials.db-wal tells is refused by name, at every start: nobody is signed in again', async () => {
    await begunAs('killed');
    const wal = join(folder.path, 'credentials.db-wal');
    // Behind the end of the session stands one commit of one page, 24 bytes of header before each.
    const frame = 24 + 4096;
    await flipByte(wal, (size) => size - frame - 1000);
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await refusalOn(folder.path)).toContain(`Файл ${wal} повреждён.`);
  });

  test.each(['events.db-wal', 'read-models.db-wal'])(
    'OPS-11 a changed byte in the middle of %s is refused by name',
    async (file) => {
      await begunAs('killed');
      await flipByte(join(folder.path, file), (size) => Math.floor(size / 2));
      expect(await refusalOn(folder.path)).toContain(`Файл ${join(folder.path, file)} повреждён.`);
    },
  );

  test('OPS-12 read models removed with their -wal and -shm are folded anew @deep', async () => {
    await begunAs('killed');
    for (const end of ['', '-wal', '-shm']) await rm(join(folder.path, `read-models.db${end}`), { force: true });
    const again = await start();
    const session = await call<{ license: { id: string } }>(again.address, 'GET', '/auth/session', undefined, {
      token: owner.token,
    });
    expect(session.data.license.id).toBe(owner.licenceId);
  });

  const removeStore = async (name: string): Promise<void> => {
    for (const end of ['', '-wal', '-shm', '.head']) await rm(join(folder.path, `${name}${end}`), { force: true });
  };

  test('OPS-13 credentials or keys missing beside a log with events are refused by name and not made anew', async () => {
    await begunAs('stopped');
    const [credentials, keys] = [join(folder.path, 'credentials.db'), join(folder.path, 'keys')];
    const key = join(keys, 'credentials-key');
    const refusedNaming = async (...paths: readonly string[]): Promise<void> =>
      expect(await refusalOn(folder.path)).toContain(
        `Нет ${paths.join(' и ')}, а в журнале ${join(folder.path, 'events.db')}`,
      );
    const kept = await readFile(key);
    await rm(key);
    await refusedNaming(key);
    await writeFile(key, kept);
    await removeStore('credentials.db');
    await refusedNaming(credentials);
    await refusedNaming(credentials);
    await rm(keys, { recursive: true });
    await refusedNaming(credentials, keys);
    for (const name of ['events.db', 'read-models.db']) await removeStore(name);
    await start();
  });

  test('OPS-14 a log missing beside an admin, or beside read models, is refused by name and not made anew', async () => {
    await begunAs('stopped');
    const events = join(folder.path, 'events.db');
    await removeStore('events.db');
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await refusalOn(folder.path)).toContain(
        `Нет журнала ${events}, а в ${join(folder.path, 'credentials.db')}`,
      );
    await removeStore('credentials.db');
    expect(await refusalOn(folder.path)).toContain(
      `Журнала ${events} нет или он пуст, а по ${join(folder.path, 'read-models.db')}`,
    );
  });

  test('OPS-15 a log behind read models of an earlier schema is refused, also once they were begun again @deep', async () => {
    await begunAs('unused');
    const readModels = join(folder.path, 'read-models.db');
    await removeStore('read-models.db');
    const database = openDatabase(readModels);
    database.exec(`
      CREATE TABLE documents (key INTEGER PRIMARY KEY, kind TEXT);
      CREATE TABLE scopes (key INTEGER PRIMARY KEY);
      CREATE TABLE entries (scope INTEGER PRIMARY KEY);
      CREATE TABLE checkpoints (partition TEXT PRIMARY KEY, position INTEGER, fence INTEGER);
      INSERT INTO checkpoints VALUES ('all', 1000, 1);
      PRAGMA application_id = 1514885715;
      PRAGMA user_version = 1;`);
    database.close();
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await refusalOn(folder.path)).toContain(`по ${readModels} он доходил до 1000`);
  });

  test('OPS-16 a damaged head mark is refused by name @deep', async () => {
    await begunAs('stopped');
    const mark = join(folder.path, 'events.db.head');
    await flipByte(mark, () => 0);
    expect(await refusalOn(folder.path)).toContain(`Файл ${mark} повреждён.`);
  });
});

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { AdminLicenseWire } from '@zakup/contracts/wire-entities';
import { declaredFields } from '@zakup/contracts/read-models';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { rebuildAll } from '@zakup/projector/rebuild';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { ReadDocument } from '@zakup/read-store/read-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { testStart } from '@zakup/service-kit/testing/started';
import { takeBackup } from '@zakup/standalone/backup/take-backup';
import { storeFiles } from '@zakup/standalone/data-dir/store-files';
import { rebuildStores } from '@zakup/standalone/rebuild/rebuild-stores';
import { restoreBackup } from '@zakup/standalone/restore/restore-backup';
import { isRight, verifyStores } from '@zakup/standalone/verify/verify-stores';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call } from '../support/api.ts';
import { readModelsOf } from '../support/fold-from-scratch.ts';
import { adminLogin, adminPassword, startZakup } from '../support/zakup-process.ts';

const recorded = fileURLToPath(new URL('../fixtures/', import.meta.url));
const names = ['data-dir-1'];
const documentsFile = 'documents.json';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zakup-recorded-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Puts a recorded data folder where it may be changed; resolves with what its read models held. */
const unpacked = async (name: string): Promise<Readonly<Record<string, readonly ReadDocument[]>>> => {
  const files = new Map<string, Buffer>();
  for (const packed of await readdir(join(recorded, name), { recursive: true })) {
    if (packed.endsWith('.gz'))
      files.set(packed.replace(/\.gz$/u, ''), gunzipSync(await readFile(join(recorded, name, packed))));
  }
  const documents = files.get(documentsFile);
  if (documents === undefined) throw new Error(`${name} has no ${documentsFile}`);
  files.delete(documentsFile);
  for (const [file, content] of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content, { mode: 0o600 });
  }
  return JSON.parse(documents.toString('utf8')) as Readonly<Record<string, readonly ReadDocument[]>>;
};

/** A new field of an entity has a change of its own where its history begins: found by name, not by place. */
const changesByField = (documents: object): object =>
  JSON.parse(JSON.stringify(documents), (key, value: unknown) =>
    key === 'changes' && Array.isArray(value)
      ? Object.fromEntries((value as readonly { readonly field: string }[]).map((change) => [change.field, change]))
      : value,
  ) as object;

describe.each(names)('%s, as an earlier version left it', (name) => {
  test('REC-1 its log folds into what its read models held; what is new may have come to that', async () => {
    const documents = await unpacked(name);
    const eventStore = await sqliteEventStore({ file: storeFiles(folder).events, clock: Date.now, knownBounds: [] });
    const readStore = inMemoryReadStore({ declared: declaredFields });
    await rebuildAll({ eventStore, readStore, now: Date.now });
    const folded = await readModelsOf(readStore);
    await Promise.all([eventStore.close(), readStore.close()]);
    const idsOf = (all: typeof documents): object =>
      Object.fromEntries(Object.entries(all).map(([kind, docs]) => [kind, docs.map(({ id }) => id)]));
    expect(idsOf(folded)).toMatchObject(idsOf(documents));
    expect(changesByField(folded)).toMatchObject(changesByField(documents));
    expect(documents['placement']?.length).toBeGreaterThan(3);
  });

  test('REC-2 the product opens it, its teams are there, and its history and read models are found right', async () => {
    await unpacked(name);
    const zakup = await startZakup({ dataDir: folder });
    const admin = await call<{ token: string }>(zakup.address, 'POST', '/admin/login', {
      login: adminLogin,
      password: adminPassword,
    });
    const { licenses } = (
      await call<{ licenses: readonly AdminLicenseWire[] }>(zakup.address, 'GET', '/admin/licenses', undefined, {
        token: admin.data.token,
      })
    ).data;
    expect(licenses.map(({ teamName }) => teamName)).toEqual(['Вкусная среда', 'Вкусная среда']);
    expect(await zakup.stop()).toBe(0);
    const { config, log } = testStart({ DATA_DIR: folder });
    const found = await verifyStores({
      config,
      log,
      print: () => undefined,
      signal: new AbortController().signal,
      heal: false,
    });
    expect(found).toMatchObject({ licences: 2, otherVersion: null });
    expect(isRight(found)).toBe(true);
  });

  test('BAK-2792 it is backed up before any start, and what is put back folds into the same and is found right', async () => {
    const documents = await unpacked(name);
    const { signal } = new AbortController();
    const dataDir = join(folder, 'restored');
    const { path, head } = await takeBackup({ dataDir: folder, target: join(folder, 'backups'), now: 0, signal });
    await restoreBackup({ from: path, dataDir, now: Date.now(), signal });
    const { config, log } = testStart({ DATA_DIR: dataDir });
    const tool = { config, log, print: () => undefined, signal };
    expect((await rebuildStores(tool)).position).toBeGreaterThan(head);
    const readStore = sqliteReadStore({ file: storeFiles(dataDir).readModels, declared: declaredFields });
    const folded = await readModelsOf(readStore);
    await readStore.close();
    expect(changesByField(folded)).toMatchObject(changesByField(documents));
    const found = await verifyStores({ ...tool, heal: false });
    expect(found).toMatchObject({ licences: 2, otherVersion: null });
    expect(isRight(found)).toBe(true);
  });
});

import { hash, randomBytes } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { checkLog } from '@zakup/event-store/sqlite/log-check';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { sealer } from '@zakup/projector/sealing/sealer';
import { sealKeyOf, sealMilliseconds } from '@zakup/seals/seal';
import { sqliteSealStore } from '@zakup/seals/sqlite/sqlite-seal-store';
import { sampleEvent } from '@zakup/seals/testing/sealed';
import { testStart } from '@zakup/service-kit/testing/started';
import { openDatabase } from '@zakup/sqlite/engine';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockBackups } from '../data-dir/data-dir-lock.ts';
import { keyFiles } from '../data-dir/data-dir-secrets.ts';
import { storeFiles } from '../data-dir/store-files.ts';
import { startStandalone } from '../standalone.ts';
import { isRight, verifiedText, verifyStores } from '../verify/verify-stores.ts';
import { damageText } from './damage-text.ts';
import { recoverLog } from './recover-log.ts';

const now = Date.parse('2026-11-28T03:00:00.000Z');
let filled: string;
let folder: string;
let dataDir: string;

const tool = () => {
  const { config, log } = testStart({ DATA_DIR: dataDir });
  return { config, log, print: () => undefined, signal: new AbortController().signal };
};
const recovers = (writes: boolean) => recoverLog(tool(), { writes, now });
const verified = () => verifyStores({ ...tool(), heal: false });
const contents = async (): Promise<Readonly<Record<string, string>>> => {
  const found: Record<string, string> = {};
  for (const name of (await readdir(dataDir)).toSorted())
    if ((await stat(join(dataDir, name))).isFile() && !/^lock|-shm$/u.test(name))
      found[name] = hash('sha256', await readFile(join(dataDir, name)), 'hex').slice(0, 16);
  return found;
};
const eventsOf = async (): Promise<readonly RecordedEvent[]> => {
  const store = await sqliteEventStore({ file: storeFiles(dataDir).events });
  const stop = new AbortController();
  const events: RecordedEvent[] = [];
  for await (const message of store.subscribe({ after: 0, signal: stop.signal })) {
    if (message.kind === 'events') events.push(...message.events);
    else stop.abort();
  }
  await store.close();
  return events;
};
const started = async () => {
  const zakup = await startStandalone({ ...testStart({ DATA_DIR: dataDir }), webDist: dataDir });
  await zakup.ready;
  const call = async <Data>(method: string, path: string, token = '', body?: object): Promise<Data> => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${zakup.address}/api${path}`, { method, headers, ...sent });
    return ((await answer.json()) as { data: Data }).data;
  };
  const { token } = await call<{ token: string }>('POST', '/admin/login', '', {
    login: 'admin',
    password: 'admin-password',
  });
  return { ...zakup, call, token };
};
/** Seals everything, as sealing does once it is due. */
const sealAll = async (events: readonly RecordedEvent[], at: () => number = Date.now): Promise<void> => {
  const eventStore = await sqliteEventStore({ file: storeFiles(dataDir).events });
  const seals = sqliteSealStore({ file: storeFiles(dataDir).seals });
  const key = sealKeyOf(await readFile(keyFiles(dataDir).sealKey, 'utf8'));
  let passed = 0;
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const fence = (await seals.fence()) + 1;
  const one = sealer({ after: 0, eventStore, seals, key, fence, now: at, elapsed: () => passed, random });
  one.take(events);
  passed = 2 * sealMilliseconds;
  await one.settle();
  await seals.follow(one.followed(), fence);
  await Promise.all([seals.close(), eventStore.close()]);
};
/** Turns a byte of a stored event. */
const spoil = (position: number): void => {
  const database = openDatabase(storeFiles(dataDir).events);
  const { payload } = database.prepare('SELECT payload FROM events WHERE position = ?').get(position) as {
    readonly payload: Uint8Array;
  };
  payload[payload.length - 3] = (payload[payload.length - 3] ?? 0) ^ 1;
  database.prepare('UPDATE events SET payload = ? WHERE position = ?').run(payload, position);
  database.close();
};

beforeAll(async () => {
  filled = await mkdtemp(join(tmpdir(), 'zakup-whole-'));
  dataDir = filled;
  const zakup = await started();
  const licence = async (ownerName: string): Promise<string> => {
    const body = { ownerName, ownerEmail: 'owner@example.com', ownerTelegram: '@owner' };
    const issued = await zakup.call<{ license: { id: string } }>('POST', '/admin/licenses', zakup.token, body);
    return issued.license.id;
  };
  const [one, other] = [await licence('Анна'), await licence('Борис')];
  for (let month = 1; month <= 6; month += 1)
    for (const id of [one, other])
      await zakup.call('POST', `/admin/licenses/${id}/renew`, zakup.token, { expiresAt: `2031-0${month}-01` });
  await zakup.shutdown.stop('filled');
  await sealAll(await eventsOf());
});
afterAll(() => rm(filled, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zakup-recover-'));
  dataDir = join(folder, 'data');
  // In one turn: what this process had open there is closed for good whenever its statements are collected, and files go with it.
  cpSync(filled, dataDir, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('npm run recover', () => {
  test('BAK-2800 a healthy log is told so, and nothing is changed', async () => {
    expect(isRight(await verified())).toBe(true);
    const before = await contents();
    expect(await recovers(false)).toBeNull();
    expect(await recovers(true)).toBeNull();
    expect(await contents()).toEqual(before);
  });

  test('BAK-2801 of a damaged event its licence loses what follows, nobody else anything; server and verify are clean after it', async () => {
    const original = await eventsOf();
    const renewals = original.filter(({ type }) => type === 'LicenceRenewed');
    const [, , damaged] = renewals;
    const licenceId = damaged?.metadata.licenceId ?? '';
    const position = damaged?.position ?? 0;
    spoil(position);
    const before = await contents();
    const found = await recovers(false);
    expect(await contents()).toEqual(before);
    const lost = original.filter((event) => event.metadata.licenceId === licenceId && event.position >= position);
    expect(found?.salvage).toMatchObject({ end: null, kept: original.length - lost.length, commands: lost.length });
    const told = found === null ? [] : damageText(found);
    expect(told[1]).toContain(`потеряно позиций   ${lost.length}: ${position}`);
    expect(told[2]).toBe(`  потеряно команд    ${lost.length}`);
    expect(told[3]).toContain(`лицензия ${licenceId}: событий ${lost.length}, всё с позиции ${position}`);

    await recovers(true);
    const names = await readdir(dataDir);
    for (const name of ['events.db', 'seals.db', 'read-models.db'])
      expect(names).toContain(`${name}.damaged-2026-11-28T03-00-00Z`);
    const after = await verified();
    expect(verifiedText(after)).toEqual(expect.arrayContaining([expect.stringContaining('нарушений 0')]));
    expect(isRight(after)).toBe(true);
    const kept = (await eventsOf()).filter(({ metadata }) => metadata.licenceId !== '');
    expect(kept).toEqual(original.filter((event) => !lost.includes(event)));
    expect(await recovers(false)).toBeNull();

    const zakup = await started();
    const { licenses } = await zakup.call<{ licenses: readonly { id: string; expiresAt: string }[] }>(
      'GET',
      '/admin/licenses',
      zakup.token,
    );
    const months = licenses.map(({ id, expiresAt }) => [id === licenceId, expiresAt.slice(0, 7)]);
    expect(new Set(months.map(String))).toEqual(new Set(['true,2031-01', 'false,2031-06']));
    await zakup.call('POST', `/admin/licenses/${licenceId}/renew`, zakup.token, { expiresAt: '2032-01-01' });
    await zakup.shutdown.stop('tried');
    expect(isRight(await verified())).toBe(true);
  });

  test('BAK-2802 a log that is cut off, or shorter than it was, loses its end; what comes next has greater positions @deep', async () => {
    const original = await eventsOf();
    const { events } = storeFiles(dataDir);
    const database = openDatabase(events);
    database.exec(`DELETE FROM events WHERE position > ${original.length - 3}`);
    database.close();
    const found = await recovers(false);
    expect(found?.salvage).toMatchObject({
      head: original.length - 3,
      end: original.length - 2,
      lost: [{ from: original.length - 2, to: original.length }],
    });
    await recovers(true);
    expect(isRight(await verified())).toBe(true);
    const recovered = await eventsOf();
    expect(recovered.slice(0, -1)).toEqual(original.slice(0, -3));
    expect(recovered.at(-1)?.position).toBeGreaterThan(1_000_000_000);

    await rm(dataDir, { recursive: true });
    cpSync(filled, dataDir, { recursive: true });
    const { size } = await stat(events);
    await truncate(events, size - 8_192);
    expect(await recovers(false)).not.toBeNull();
    await recovers(true);
    expect(isRight(await verified())).toBe(true);
    const zakup = await started();
    await zakup.shutdown.stop('tried');
  });

  test('BAK-2807 what is sealed anew long after it was due is no fault of a log that was mended, and that it was is told @deep', async () => {
    dataDir = join(folder, 'old');
    const minute = 60_000;
    const begun = Date.now() - 60 * minute;
    const zakup = await startStandalone({
      ...testStart({ DATA_DIR: dataDir }),
      webDist: folder,
      demo: { clock: () => begun, fill: async () => null, codes: ['', ''] },
    });
    await zakup.ready;
    await zakup.shutdown.stop('made');
    const appended = async (licenceId: string, first: number, at: number): Promise<void> => {
      const store = await sqliteEventStore({ file: storeFiles(dataDir).events, clock: () => at });
      for (let number = first; number < first + 5; number += 1) {
        const event = sampleEvent(licenceId, number);
        const { actorId, commandId } = event.metadata;
        await store.append([{ stream: `placement-${licenceId}~1`, expectedRevision: 'any', events: [event] }], {
          commandKey: commandKeyOf(actorId, commandId),
        });
      }
      await store.close();
      await sealAll(await eventsOf(), () => at + sealMilliseconds);
    };
    await appended('3f1', 1, begun);
    await appended('4a2', 6, begun + 30 * minute);
    const found = async () => (await verified()).seals;
    expect(await found()).toMatchObject({ licences: 2, seals: 2, faults: [] });
    const [, , third] = (await eventsOf()).filter(({ metadata }) => metadata.licenceId === '3f1');
    spoil(third?.position ?? 0);
    await recovers(true);
    expect(await found()).toMatchObject({ licences: 2, seals: 2, unsealed: 0, faults: [] });
    expect(verifiedText(await verified())[0]).toMatch(
      /журнал восстановлен после повреждения: после позиции \d+ идёт \d+/u,
    );
  });

  test('REV-2853 where the process ends right after the damaged log was replaced, the server starts and finds nothing wrong @deep', async () => {
    const zakup = await started();
    await zakup.shutdown.stop('the last seals are known elsewhere');
    const renewals = (await eventsOf()).filter(({ type }) => type === 'LicenceRenewed');
    spoil(renewals[2]?.position ?? 0);
    const { config, ...others } = tool();
    const ending = {
      ...config,
      get mongoDbUrl(): never {
        throw new Error('It ends here');
      },
    };
    await expect(recoverLog({ config: ending, ...others }, { writes: true, now })).rejects.toThrow('It ends here');
    expect(await recovers(true)).toBeNull();
    const again = await started();
    await again.shutdown.stop('tried');
    expect(isRight(await verified())).toBe(true);
  });

  test('REV-2860 whoever breaks it off once the log was replaced leaves the rest to the server', async () => {
    spoil((await eventsOf()).at(-1)?.position ?? 0);
    const stopped = { ...tool(), signal: AbortSignal.abort() };
    expect(await recoverLog(stopped, { writes: true, now })).not.toBeNull();
    const zakup = await started();
    await zakup.shutdown.stop('tried');
    expect(isRight(await verified())).toBe(true);
  });

  test('REV-2855 nothing is replaced while a backup is made, nor where a key is lost, which would be made anew', async () => {
    spoil((await eventsOf()).at(-1)?.position ?? 0);
    const before = await contents();
    const finish = lockBackups(dataDir);
    await expect(recovers(true)).rejects.toThrow('уже делается. Дождитесь её');
    finish();
    const { credentialsKey } = keyFiles(dataDir);
    await rm(credentialsKey);
    await expect(recovers(true)).rejects.toThrow(`Нет ${credentialsKey}. Верните ключи из копии.`);
    expect(await contents()).toEqual(before);
    expect(existsSync(credentialsKey)).toBe(false);
  });

  test('REV-2859 where the end is lost with a damaged -wal, and nothing tells how much, nobody is told that events are whole @deep', async () => {
    const licenceId = (await eventsOf()).at(-1)?.metadata.licenceId ?? '';
    const store = await sqliteEventStore({ file: storeFiles(dataDir).events });
    for (let number = 1; number <= 6; number += 1)
      await store.append([
        { stream: `placement-${licenceId}~1`, expectedRevision: 'any', events: [sampleEvent(licenceId, number)] },
      ]);
    const cut = join(folder, 'cut');
    cpSync(dataDir, cut, { recursive: true });
    await store.close();
    dataDir = cut;
    const wal = `${storeFiles(cut).events}-wal`;
    const content = await readFile(wal);
    const second = 32 + 2 * (24 + 8_192);
    content[second] = (content[second] ?? 0) ^ 1;
    await writeFile(wal, content);
    await rm(`${storeFiles(cut).events}.head`);
    const found = await recovers(false);
    const told = found === null ? [] : damageText(found);
    expect(told).toContain(`  потеряно последнее из записанного, сколько, неизвестно: повреждён ${wal}`);
    expect(told.join()).not.toContain('события целы');
    await recovers(true);
    expect(isRight(await verified())).toBe(true);
  });

  test('REV-2862 of a name of a stream that is damaged only its licence loses anything, of all of them the log can still be mended', async () => {
    const original = await eventsOf();
    const damaged = original.filter(({ type }) => type === 'LicenceRenewed')[2];
    const licenceId = damaged?.metadata.licenceId ?? '';
    const { events } = storeFiles(dataDir);
    const database = openDatabase(events);
    database.prepare('UPDATE streams SET checksum = checksum + 1 WHERE text = ?').run(damaged?.stream ?? '');
    const { rootpage } = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'streams'").get() as {
      readonly rootpage: number;
    };
    database.close();
    const lost = original.filter(({ metadata }) => metadata.licenceId === licenceId);
    expect((await recovers(false))?.salvage).toMatchObject({ end: null, kept: original.length - lost.length });
    await recovers(true);
    expect(isRight(await verified())).toBe(true);
    expect((await eventsOf()).filter(({ metadata }) => metadata.licenceId !== '')).toEqual(
      original.filter((event) => !lost.includes(event)),
    );

    await rm(dataDir, { recursive: true });
    cpSync(filled, dataDir, { recursive: true });
    const content = await readFile(events);
    content.fill(0, (rootpage - 1) * 8_192, rootpage * 8_192);
    await writeFile(events, content);
    expect((await recovers(true))?.salvage.kept).toBe(0);
    expect(isRight(await verified())).toBe(true);
  });

  test('BAK-3433 a row that is no event, whatever it is instead, is lost like one that is damaged, and ends neither recover nor a read', async () => {
    const { events } = storeFiles(dataDir);
    const [, , event] = (await eventsOf()).filter(({ stream }) => stream.startsWith('licence-'));
    const position = event?.position ?? 0;
    const changed = async (sql: string, ...values: readonly (Uint8Array | number)[]) => {
      const database = openDatabase(events);
      database.prepare(sql).run(...values);
      database.close();
      const damage = await recovers(false);
      await rm(dataDir, { recursive: true });
      cpSync(filled, dataDir, { recursive: true });
      return damage;
    };
    const database = openDatabase(events);
    const row = database.prepare('SELECT * FROM events WHERE position = ?').get(position) as {
      readonly stream: number;
      readonly revision: number;
      readonly licence: number;
      readonly payload: Uint8Array;
    };
    database.close();
    const content = Buffer.from(row.payload).subarray(4);
    // Any single byte may stand in front of it as well.
    const data = content.indexOf(JSON.stringify(event?.data));
    expect(data).toBeGreaterThan(0);
    /** With a checksum that fits. */
    const payload = (bytes: Uint8Array): Uint8Array => {
      const place = Buffer.from(new Float64Array([position, row.stream, row.revision, row.licence]).buffer);
      const sum = Buffer.alloc(4);
      sum.writeUInt32LE(crc32(bytes, crc32(place)));
      return Buffer.concat([sum, bytes]);
    };
    const text = (json: string): Uint8Array => payload(Buffer.concat([content.subarray(0, data), Buffer.from(json)]));
    const put = 'UPDATE events SET payload = ? WHERE position = ?';
    const whole = await changed(put, payload(content), position);
    expect(whole).toBeNull();
    const licenceId = event?.metadata.licenceId ?? '';
    const lost = [
      await changed('UPDATE events SET payload = CAST(payload AS TEXT) WHERE position = ?', position),
      await changed('UPDATE events SET payload = 7 WHERE position = ?', position),
      await changed(put, payload(content.subarray(0, 9)), position),
      await changed(put, payload(Buffer.concat([content.subarray(0, 23), Buffer.alloc(4_000, 255)])), position),
      await changed(put, text('{"a":'), position),
      await changed(put, text('null'), position),
      await changed(put, text('[1]'), position),
      await changed(put, text(`{"a":${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}}`), position),
    ];
    for (const damage of lost)
      expect(damage?.salvage).toMatchObject({ end: null, licences: [{ licenceId, from: position }] });
  });

  test('BAK-3661 broken off before the log is replaced, as on a full disk, it leaves nothing half written', async () => {
    spoil(3);
    const { credentials } = storeFiles(dataDir);
    await writeFile(credentials, 'no store of anything');
    const names = async () => (await readdir(dataDir)).filter((name) => !name.startsWith('lock')).toSorted();
    const before = await names();
    await expect(recovers(true)).rejects.toThrow('credentials.db');
    expect(await names()).toEqual(before);
  });

  test('BAK-3434 a log that lost its index of commands is mended, one with code of somebody else in it is refused @deep', async () => {
    const { events } = storeFiles(dataDir);
    const runs = (sql: string): void => {
      const database = openDatabase(events);
      database.exec(sql);
      database.close();
    };
    const before = await eventsOf();
    runs('DROP TABLE commands');
    await expect(checkLog(events, tool().signal)).rejects.toThrow('no such table: commands');
    expect((await recovers(false))?.salvage).toMatchObject({ isTangled: true, lost: [], commands: null });
    await recovers(true);
    expect((await eventsOf()).slice(0, before.length)).toEqual(before);
    expect(isRight(await verified())).toBe(true);
    // Rows that no append has written.
    for (const row of [
      "'a text', 1, 1",
      "x'00', 1, 1",
      "zeroblob(16), 'one', 1",
      'zeroblob(16), 1, 1.5',
      'zeroblob(16), 2, 1',
      'zeroblob(16), -1, 1',
    ]) {
      runs(`INSERT INTO commands VALUES (${row})`);
      expect((await recovers(false))?.salvage).toMatchObject({ isTangled: true, lost: [], commands: null });
      runs("DELETE FROM commands WHERE typeof(key) <> 'blob' OR key IN (x'00', zeroblob(16))");
      expect(await recovers(false)).toBeNull();
    }
    runs('CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM events; END');
    await expect(recovers(false)).rejects.toThrow('has views or triggers');
    await expect(eventsOf()).rejects.toThrow('has views or triggers');
    runs('DROP TRIGGER more; ALTER TABLE events RENAME TO rows; CREATE VIEW events AS SELECT * FROM rows');
    await expect(recovers(false)).rejects.toThrow('has views or triggers');
  });

  test('BAK-2803 a lost head mark is no damage, a damaged one is; a folder in use is left alone', async () => {
    const { events } = storeFiles(dataDir);
    await writeFile(`${events}.head`, 'nonsense');
    expect((await recovers(false))?.salvage.lost).toEqual([]);
    await recovers(true);
    expect(isRight(await verified())).toBe(true);
    await rm(`${events}.head`);
    expect(await recovers(false)).toBeNull();
    const zakup = await started();
    await expect(recovers(true)).rejects.toThrow('уже использует другой процесс');
    await zakup.shutdown.stop('tried');
  });
});

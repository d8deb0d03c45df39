import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import { sqliteTables } from '@zakup/credentials/sqlite/sqlite-tables';
import { declaredFields } from '@zakup/contracts/read-models';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { sealer } from '@zakup/projector/sealing/sealer';
import { hashOfSeal, sealKeyOf } from '@zakup/seals/seal';
import type { SealHead } from '@zakup/seals/seal-heads';
import { sqliteSealStore } from '@zakup/seals/sqlite/sqlite-seal-store';
import { testSalt } from '@zakup/seals/testing/sealed';
import { keyFiles } from '@zakup/standalone/data-dir/data-dir-secrets';
import { rebuildAll } from '@zakup/projector/rebuild';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import { refusalText } from '@zakup/service-kit/refusal-text';
import { lockDataDir } from '@zakup/standalone/data-dir/data-dir-lock';
import { storeFiles } from '@zakup/standalone/data-dir/store-files';
import { fileTellers } from '@zakup/standalone/file-tellers';
import { migrate, type Migrated, type MigrateOptions } from '@zakup/standalone/migrate/migrate';
import { openSource } from '@zakup/standalone/migrate/source';
import { openTarget, type TargetServers } from '@zakup/standalone/migrate/target';
import { verifySeals } from '@zakup/standalone/verify/verify-seals';
import { openDatabase } from '@zakup/sqlite/engine';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventStoreDbServer } from '../support/eventstoredb-server.ts';
import { readModelsOf } from '../support/fold-from-scratch.ts';
import { mongoDbServer } from '../support/mongodb-server.ts';

const recorded = fileURLToPath(new URL('../fixtures/data-dir-1', import.meta.url));
const events = await eventStoreDbServer();
const documents = await mongoDbServer();
afterAll(() => Promise.all([events.stop(), documents.stop()]));

let base: string;
let folder: string;
let servers: TargetServers;
const newServers = (): TargetServers => {
  const name = randomBytes(6).toString('hex');
  return { eventStoreDbUrl: events.url, eventStoreDbNamespace: `m${name}`, mongoDbUrl: documents.url(`zakup_${name}`) };
};

/** A data folder as an installation left it. */
const unpack = async (to: string): Promise<void> => {
  for (const packed of await readdir(recorded, { recursive: true })) {
    if (!packed.endsWith('.gz') || packed.startsWith('documents.json') || packed.startsWith('lock')) continue;
    const file = join(to, packed.replace(/\.gz$/u, ''));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, gunzipSync(await readFile(join(recorded, packed))), { mode: 0o600 });
  }
};

/** Gives every licence of the folder two seals, the last one before its last event; `asOf`: the events as they were when they were sealed. */
const seal = async (dir: string, asOf = (event: RecordedEvent): RecordedEvent => event): Promise<void> => {
  const files = storeFiles(dir);
  const eventStore = await sqliteEventStore({ file: files.events });
  const then = {
    read: async (...asked: Parameters<typeof eventStore.read>) => (await eventStore.read(...asked)).map(asOf),
    readLicence: async (...asked: Parameters<typeof eventStore.readLicence>) =>
      (await eventStore.readLicence(...asked)).map(asOf),
  };
  const seals = sqliteSealStore({ file: files.seals });
  const key = sealKeyOf((await readFile(keyFiles(dir).sealKey, 'utf8')).trim());
  await seals.addKey({ fingerprint: key.fingerprint, publicKey: key.publicKey, since: '2026-11-29T00:00:00.000Z' });
  const all: RecordedEvent[] = [];
  const stop = new AbortController();
  for await (const message of eventStore.subscribe({ after: 0, signal: stop.signal })) {
    if (message.kind === 'caught_up') break;
    all.push(...message.events);
  }
  stop.abort();
  for (const part of [all.slice(0, 50), all.slice(50, -2)]) {
    const now = (): number => Date.parse(part.at(-1)?.recordedAt ?? '') + 3_600_000;
    const after = await seals.followed();
    const sealing = sealer({ eventStore: then, seals, key, fence: 1, after, now, random: () => testSalt });
    sealing.take(part);
    await sealing.settle();
  }
  await seals.close();
  await eventStore.close();
};

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'zakup-migrate-base-'));
  await unpack(base);
  await seal(base);
});
afterAll(() => rm(base, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zakup-migrate-test-'));
  // In one turn: what this process had open there is closed for good whenever its statements are collected, and files go with it.
  cpSync(base, join(folder, 'data'), { recursive: true });
  servers = newServers();
});
afterEach(async () => {
  const client = new MongoClient(servers.mongoDbUrl);
  await client.db().dropDatabase();
  await client.close();
  await rm(folder, { recursive: true, force: true });
});

type Wishes = Pick<MigrateOptions, 'dryRun' | 'onStep'> & { readonly from?: string; readonly to?: TargetServers };
const migrates = async ({ from = join(folder, 'data'), to = servers, ...more }: Wishes = {}): Promise<Migrated> => {
  const source = await openSource(from);
  try {
    const target = await openTarget(to);
    try {
      return await migrate({ source, target, now: Date.now(), signal: new AbortController().signal, ...more });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};
const refusal = async (work: Promise<unknown>): Promise<string> =>
  refusalText(
    await work.then(
      () => new Error('It was not refused'),
      (error: unknown) => error,
    ),
    3000,
    fileTellers,
  );
const onTarget = async <Result>(work: (target: Awaited<ReturnType<typeof openTarget>>) => Promise<Result>) => {
  const target = await openTarget(servers);
  try {
    return await work(target);
  } finally {
    await target.close();
  }
};
/** As `verify` looks: chains, seals and the index of commands. */
const sealsOnServer = () =>
  onTarget(async ({ eventStore, seals }) => {
    const commands = { readCommand: (key: string) => eventStore.readCommand(key), keyOf: commandKeyOf };
    return verifySeals({ eventStore, seals, commands });
  });

class Died extends Error {}

const ofLog = new Set(['begun', 'claimed', 'written', 'noted']);
const allSteps = new Set([...ofLog, 'credentials', 'salt', 'seal', 'followed', 'reset', 'done']);

describe('npm run migrate', () => {
  test('MGR-2960 moves everything: seals attest the events where they were, commands are found, the folder stays byte for byte', async () => {
    const filesOf = async () => {
      const found: Record<string, string> = {};
      for (const name of ['events.db', 'credentials.db', 'seals.db', 'keys/seal-key', 'version.json'])
        found[name] = (await readFile(join(folder, 'data', name))).toString('base64');
      return found;
    };
    const before = await filesOf();
    const steps: string[] = [];
    const done = await migrates({ onStep: (step) => steps.push(step) });
    expect(done).toMatchObject({ kind: 'done', difference: null, wentOnFrom: null, faults: [] });
    expect(done.events).toBeGreaterThan(20);
    expect(done.commands).toBeGreaterThan(5);
    expect(done.credentials).toBeGreaterThan(3);
    expect(done.seals).toBeGreaterThan(0);
    expect(new Set(steps)).toEqual(allSteps);
    expect(await filesOf()).toEqual(before);
    const checked = await sealsOnServer();
    expect(checked).toMatchObject({ seals: done.seals, faults: [] });
  });

  test('MGR-2961 broken off behind every single write it goes on, writes nothing twice, and ends the same', async () => {
    const died = new Set<string>();
    const source = await openSource(join(folder, 'data'));
    const ended = await onTarget(async (target) => {
      // First behind each write of the log, then behind each of what follows it.
      let [step, isInLog] = [1, true];
      for (;;) {
        let count = 0;
        const onStep = (name: string): void => {
          count += 1;
          const leavesLog = isInLog && !ofLog.has(name);
          if (count < step && !leavesLog) return;
          if (leavesLog) [step, isInLog] = [1, false];
          // A seal is not added again: what follows it has its number next time.
          else if (name !== 'seal') step += 1;
          died.add(name);
          throw new Died(name);
        };
        const options = { source, target, now: Date.now(), signal: new AbortController().signal, noteEvery: 10 };
        const result = await migrate({ ...options, onStep }).catch((error: unknown) => error);
        if (!(result instanceof Died)) return result;
      }
    });
    await source.close();
    expect(ended).toMatchObject({ kind: 'before' });
    expect(died).toEqual(allSteps);
    expect((await sealsOnServer()).faults).toEqual([]);
    // A server that was filled in one go holds the same.
    const [atOnce, often] = [newServers(), servers];
    const whole = await migrates({ to: atOnce });
    expect(whole).toMatchObject({ kind: 'done' });
    const readAll = async (to: TargetServers) => {
      const target = await openTarget(to);
      try {
        const own: string[] = [];
        const stop = new AbortController();
        for await (const message of target.eventStore.subscribe({ after: 0, signal: stop.signal })) {
          if (message.kind === 'caught_up') break;
          own.push(...message.events.map((event) => JSON.stringify({ ...event, position: 0 })));
        }
        stop.abort();
        return own;
      } finally {
        await target.close();
      }
    };
    expect(await readAll(often)).toEqual(await readAll(atOnce));
  });

  test('MGR-2962 killed by the system in the middle, the same call ends it @deep', async () => {
    const script = fileURLToPath(new URL('../../scripts/migrate.ts', import.meta.url));
    const env = {
      PATH: process.env['PATH'] ?? '',
      EVENTSTOREDB_URL: servers.eventStoreDbUrl,
      EVENTSTOREDB_NAMESPACE: servers.eventStoreDbNamespace ?? '',
      MONGODB_URL: servers.mongoDbUrl,
      LOG_LEVEL: 'error',
    };
    const words = ['--import', 'tsx', script, '--from', join(folder, 'data')];
    const child = spawn(process.execPath, words, { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const client = new MongoClient(servers.mongoDbUrl);
    // The mark is the first thing that is written.
    await expect
      .poll(() => client.db().collection<{ _id: string }>('notices').countDocuments({ _id: 'migration' }), {
        interval: 5,
        timeout: 120_000,
      })
      .toBe(1);
    await client.close();
    child.kill('SIGKILL');
    await ended;
    const again = await new Promise<{ code: number | null; out: string }>((resolve) => {
      const second = spawn(process.execPath, words, { env });
      let out = '';
      second.stdout.on('data', (data: Buffer) => (out += data.toString()));
      second.on('exit', (code) => resolve({ code, out }));
    });
    expect(again.code).toBe(0);
    expect(again.out).toMatch(/Перенесено и сверено|уже перенесена/u);
    expect((await sealsOnServer()).faults).toEqual([]);
  });

  test('MGR-2963 refuses servers that hold something else, another source, and a source that was changed meanwhile', async () => {
    const other = join(folder, 'other');
    cpSync(join(folder, 'data'), other, { recursive: true });
    const log = await sqliteEventStore({ file: storeFiles(other).events });
    const metadata = {
      licenceId: 'ff00',
      actorId: 'system',
      source: 'system',
      commandId: '10000000-0000-4000-8000-000000000001',
      requestHash: '',
      at: '2026-11-29T00:00:00.000Z',
      schemaVersion: 1,
    } as const;
    await log.append([
      {
        stream: 'channel-ff00~1',
        expectedRevision: 'no_stream',
        events: [
          {
            id: '20000000-0000-4000-8000-000000000001',
            type: 'ChannelCreated',
            data: { name: 'x', avatar: '' },
            metadata,
          },
        ],
      },
    ]);
    await log.close();
    let count = 0;
    const dies = (): void => {
      count += 1;
      if (count > 10) throw new Died();
    };
    await expect(migrates({ onStep: dies })).rejects.toThrow(Died);
    expect(await refusal(migrates({ from: other }))).toContain('начат перенос другой папки данных, или эта изменилась');
    expect(await migrates()).toMatchObject({ kind: 'done' });
    expect(await migrates()).toMatchObject({ kind: 'before' });
    // Without its mark it is data like any other.
    const client = new MongoClient(servers.mongoDbUrl);
    await client.db().collection<{ _id: string }>('notices').deleteOne({ _id: 'migration' });
    await client.close();
    expect(await refusal(migrates())).toContain('На серверах уже есть данные (журнал событий)');
  });

  test('MGR-2964 refuses a folder that a process has open, is newer, lacks a key or is none', async () => {
    const lock = lockDataDir(join(folder, 'data'));
    // The lock is of the operating system: another process asks.
    const script = fileURLToPath(new URL('../../scripts/migrate.ts', import.meta.url));
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', script, '--from', join(folder, 'data')],
      {
        env: {
          PATH: process.env['PATH'] ?? '',
          EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false',
          MONGODB_URL: 'mongodb://127.0.0.1:1/zakup',
        },
        encoding: 'utf8',
      },
    );
    lock.release();
    expect(status).toBe(1);
    expect(stderr).toContain('уже использует другой процесс');
    expect(await refusal(migrates({ from: join(folder, 'nothing') }))).toContain('нет данных Zakup');
    await rm(join(folder, 'data/keys/seal-key'));
    expect(await refusal(migrates())).toContain('seal-key: перенос был бы неполным');
    await writeFile(join(folder, 'data/version.json'), '{"format":99}');
    expect(await refusal(migrates())).toContain('более новой версией');
  });

  test('MGR-3439 refuses a folder in which a store or a key is a pipe or a folder, and does not wait for it', async () => {
    const [seals, key] = [join(folder, 'data/seals.db'), join(folder, 'data/keys/seal-key')];
    const text = await readFile(key);
    await rm(key);
    await mkdir(key);
    expect(await refusal(migrates())).toContain(`${key}: это не файл`);
    await rm(key, { recursive: true });
    await writeFile(key, text);
    await rm(seals);
    spawnSync('mkfifo', [seals]);
    expect(await refusal(migrates())).toContain(`${seals}: это не файл`);
  });

  test('MGR-2965 finds a row and a seal that are others, and does not end', async () => {
    await expect(
      migrates({
        onStep: (step) => {
          if (step === 'reset') throw new Died();
        },
      }),
    ).rejects.toThrow(Died);
    const client = new MongoClient(servers.mongoDbUrl);
    const chats = client.db().collection<{ _id: string; chat: string }>('messenger_chats');
    await chats.insertOne({ _id: 'somebody', chat: '1' });
    const wrong = await migrates();
    expect(wrong).toMatchObject({ kind: 'different' });
    expect(wrong.difference).toContain('учётные данные, таблица chats');
    await chats.deleteOne({ _id: 'somebody' });
    const seals = client.db().collection('seals');
    await seals.updateOne({}, { $inc: { position: 1 } });
    await client.close();
    await expect(migrates()).rejects.toThrow('does not match its hash');
  });

  test('MGR-3362 a history that was rewritten before is moved as it is, and its licence is named: it does not fit its seals', async () => {
    const forged = join(folder, 'forged');
    await unpack(forged);
    await seal(forged, (event) => (event.revision === 1 ? { ...event, type: 'ChannelRenamed' } : event));
    const done = await migrates({ from: forged });
    expect(done.kind).toBe('done');
    expect(done.faults.map(({ kind }) => kind)).toContain('different');
    expect((await sealsOnServer()).faults).toEqual(done.faults);
    const again = await migrates({ from: forged });
    expect([again.kind, again.faults]).toEqual(['before', done.faults]);
  });

  test('MGR-2969 finds an event that stands on the server alone, and names its stream', async () => {
    await expect(
      migrates({
        onStep: (step) => {
          if (step === 'credentials') throw new Died();
        },
      }),
    ).rejects.toThrow(Died);
    await onTarget(async ({ eventStore }) => {
      const stop = new AbortController();
      for await (const message of eventStore.subscribe({ after: 0, signal: stop.signal })) {
        if (message.kind === 'caught_up') break;
        const [any] = message.events;
        await eventStore.append([
          {
            stream: any.stream,
            expectedRevision: 'any',
            events: [{ ...any, id: '30000000-0000-4000-8000-000000000001' }],
          },
        ]);
        break;
      }
      stop.abort();
    });
    const wrong = await migrates();
    expect(wrong).toMatchObject({ kind: 'different' });
    expect(wrong.difference).toMatch(/^поток .*: в источнике событий \d+, на сервере \d+/u);
  });

  test('MGR-2966 shows the same read models as the log of before, but for their positions @deep', async () => {
    await migrates();
    const source = await sqliteEventStore({ file: storeFiles(join(folder, 'data')).events });
    const [here, there] = [
      inMemoryReadStore({ declared: declaredFields }),
      inMemoryReadStore({ declared: declaredFields }),
    ];
    await rebuildAll({ eventStore: source, readStore: here, now: Date.now });
    await onTarget(({ eventStore }) => rebuildAll({ eventStore, readStore: there, now: Date.now }));
    const plainly = async (readStore: typeof here) =>
      JSON.parse(
        JSON.stringify(await readModelsOf(readStore), (name, value: unknown) =>
          name === 'position' || name === 'id' ? undefined : value,
        ),
      ) as object;
    expect(await plainly(there)).toEqual(await plainly(here));
    await source.close();
  });

  test('MGR-2967 says what it would do without writing, and sends browsers of before to the beginning', async () => {
    expect(await migrates({ dryRun: true })).toMatchObject({ kind: 'planned' });
    expect(await onTarget((target) => target.filledWith())).toBeNull();
    await migrates();
    await onTarget(async ({ readStore, eventStore }) => {
      expect(await readStore.checkpoint(allPartitions)).toBeNull();
      const licenceId = '3f1';
      const changes = await readStore.changesSince({
        licenceId,
        scope: 'workspace',
        since: (await eventStore.head()) - 1,
        partition: allPartitions,
      });
      expect(changes.reset).toBe(true);
    });
  });

  test('MGR-3662 refuses seals that the log does not reach, that others know to be more, or that do not follow each other, before anything is written', async () => {
    const from = storeFiles(join(folder, 'data'));
    const alter = (file: string, sql: string): void => {
      const database = openDatabase(file);
      database.exec(sql);
      database.close();
    };
    const anew = async (): Promise<void> => {
      await rm(join(folder, 'data'), { recursive: true });
      cpSync(base, join(folder, 'data'), { recursive: true });
    };
    /** As the credential store has it. */
    const knows = async (head: SealHead): Promise<void> => {
      const tables = sqliteTables(from.credentials);
      await tables.transaction((inside) => inside.sealHeads.put(head));
      await tables.close();
    };
    // A log that is cut off behind what its mark says, and behind what its seals say.
    alter(from.events, 'DELETE FROM events WHERE position > 100; DELETE FROM commands WHERE last > 100');
    expect(await refusal(migrates())).toContain(
      `${from.events} заканчивается на позиции 100, а по ${from.events}.head`,
    );
    await rm(`${from.events}.head`);
    expect(await refusal(migrates())).toContain(`${from.events} заканчивается на позиции 100, а по ${from.seals}`);
    await anew();
    // An older store of seals beside newer credentials.
    await knows({ licenceId: 'aa', number: 3, hash: '0'.repeat(64), position: 5 });
    expect(await refusal(migrates())).toContain('Печать № 3 лицензии aa пропала');
    await anew();
    const changeable = 'DROP TRIGGER seals_are_not_changed; DROP TRIGGER seals_are_not_removed;';
    alter(from.seals, `${changeable} DELETE FROM seals WHERE number = 1`);
    expect(await refusal(migrates())).toMatch(/^Печать № 2 лицензии \w+ не продолжает предыдущую\. Проверьте папку/u);
    await anew();
    // The seal is right, its place in the log is not.
    const stored = sqliteSealStore({ file: from.seals });
    const [licenceId] = (await stored.licences()).toSorted();
    const last = await stored.last(licenceId ?? '');
    await stored.close();
    if (last === null) throw new Error('There is no seal');
    const { number } = last.seal;
    await knows({ licenceId: licenceId ?? '', number, hash: hashOfSeal(last.seal), position: 99_999_999 });
    expect(await refusal(migrates())).toContain(
      `Последняя печать № ${number} лицензии ${licenceId} по учётным данным удостоверяет событие на позиции 99999999`,
    );
    expect(await onTarget((target) => target.filledWith())).toBeNull();
    expect(await onTarget(({ marks }) => marks.read())).toBeNull();
  });

  test('MGR-3663 refuses to call a move done, or to go on with it, beside a log that does not hold its events', async () => {
    const elsewhere = { ...servers, eventStoreDbNamespace: newServers().eventStoreDbNamespace };
    let steps = 0;
    const dies = (): void => {
      steps += 1;
      if (steps > 30) throw new Died();
    };
    const source = await openSource(join(folder, 'data'));
    const options = { source, now: Date.now(), signal: new AbortController().signal, noteEvery: 5, onStep: dies };
    await expect(onTarget((target) => migrate({ ...options, target }))).rejects.toThrow(Died);
    await source.close();
    const notThere = 'По MONGODB_URL перенос уже шёл, а на EVENTSTOREDB_URL его событий нет';
    expect(await refusal(migrates({ to: elsewhere }))).toContain(notThere);
    expect(await migrates()).toMatchObject({ kind: 'done' });
    expect(await refusal(migrates({ to: elsewhere }))).toContain(notThere);
    expect(await migrates()).toMatchObject({ kind: 'before' });
    await onTarget(({ readStore }) => readStore.note('migration', { source: 7, position: -1 }));
    expect(await refusal(migrates())).toContain('Отметка о переносе на серверах (notices, migration) повреждена');
  });

  test('MGR-3664 an answer that is lost and one that comes late move nothing twice', async () => {
    const { faults } = events;
    // Only a stand-in loses answers to order.
    if (faults !== null) {
      void faults.loseAnswer(3, 'cut');
      void faults.loseAnswer(2, 'timeout', /placement/u);
      faults.delay(5);
    }
    try {
      expect(await migrates()).toMatchObject({ kind: 'done', difference: null });
    } finally {
      faults?.allow();
    }
    expect((await sealsOnServer()).faults).toEqual([]);
  });

  test('MGR-2968 refuses an index of commands that does not lead to its events', async () => {
    const database = openDatabase(storeFiles(join(folder, 'data')).events);
    database.exec('UPDATE commands SET last = last + 1 WHERE first = (SELECT min(first) FROM commands)');
    database.close();
    expect(await refusal(migrates())).toContain('Указатель команд источника не сходится с журналом');
  });
});

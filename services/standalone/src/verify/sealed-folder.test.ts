import { cpSync } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '@zakup/event-store/event-store';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { sealer } from '@zakup/projector/sealing/sealer';
import type { SealStore } from '@zakup/seals/seal-store';
import { sqliteSealStore } from '@zakup/seals/sqlite/sqlite-seal-store';
import { sampleEvent, testKey, testSalt } from '@zakup/seals/testing/sealed';
import { refusalText } from '@zakup/service-kit/refusal-text';
import { openDatabase } from '@zakup/sqlite/engine';
import { testStart } from '@zakup/service-kit/testing/started';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { keyFiles } from '../data-dir/data-dir-secrets.ts';
import { storeFiles } from '../data-dir/store-files.ts';
import { fileTellers } from '../file-tellers.ts';
import { startStandalone } from '../standalone.ts';
import { verifySeals } from './verify-seals.ts';
import { isRight, verifiedText, type VerifyOptions, verifyStores } from './verify-stores.ts';

const licenceId = '3f1';
const hour = 3_600_000;
let dir: string;

const append = async (eventStore: EventStore, numbers: number): Promise<void> => {
  for (let number = 1; number <= numbers; number += 1)
    await eventStore.append([
      { stream: `placement-${licenceId}~1`, expectedRevision: 'any', events: [sampleEvent(licenceId, number)] },
    ]);
};
/** An ordinary start; `filled`: of a log that was filled an hour ago. */
const start = (filled?: (eventStore: EventStore) => Promise<void>) =>
  startStandalone({
    ...testStart({ DATA_DIR: dir }),
    webDist: dir,
    ...(filled !== undefined && {
      demo: {
        clock: () => Date.now() - hour,
        fill: async ({ eventStore }) => {
          await filled(eventStore);
          return null;
        },
        codes: ['', ''],
      },
    }),
  });
const opened = async (): Promise<void> => {
  const zakup = await start();
  try {
    await zakup.opened;
  } finally {
    await zakup.shutdown.stop('tried');
  }
};
const refusal = async (): Promise<string> =>
  refusalText(await opened().catch((reason: unknown) => reason), 3000, fileTellers);
const withSeals = async <Result>(work: (seals: SealStore) => Promise<Result>): Promise<Result> => {
  const seals = sqliteSealStore({ file: storeFiles(dir).seals });
  try {
    return await work(seals);
  } finally {
    await seals.close();
  }
};
/** Without these files while the work is done. */
const without = async <Result>(files: readonly string[], work: () => Promise<Result>): Promise<Result> => {
  const all = files.flatMap((file) => [file, `${file}-wal`, `${file}-shm`]);
  for (const file of all) await rename(file, `${file}.away`).catch(() => undefined);
  try {
    return await work();
  } finally {
    for (const file of all) await rename(`${file}.away`, file).catch(() => undefined);
  }
};

/** As whoever has the file can do. */
const alter = (file: string, sql: string): void => {
  const database = openDatabase(file);
  database.exec(sql);
  database.close();
};
/** A copy of the folder while the work is done on it. */
const onCopy = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const original = dir;
  dir = await mkdtemp(join(tmpdir(), 'zakup-sealed-copy-'));
  try {
    // In one turn: what this process had open there is closed for good whenever its statements are collected, and files go with it.
    cpSync(original, dir, { recursive: true });
    return await work();
  } finally {
    await rm(dir, { recursive: true, force: true });
    dir = original;
  }
};
const verifying = (more: Partial<VerifyOptions> = {}) => {
  const { config, log } = testStart({ DATA_DIR: dir });
  const signal = new AbortController().signal;
  return verifyStores({ config, log, print: () => undefined, signal, heal: false, ...more });
};
const forgetSeals = () => verifying({ forgetsSeals: true });

describe('a data folder with seals', () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'zakup-sealed-'));
    const zakup = await start((eventStore) => append(eventStore, 5));
    await zakup.ready;
    const isSealed = async (seals: SealStore): Promise<void> => {
      if ((await seals.reached()) < 5) throw new Error('Not sealed yet');
    };
    await withSeals((seals) => vi.waitFor(() => isSealed(seals), { timeout: 40_000 }));
    await zakup.shutdown.stop('sealed');
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  test('SEAL-51 the single process seals its log, with a key that is in a file of its own, readable by its owner alone', async () => {
    const key = keyFiles(dir).sealKey;
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    const eventStore = await sqliteEventStore({ file: storeFiles(dir).events, clock: Date.now });
    const found = await withSeals((seals) => verifySeals({ eventStore, seals }));
    expect(found).toEqual({ licences: 1, seals: 1, events: 5, unsealed: 0, faults: [] });
    await eventStore.close();
  });

  test('SEAL-52 a second start goes on with the same seals and key', async () => {
    const before = await withSeals(async (seals) => [await seals.read(licenceId), await seals.keys()]);
    const zakup = await start();
    await zakup.ready;
    await zakup.shutdown.stop('started');
    expect(await withSeals(async (seals) => [await seals.read(licenceId), await seals.keys()])).toEqual(before);
  });

  test('SEAL-53 a log that ends before the last seal is refused, naming the file of seals, also when nothing else knows better', async () => {
    const { events, readModels, seals } = storeFiles(dir);
    const text = await without([events, `${events}.head`, readModels], async () => {
      const older = await sqliteEventStore({ file: events, clock: () => Date.now() - hour });
      await append(older, 3);
      await older.close();
      const told = await refusal();
      for (const file of [
        events,
        `${events}-wal`,
        `${events}-shm`,
        `${events}.head`,
        readModels,
        `${readModels}-wal`,
        `${readModels}-shm`,
      ])
        await rm(file, { force: true });
      return told;
    });
    expect(text).toContain(`Журнал ${events} заканчивается на позиции 3, а по ${seals} он доходил до 5`);
  });

  test('SEAL-1335 seals that were all deleted, and those that the server itself made anew, are refused by what is known elsewhere', async () => {
    await onCopy(async () => {
      alter(
        storeFiles(dir).seals,
        'DROP TRIGGER seals_are_not_removed; DELETE FROM seals; UPDATE progress SET followed = 0',
      );
      expect(await refusal()).toBe(
        `Печать № 1 лицензии 3f1 пропала, а по ${storeFiles(dir).credentials} она была: похоже, печати удалены или на их месте старая копия. Верните печати из копии.`,
      );
      // As a server of before would make them.
      const eventStore = await sqliteEventStore({ file: storeFiles(dir).events, clock: Date.now });
      await withSeals(async (store) => {
        const now = Date.now();
        const one = sealer({
          eventStore,
          seals: store,
          key: testKey,
          fence: 9,
          after: 0,
          now: () => now,
          random: () => testSalt,
        });
        one.take(await eventStore.readLicence(licenceId));
        await one.settle();
        expect((await store.last(licenceId))?.seal.total).toBe(5);
      });
      await eventStore.close();
      expect(await refusal()).toContain('Печать № 1 лицензии 3f1 не та, что известна по');
      await expect(verifying()).rejects.toMatchObject({ name: 'SealsReplaced', kind: 'beside' });
      // Either of the two places is enough.
      expect(await without([storeFiles(dir).readModels], refusal)).toContain(storeFiles(dir).credentials);
      alter(storeFiles(dir).credentials, 'DELETE FROM sealHeads');
      expect(await refusal()).toContain(`не та, что известна по ${storeFiles(dir).readModels}`);
    });
  });

  test('VERI-3654 a salt that is gone is told by name, with its licence', async () => {
    await onCopy(async () => {
      alter(storeFiles(dir).seals, 'DELETE FROM salts');
      const found = await verifying();
      expect(isRight(found)).toBe(false);
      expect(verifiedText(found).join('\n')).toContain(`лицензии ${licenceId}: соль печатей пропала`);
    });
  });

  test('SEAL-54 seals without their key, and a key without its seals, are refused by name', async () => {
    const { seals } = storeFiles(dir);
    const key = keyFiles(dir).sealKey;
    expect(await without([seals], refusal)).toContain(`Нет ${seals}, а ${key} есть`);
    expect(await without([key], refusal)).toContain(`Нет ${key}, а ${seals} есть`);
    // Both are known to have been; the operator may say that they are lost.
    const zakup = await without([seals, key], async () => {
      expect(await refusal()).toContain('Печать № 1 лицензии 3f1 пропала');
      await forgetSeals();
      const started = await start();
      await started.ready;
      await started.shutdown.stop('started');
      for (const file of [seals, `${seals}-wal`, `${seals}-shm`, key]) await rm(file, { force: true });
      return started.address;
    });
    expect(zakup).toContain('http');
  });
});

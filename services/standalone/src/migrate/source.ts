import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import { sqliteTables } from '@zakup/credentials/sqlite/sqlite-tables';
import type { Tables } from '@zakup/credentials/tables';
import { storedHead } from '@zakup/event-store/sqlite/log-file';
import { type LogToMove, logToMove } from '@zakup/event-store/sqlite/log-to-move';
import { ensureHeads } from '@zakup/seals/seal-heads';
import type { SealStore } from '@zakup/seals/seal-store';
import { sqliteSealStore } from '@zakup/seals/sqlite/sqlite-seal-store';
import { databaseSnapshot } from '@zakup/sqlite/snapshot';
import { BackupRefused, neededParts } from '../backup/manifest.ts';
import { lockDataDir } from '../data-dir/data-dir-lock.ts';
import { formatOf, readFormat } from '../data-dir/data-dir-version.ts';
import { markedHead, refuseShorter } from '../data-dir/known-head.ts';
import { storeFiles } from '../data-dir/store-files.ts';

/** A data folder that nobody else has open. Its files are only read: what an adapter would write to is a copy. */
export interface MigrationSource {
  /** Absolute. */
  readonly path: string;
  readonly log: LogToMove;
  readonly credentials: Tables;
  readonly seals: SealStore;
  close(): Promise<void>;
}

const refuseUnfit = async (path: string): Promise<void> => {
  const format = existsSync(path) ? await readFormat(path) : null;
  if (format === null) throw new BackupRefused(`В ${path} нет данных Zakup: переносить нечего. Проверьте --from.`);
  if (format > formatOf())
    throw new BackupRefused(`Папка данных ${path} записана более новой версией. Обновите программу.`);
  if (format < formatOf())
    throw new BackupRefused(`Папка данных ${path} прежнего формата. Запустите на ней сервер один раз: он обновит её.`);
  for (const part of neededParts)
    if (!existsSync(join(path, part)))
      throw new BackupRefused(`Нет файла ${join(path, part)}: перенос был бы неполным. Верните его из копии.`);
};

/**
 * Throws `BackupRefused` and `DataDirRefused` with a text for the operator, `DataDirInUse` when a process has the folder, `LogBehind` where
 * the log had come further, `SealsReplaced` where the seals are not those that are known elsewhere in it.
 */
export const openSource = async (from: string): Promise<MigrationSource> => {
  const path = resolve(from);
  await refuseUnfit(path);
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).toReversed()) await one();
  };
  try {
    const lock = lockDataDir(path);
    closing.push(() => lock.release());
    const files = storeFiles(path);
    const log = logToMove(files.events, commandKeyOf);
    closing.push(() => log.close());
    const copies = await mkdtemp(join(tmpdir(), 'zakup-migrate-'));
    closing.push(() => rm(copies, { recursive: true, force: true }));
    const copyOf = async (file: string, name: string): Promise<string> => {
      const snapshot = databaseSnapshot(file);
      try {
        await snapshot.copyTo(join(copies, name));
      } finally {
        snapshot.close();
      }
      return join(copies, name);
    };
    const credentials = sqliteTables(await copyOf(files.credentials, 'credentials.db'));
    closing.push(() => credentials.close());
    const seals = sqliteSealStore({ file: await copyOf(files.seals, 'seals.db') });
    closing.push(() => seals.close());
    const [marked, sealed] = [markedHead(files.events) ?? 0, await seals.reached()];
    refuseShorter(files.events, storedHead(files.events), { marked, sealed, seals: files.seals });
    await ensureHeads(seals, [{ where: files.credentials, all: () => credentials.sealHeads.all() }]);
    return { path, log, credentials, seals, close };
  } catch (error) {
    await close();
    throw error;
  }
};

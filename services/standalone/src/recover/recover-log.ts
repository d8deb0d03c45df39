import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdtempSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import { sqliteCredentials } from '@zakup/credentials/sqlite/sqlite-credentials';
import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';
import { headMarkFile } from '@zakup/event-store/sqlite/head-mark';
import { type Salvage, surveyLog } from '@zakup/event-store/sqlite/log-salvage';
import { writeSalvaged } from '@zakup/event-store/sqlite/salvaged-log';
import { skipPositions } from '@zakup/event-store/sqlite/skipped-positions';
import { sealer } from '@zakup/projector/sealing/sealer';
import { sealKeyOf } from '@zakup/seals/seal';
import { cutSeals } from '@zakup/seals/sqlite/cut-seals';
import type { Config } from '@zakup/service-kit/config';
import { checkFile } from '@zakup/sqlite/check-file';
import { lengthByHeader } from '@zakup/sqlite/file-length';
import { UnusableFile } from '@zakup/sqlite/unusable-file';
import { BackupRefused } from '../backup/manifest.ts';
import { lockBackups, lockDataDir } from '../data-dir/data-dir-lock.ts';
import { type DataDirSecrets, dataDirSecrets, keyFiles } from '../data-dir/data-dir-secrets.ts';
import { formatOf, readFormat } from '../data-dir/data-dir-version.ts';
import { syncFolder } from '../data-dir/durable-file.ts';
import { markedHead, sealedTo } from '../data-dir/known-head.ts';
import { storeFiles } from '../data-dir/store-files.ts';
import { rebuildStores } from '../rebuild/rebuild-stores.ts';
import { positionsLeftOut, resetReaders } from '../restore/restore-backup.ts';
import type { Stores } from '../stores.ts';
import { type ToolOptions, withStores } from '../tools/with-stores.ts';

export interface LogDamage {
  /** The log. */
  readonly file: string;
  readonly salvage: Salvage;
  /** Its `-wal` where that is damaged: how much of what was written last went with it nobody knows; null = it is not. */
  readonly wal: string | null;
}

const suffixes = ['-wal', '-shm'] as const;

/** Leaves no file that reading made: without the operator's word nothing in the folder changes. */
const unchanged = <Result>(files: readonly string[], work: () => Result): Result => {
  const beside = files.flatMap((file) => suffixes.map((suffix) => `${file}${suffix}`));
  const absent = beside.filter((file) => !existsSync(file));
  try {
    return work();
  } finally {
    for (const file of absent) rmSync(file, { force: true });
  }
};

/** What is wrong with the file as such; null = nothing. */
const faultOf = (file: string): UnusableFile | null => {
  try {
    checkFile(file);
    return null;
  } catch (error) {
    if (error instanceof UnusableFile && (error.fault === 'damaged' || error.fault === 'cut_off')) return error;
    throw error;
  }
};

/** A copy as long as its own header says: SQLite reads nothing of a shorter one. */
const padded = (file: string, folder: string): string => {
  const copy = join(folder, 'events.db');
  copyFileSync(file, copy);
  truncateSync(copy, lengthByHeader(file));
  return copy;
};

/** Gives the log as it can be read: it, or a copy that is gone after the work. */
const onReadable = <Result>(file: string, work: (source: string) => Result): Result => {
  if (faultOf(file)?.fault !== 'cut_off') return work(file);
  const folder = mkdtempSync(join(tmpdir(), 'zakup-cut-off-'));
  try {
    return work(padded(file, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const surveyed = (dir: string): LogDamage | null => {
  const { events, seals } = storeFiles(dir);
  return unchanged([events, seals], () => {
    const marked = markedHead(events);
    const fault = faultOf(events);
    const bound = Math.max(marked ?? 0, sealedTo(seals));
    const salvage = onReadable(events, (source) => surveyLog(source, bound));
    const isWhole = salvage.lost.length === 0 && !salvage.isTangled && fault === null && marked !== null;
    const wal = fault !== null && fault.file !== events ? fault.file : null;
    return isWhole ? null : { file: events, salvage, wal };
  });
};

const keyOf = ({ metadata: { actorId, commandId, part } }: RecordedEvent): string =>
  commandKeyOf(actorId, commandId, part);

/** Puts a file in the place of another, which stays beside it under a name that says since when. */
const replaceFile = (file: string, by: string | null, stamp: string): void => {
  const kept = `${file}.damaged-${stamp}`;
  if (existsSync(file)) linkSync(file, kept);
  // What a WAL holds belongs to the file that it lies beside.
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${file}-wal.damaged-${stamp}`);
  rmSync(`${file}-shm`, { force: true });
  if (by === null) rmSync(file, { force: true });
  else renameSync(by, file);
};

const recoveredName = (file: string): string => `${file}.recovered`;

const removeRecovered = (dir: string): void => {
  const { events, seals } = storeFiles(dir);
  for (const file of [events, seals].map(recoveredName))
    for (const suffix of ['', '-journal', ...suffixes, '.head']) rmSync(`${file}${suffix}`, { force: true });
};

interface Writing {
  readonly now: number;
  readonly forgetHeads: () => Promise<void>;
}

/** Leaves nothing half written, as on a full disk. */
const written = async (dir: string, damage: LogDamage, writing: Writing): Promise<void> => {
  removeRecovered(dir);
  try {
    await replaced(dir, damage, writing);
  } finally {
    removeRecovered(dir);
  }
};

/** The damaged log goes last: until then the work is begun anew where it was broken off. */
const replaced = async (dir: string, { salvage }: LogDamage, { now, forgetHeads }: Writing): Promise<void> => {
  const { events, seals, readModels } = storeFiles(dir);
  const stamp = `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  const [newEvents, newSeals] = [events, seals].map(recoveredName) as [string, string];
  onReadable(events, (source) => writeSalvaged(source, newEvents, salvage, { now, keyOf }));
  const next = skipPositions(newEvents, { reason: 'recovered', ...positionsLeftOut(now), now });
  const licences = new Map(salvage.licences.map(({ licenceId, from }) => [licenceId, from]));
  // They know of seals that are gone with what they attested.
  await forgetHeads();
  if (existsSync(seals)) {
    await cutSeals(seals, newSeals, { licences, end: salvage.end });
    replaceFile(seals, newSeals, stamp);
  }
  replaceFile(readModels, null, stamp);
  await resetReaders(readModels, next);
  replaceFile(events, newEvents, stamp);
  // A mark that is there says less than the new log has.
  replaceFile(headMarkFile(events), headMarkFile(newEvents), stamp);
  await syncFolder(dir);
};

/** The keys of the folder. Throws `BackupRefused` where one is gone: with a new one what is there could not be read. */
const keptSecrets = (dir: string): Promise<DataDirSecrets> => {
  const { jwtSecret, credentialsKey, sealKey } = keyFiles(dir);
  const lost = [jwtSecret, credentialsKey, sealKey].filter((file) => !existsSync(file));
  if (lost.length > 0) throw new BackupRefused(`Нет ${lost.join(' и ')}. Верните ключи из копии.`);
  return dataDirSecrets(dir);
};

/** The last seals that lie with the credentials; those beside the read models go with these. */
const forgetHeads = async (
  dir: string,
  { credentialsKey }: DataDirSecrets,
  { sessionIdle }: Pick<Config, 'sessionIdle'>,
): Promise<void> => {
  const { credentials: file } = storeFiles(dir);
  if (!existsSync(file)) return;
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const credentials = sqliteCredentials({ file, key: credentialsKey, random, sessionIdle });
  try {
    await credentials.forgetSealHeads();
  } finally {
    await credentials.close();
  }
};

/** Seals what has lost its seals, so that nothing of it stays unattested. */
const seal = async (
  { eventStore, seals }: Pick<Stores, 'eventStore' | 'seals'>,
  sealKey: string,
  signal: AbortSignal,
): Promise<void> => {
  const fence = (await seals.fence()) + 1;
  const after = await seals.followed();
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const one = sealer({ after, eventStore, seals, key: sealKeyOf(sealKey), fence, now: Date.now, random });
  const until = await eventStore.head();
  for await (const events of batches(eventStore, after, until, signal)) {
    one.take(events);
    if (one.isFull()) await one.settle();
  }
  await one.settle();
  await seals.follow(one.followed(), fence);
};

async function* batches(
  eventStore: Pick<EventStore, 'subscribe'>,
  after: number,
  until: number,
  signal: AbortSignal,
): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
  if (after >= until) return;
  for await (const message of eventStore.subscribe({ after, signal })) {
    if (message.kind === 'caught_up') return;
    yield message.events;
    if ((message.events.at(-1)?.position ?? 0) >= until) return;
  }
}

/**
 * What is damaged in the log of a data folder that no server has, and what is lost by it; null = nothing is. Changes nothing unless it
 * `writes`: then the log goes on with what is whole, each licence up to its first loss and behind a gap of positions, seals and read models
 * fit it, and the damaged files stay beside. Throws `BackupRefused` where there is no log, `DataDirInUse` while a server has the folder, and
 * errors naming the file.
 */
export const recoverLog = async (
  options: ToolOptions,
  { writes, now }: { readonly writes: boolean; readonly now: number },
): Promise<LogDamage | null> => {
  const { config, signal } = options;
  const dir = resolve(config.dataDir);
  const format = existsSync(dir) ? await readFormat(dir) : null;
  const { events } = storeFiles(dir);
  if (format === null || !existsSync(events))
    throw new BackupRefused(`В ${dir} нет журнала: восстанавливать нечего. Верните копию: npm run restore`);
  if (format > formatOf())
    throw new BackupRefused(`Папка данных ${dir} записана более новой версией. Обновите программу.`);
  const lock = lockDataDir(dir);
  let letBackups = (): void => undefined;
  let sealKey: string;
  let damage: LogDamage | null;
  try {
    damage = surveyed(dir);
    if (damage === null || !writes) return damage;
    letBackups = lockBackups(dir);
    const secrets = await keptSecrets(dir);
    sealKey = config.sealKey ?? secrets.sealKey;
    await written(dir, damage, { now, forgetHeads: () => forgetHeads(dir, secrets, config) });
  } finally {
    letBackups();
    lock.release();
  }
  try {
    await withStores(options, (stores) => seal(stores, sealKey, signal), { trustsSeals: true });
    await rebuildStores(options);
  } catch (error) {
    // The server seals and builds what is left.
    if (!signal.aborted) throw error;
  }
  return damage;
};

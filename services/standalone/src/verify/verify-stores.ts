import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';
import { type LogSkip, skipOf } from '@zakup/event-store/sqlite/skipped-positions';
import { type Difference, type LicenceCheck, licenceChecks } from '@zakup/projections/licence-check';
import { ProjectionRunner } from '@zakup/projections/projection-runner';
import { projectionVersion } from '@zakup/projections/version';
import { licenceOf } from '@zakup/seals/licence-history';
import { isCorrupt } from '@zakup/seals/seal-store';
import type { Lease } from '@zakup/read-store/leases';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import { DataDirRefused } from '../data-dir/data-dir-refused.ts';
import { readFormat } from '../data-dir/data-dir-version.ts';
import { readDemoMark } from '../data-dir/demo-mark.ts';
import type { Stores } from '../stores.ts';
import { asProjector, soon, type ToolOptions, withStores } from '../tools/with-stores.ts';
import { sealFaultText, type VerifiedSeals, verifySeals } from './verify-seals.ts';

export interface VerifyOptions extends ToolOptions {
  /** Puts right what differs, under the projector's lease. */
  readonly heal: boolean;
  /** What is known elsewhere of the last seals is forgotten first: the operator knows why the seals are others. */
  readonly forgetsSeals?: boolean;
  /** Seals that were made late are known to the operator: sealing stood still then. */
  readonly lateIsKnown?: boolean;
  /** Those to look at; default: all that have events, and the seals of all. */
  readonly licences?: readonly string[];
}

export interface Verified {
  readonly licences: number;
  /** Stored documents that were compared. */
  readonly documents: number;
  /** Of licences with something wrong. */
  readonly checks: readonly (LicenceCheck & { readonly healed: readonly Difference[] })[];
  /** Version of the projections that the read models were folded by, when it is not this one's: nothing was compared then. */
  readonly otherVersion: string | null;
  /** null = not looked at. */
  readonly seals: VerifiedSeals | null;
  /** Where the log goes on behind a gap: it was put back from a backup, or mended. */
  readonly skips: readonly LogSkip[];
}

/** Goes once through the whole log. */
const readLog = async (
  eventStore: EventStore,
  signal: AbortSignal,
  take: (event: RecordedEvent) => void,
): Promise<void> => {
  const head = await eventStore.head();
  const reading = new AbortController();
  const until = AbortSignal.any([signal, reading.signal]);
  if (head === 0) return;
  try {
    for await (const message of eventStore.subscribe({ after: 0, signal: until, maxBatch: 1_000 })) {
      if (message.kind === 'caught_up') {
        if (message.position >= head) break;
        continue;
      }
      for (const event of message.events) take(event);
      if ((message.events.at(-1)?.position ?? 0) >= head) break;
    }
  } finally {
    reading.abort();
  }
  signal.throwIfAborted();
};

const minute = 60_000;

/** What the log as a whole says: every licence that has an event, and in which minutes something was written. */
const surveyed = async (eventStore: EventStore, signal: AbortSignal) => {
  const licences = new Map<string, number>();
  const minutes = new Set<number>();
  let last = 0;
  const skips: LogSkip[] = [];
  let mended = 0;
  await readLog(eventStore, signal, (event) => {
    const { metadata, recordedAt } = event;
    const skip = skipOf(event);
    if (skip !== null) {
      // Written while nobody served: sealing could not go on then.
      skips.push(skip);
      // What was mended was sealed anew then, long after it was due, and not behind anybody's back: that is told.
      if (skip.reason === 'recovered') mended = Math.max(mended, Date.parse(recordedAt));
      return;
    }
    const { licenceId } = metadata;
    if (licenceId !== '') licences.set(licenceId, (licences.get(licenceId) ?? 0) + (licenceOf(event) === null ? 0 : 1));
    last = Math.max(last, Date.parse(recordedAt));
    minutes.add(Math.floor(Date.parse(recordedAt) / minute));
  });
  const written = [...minutes].toSorted((a, b) => a - b);
  return {
    licences,
    last,
    skips,
    isAlive: (after: number, before: number) =>
      written.some((at) => at * minute >= Math.max(after, mended) && (at + 1) * minute <= before),
  };
};

type Survey = Awaited<ReturnType<typeof surveyed>>;

/** When the last seal of all was made, in milliseconds since 1970. */
const lastSealed = async (seals: Stores['seals']): Promise<number> => {
  let last = 0;
  for (const licenceId of await seals.licences()) {
    try {
      const seal = (await seals.last(licenceId))?.seal;
      last = Math.max(last, seal === undefined ? 0 : Date.parse(seal.sealedAt));
    } catch (error) {
      // The check of that licence tells of it.
      if (!isCorrupt(error)) throw error;
    }
  }
  return last;
};

/** The log with its seals. Where the log makes no promise across streams, its index is made of plans and is not looked at. */
const sealsChecked = async (
  { eventStore, seals }: Stores,
  { licences, last, isAlive }: Survey,
  followed: number,
  { config, signal, lateIsKnown = false }: VerifyOptions,
): Promise<VerifiedSeals> => {
  const isDemo = config.eventStoreDbUrl === null && (await readDemoMark(config.dataDir)) !== null;
  const until = Math.max(last, await lastSealed(seals));
  const commands = {
    readCommand: (key: string) => eventStore.readCommand(key),
    keyOf: commandKeyOf,
  };
  return verifySeals({
    eventStore,
    seals,
    licences: [...licences.keys()],
    signal,
    // A demo's log is told within minutes, dated over a year: its seals cannot be made when they are due.
    ...(!isDemo && { times: { now: Date.now(), until, followed, isAlive: lateIsKnown ? () => false : isAlive } }),
    ...(eventStore.atomicAcrossStreams && { commands, inLog: licences }),
  });
};

const whole = new Intl.NumberFormat('ru-RU');

const compared = async (
  { eventStore, readStore }: Stores,
  models: Pick<ProjectionRunner, 'repair'> | null,
  licences: readonly string[],
  { config, print, signal }: VerifyOptions,
): Promise<Pick<Verified, 'licences' | 'documents' | 'checks'>> => {
  // The data folder is locked.
  const isAtRest = config.mongoDbUrl === null;
  const looking = licenceChecks({ eventStore, readStore, partition: allPartitions, capacity: 0, isAtRest });
  const checks: Verified['checks'][number][] = [];
  let [count, documents] = [0, 0];
  let said = performance.now();
  for (const licenceId of licences) {
    signal.throwIfAborted();
    const check = await looking.check(licenceId);
    count += 1;
    documents += check.documents;
    if (check.differences.length > 0) {
      const healed = models === null ? [] : await looking.heal(models, licenceId, check.differences);
      checks.push({ ...check, healed });
    }
    if (performance.now() - said < soon) continue;
    said = performance.now();
    print(`лицензий ${whole.format(count)} из ${whole.format(licences.length)}, документов ${whole.format(documents)}`);
  }
  return { licences: count, documents, checks };
};

const healing = async (stores: Stores, { fence }: Lease): Promise<ProjectionRunner> => {
  const { eventStore, readStore } = stores;
  const models = new ProjectionRunner({
    eventStore,
    readStore,
    partition: allPartitions,
    fence,
    maxDocs: 500,
    onParked: () => undefined,
  });
  await models.open();
  return models;
};

const waitingText = 'Модели чтения ведёт запущенный процесс. Остановите службу projector, и исправление начнётся: жду…';

/** A folder without data, where one of the stores lies in it, is none that is right: it would be made, and found whole. */
const refuseNothing = async ({ eventStoreDbUrl, mongoDbUrl, dataDir }: VerifyOptions['config']): Promise<void> => {
  if (eventStoreDbUrl !== null && mongoDbUrl !== null) return;
  const dir = resolve(dataDir);
  if (existsSync(dir) && (await readFormat(dir)) !== null) return;
  throw new DataDirRefused(dir, `В ${dir} нет данных Zakup: проверять нечего. Проверьте DATA_DIR.`);
};

/**
 * Folds every licence apart, where the settings say that the stores lie, and compares it with what is stored; then the log with its seals.
 * Throws `DataDirRefused` where there is nothing, `DataDirInUse` when a process holds the data folder, and what the signal aborts with.
 */
export const verifyStores = async (options: VerifyOptions): Promise<Verified> => {
  await refuseNothing(options.config);
  return withStores(options, (stores) => verifiedOn(stores, options), { trustsSeals: options.forgetsSeals === true });
};

const verifiedOn = async (stores: Stores, options: VerifyOptions): Promise<Verified> => {
  const { eventStore, readStore, seals } = stores;
  const { signal, heal, print } = options;
  if (options.forgetsSeals === true) for (const place of stores.heads) await place.forget();
  const [{ active }, checkpoint] = await Promise.all([readStore.generations(), readStore.checkpoint(allPartitions)]);
  const otherVersion =
    active.version === projectionVersion || (checkpoint?.position ?? 0) === 0 ? null : (active.version ?? '');
  // Before the log: what is sealed later is no fault.
  const followed = await seals.followed();
  const survey = options.licences === undefined ? await surveyed(eventStore, signal) : null;
  const licences = options.licences ?? [...(survey?.licences.keys() ?? [])];
  const look = (models: ProjectionRunner | null) => compared(stores, models, licences, options);
  const nothing = { licences: 0, documents: 0, checks: [] };
  const found =
    otherVersion !== null
      ? nothing
      : heal
        ? await asProjector(
            stores,
            signal,
            async (lease) => look(await healing(stores, lease)),
            async () => {
              print(waitingText);
              return null;
            },
          )
        : await look(null);
  const verified = survey === null ? null : await sealsChecked(stores, survey, followed, options);
  return { ...found, otherVersion, seals: verified, skips: survey?.skips ?? [] };
};

/** Whether all is as the log says, or was put right. */
export const isRight = ({ checks, otherVersion, seals }: Verified): boolean =>
  otherVersion === null &&
  checks.every(({ differences, healed }) => healed.length === differences.length) &&
  (seals?.faults ?? []).length === 0;

const whatText: Readonly<Record<Difference['what'], string>> = {
  damaged: 'повреждён',
  missing: 'пропал',
  surplus: 'лишний',
  different: 'расходится с журналом',
};
const mostLines = 100;

/** Always told: who did not restore anything learns that somebody did. */
const skipText = ({ reason, after, position, recordedAt }: LogSkip): string =>
  `${recordedAt} журнал ${reason === 'restored' ? 'возвращён из копии' : 'восстановлен после повреждения'}: после позиции ${after} идёт ${position}`;

/** Lines for the operator. */
export const verifiedText = ({
  licences,
  documents,
  checks,
  otherVersion,
  seals,
  skips,
}: Verified): readonly string[] => {
  const lines = checks.flatMap(({ licenceId, differences, healed }) => [
    `Лицензия ${licenceId}: отличий ${differences.length}, исправлено ${healed.length}`,
    ...differences.map(({ kind, id, what }) => `  ${kind}/${id}: ${whatText[what]}`),
  ]);
  const rest = lines.length - mostLines;
  const sealed =
    seals === null
      ? []
      : [
          ...seals.faults.map(sealFaultText),
          `Печати: лицензий ${whole.format(seals.licences)}, печатей ${whole.format(seals.seals)}, удостоверено событий ${whole.format(seals.events)}, нарушений ${seals.faults.length}`,
          ...(seals.unsealed === 0
            ? []
            : [`Ещё без печати событий: ${whole.format(seals.unsealed)}; их ничто не удостоверяет`]),
        ];
  return [
    ...(otherVersion === null
      ? []
      : ['Модели чтения собраны другой версией программы и не сравнивались: npm run rebuild -- all']),
    ...skips.map(skipText),
    ...lines.slice(0, mostLines),
    ...(rest > 0 ? [`… и ещё строк: ${rest}`] : []),
    `Модели чтения: лицензий ${whole.format(licences)}, документов ${whole.format(documents)}, лицензий с отличиями ${checks.length}`,
    ...sealed,
  ];
};

import type { EventStore } from '@zakup/event-store/event-store';
import { type Difference, type LicenceCheck, licenceChecks } from '@zakup/projections/licence-check';
import { type Projection, projection } from '@zakup/projections/projection';
import { projectionVersion } from '@zakup/projections/version';
import type { Lease } from '@zakup/read-store/leases';
import { wholeLog } from '@zakup/service-kit/stores/whole-log';
import type { Stores } from '../stores.ts';
import { asProjector, soon, type ToolOptions, withStores } from '../tools/with-stores.ts';
import { sealFaultText, type VerifiedSeals, verifySeals } from './verify-seals.ts';

export interface VerifyOptions extends ToolOptions {
  /** Puts right what differs, under the projector's lease. */
  readonly heal: boolean;
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
}

/** Every licence that has an event, in no order that means anything. */
const licencesOf = async (eventStore: EventStore, signal: AbortSignal): Promise<readonly string[]> => {
  const found = new Set<string>();
  const head = await eventStore.head();
  const reading = new AbortController();
  const until = AbortSignal.any([signal, reading.signal]);
  if (head === 0) return [];
  try {
    for await (const message of eventStore.subscribe({ after: 0, signal: until, maxBatch: 1_000 })) {
      if (message.kind === 'caught_up') {
        if (message.position >= head) break;
        continue;
      }
      for (const { metadata } of message.events) if (metadata.licenceId !== '') found.add(metadata.licenceId);
      if ((message.events.at(-1)?.position ?? 0) >= head) break;
    }
  } finally {
    reading.abort();
  }
  signal.throwIfAborted();
  return [...found];
};

const whole = new Intl.NumberFormat('ru-RU');

const compared = async (
  { eventStore, readStore }: Stores,
  models: Pick<Projection, 'repair'> | null,
  licences: readonly string[],
  { print, signal }: VerifyOptions,
): Promise<Pick<Verified, 'licences' | 'documents' | 'checks'>> => {
  const looking = licenceChecks({ eventStore, readStore, partition: wholeLog, capacity: 0 });
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

const healing = async (stores: Stores, { fence }: Lease): Promise<Projection> => {
  const { eventStore, readStore } = stores;
  const models = projection({
    eventStore,
    readStore,
    partition: wholeLog,
    fence,
    maxDocs: 500,
    onParked: () => undefined,
  });
  await models.open();
  return models;
};

const waitingText = 'Модели чтения ведёт запущенный процесс. Остановите службу projector, и исправление начнётся: жду…';

/**
 * Folds every licence apart, where the settings say that the stores lie, and compares it with what is stored; then the log with its seals.
 * Throws `DataDirInUse` when a process holds the data folder, and what the signal aborts with.
 */
export const verifyStores = (options: VerifyOptions): Promise<Verified> =>
  withStores(options, async (stores) => {
    const { eventStore, readStore, seals } = stores;
    const { signal, heal, print } = options;
    const [{ active }, checkpoint] = await Promise.all([readStore.generations(), readStore.checkpoint(wholeLog)]);
    const otherVersion =
      active.version === projectionVersion || (checkpoint?.position ?? 0) === 0 ? null : (active.version ?? '');
    const licences = options.licences ?? (await licencesOf(eventStore, signal));
    const look = (models: Projection | null) => compared(stores, models, licences, options);
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
    const verified = options.licences === undefined ? await verifySeals({ eventStore, seals, signal }) : null;
    return { ...found, otherVersion, seals: verified };
  });

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

/** Lines for the operator. */
export const verifiedText = ({ licences, documents, checks, otherVersion, seals }: Verified): readonly string[] => {
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
        ];
  return [
    ...(otherVersion === null
      ? []
      : ['Модели чтения собраны другой версией программы и не сравнивались: npm run rebuild -- all']),
    ...lines.slice(0, mostLines),
    ...(rest > 0 ? [`… и ещё строк: ${rest}`] : []),
    `Модели чтения: лицензий ${whole.format(licences)}, документов ${whole.format(documents)}, лицензий с отличиями ${checks.length}`,
    ...sealed,
  ];
};

import { createHash, hash } from 'node:crypto';
import { yieldToEventLoop } from '@zakup/async/event-loop';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import type { SealFault } from '@zakup/seals/check-licence';
import { followsSeal } from '@zakup/seals/follows';
import type { StoredSeal } from '@zakup/seals/seal-store';
import { BackupRefused } from '../backup/manifest.ts';
import { type LogDigest, logDifference, logDigest } from './log-digest.ts';
import type { MigrationMark } from './migration-mark.ts';
import {
  allSeals,
  credentialsDifference,
  moveCredentials,
  moveSeals,
  placesInCredentials,
  sealsDifference,
} from './move-documents.ts';
import { type MovedPlaces, placesOf } from './moved-places.ts';
import type { MigrationSource } from './source.ts';
import type { MigrationTarget } from './target.ts';
import { verifySeals } from '../verify/verify-seals.ts';

export interface MigrateOptions {
  readonly source: MigrationSource;
  readonly target: MigrationTarget;
  /** UTC milliseconds. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Appends between two notes of how far it has come; default 200. */
  readonly noteEvery?: number;
  /** Nothing is written. */
  readonly dryRun?: boolean;
  /** Told after so many events of how many. */
  readonly onProgress?: (step: 'checked' | 'moved' | 'compared', events: number, of: number) => void;
  /** Called behind every write to a server; what it throws ends the migration there. */
  readonly onStep?: (step: string) => void;
}

export interface Migrated {
  /** `planned`: nothing was written; `before`: an earlier call had ended it; `different`: the servers hold something else. */
  readonly kind: 'done' | 'planned' | 'before' | 'different';
  readonly events: number;
  readonly streams: number;
  readonly commands: number;
  /** Of the source up to which an earlier call had come; null = it begins now. */
  readonly wentOnFrom: number | null;
  readonly credentials: number;
  readonly seals: number;
  /** Of `different`. */
  readonly difference: string | null;
  readonly doneAt: string | null;
  /** Of `done` and `before`: where the history does not fit its seals, as it did not in the folder; at most one of each licence. */
  readonly faults: readonly SealFault[];
}

/** What the source is: everything that decides whether another call goes on with the same one. */
interface Survey {
  readonly log: LogDigest;
  readonly commands: { readonly count: number; readonly hash: string };
  readonly identity: string;
  /** The first event, and the last one up to where an earlier call had come; none when there was no such call. */
  readonly moved: readonly RecordedEvent[];
}

/** `movedTo`: position of the source up to which an earlier call had come. */
const survey = async (
  { source, target, signal }: MigrateOptions,
  movedTo: number,
  told: (events: number) => void,
): Promise<Survey> => {
  const events = logDigest();
  const commands = createHash('sha256');
  const sealed = await sealedPlaces(source);
  let [count, seen] = [0, 0];
  let first: RecordedEvent | null = null;
  let last: RecordedEvent | null = null;
  for (const append of source.log.appends(0)) {
    for (const event of append.events) {
      events.add(event);
      sealed.delete(event.position);
      if (event.position > movedTo) continue;
      first ??= event;
      last = event;
    }
    seen += append.events.length;
    if (append.commandKey !== null) {
      count += 1;
      commands.update(commandText(target.mover.commandStream(append.commandKey), append.events));
    }
    if (seen % 100 < append.events.length) {
      signal.throwIfAborted();
      told(seen);
      await yieldToEventLoop();
    }
  }
  if (count !== source.log.commands)
    throw new BackupRefused(
      `Указатель команд источника не сходится с журналом: команд ${source.log.commands}, к событиям ведут ${count}. Проверьте папку: npm run verify.`,
    );
  for (const [position, what] of sealed)
    throw new BackupRefused(
      `${what} удостоверяет событие на позиции ${position}, а в журнале источника его нет. ${look}`,
    );
  const log = events.digest();
  const ofCommands = { count, hash: commands.digest('hex') };
  const identity = hash('sha256', `${log.total} ${ofCommands.hash}`, 'hex');
  const moved = [first, last].filter((event) => event !== null);
  return { log, commands: ofCommands, identity, moved };
};

const look = 'Проверьте папку: npm run verify.';

/**
 * Places at which seals end, with the name of each, as the source knows them. Throws `BackupRefused` where seals do not go on from each other,
 * which no store would take, and where what else names places of the log cannot be read.
 */
const sealedPlaces = async ({ seals, credentials }: MigrationSource): Promise<Map<number, string>> => {
  const places = new Map<number, string>();
  let last: StoredSeal | null = null;
  for await (const stored of allSeals(seals)) {
    const { licenceId, number } = stored.seal;
    const what = `Печать № ${number} лицензии ${licenceId}`;
    if (last?.seal.licenceId !== licenceId) last = null;
    if (!followsSeal(last, stored)) throw new BackupRefused(`${what} не продолжает предыдущую. ${look}`);
    places.set(stored.position, what);
    last = stored;
  }
  for (const { licenceId, number, position } of await credentials.sealHeads.all())
    places.set(position, `Последняя печать № ${number} лицензии ${licenceId} по учётным данным`);
  try {
    for await (const position of placesInCredentials(credentials))
      if (!Number.isSafeInteger(position)) throw new RangeError(`${position} is no position`);
  } catch (error) {
    throw new BackupRefused('Учётные данные источника повреждены: в них есть место журнала, которого не бывает.', {
      cause: error,
    });
  }
  return places;
};

/** Whether events of the source stand on the server as they were moved. */
const stand = async ({ eventStore }: MigrationTarget, events: readonly RecordedEvent[]): Promise<boolean> => {
  for (const { stream, revision, id } of events) {
    const [found] = await eventStore.read(stream, { from: revision, limit: 1 });
    if (found?.id !== id) return false;
  }
  return true;
};

const commandText = (stream: string, events: readonly { readonly id: string }[]): string =>
  `${stream} ${events.map(({ id }) => id).join(' ')}\n`;

const moveEvents = async (
  { source, target, signal, noteEvery = 200, onStep = () => undefined, onProgress }: MigrateOptions,
  mark: MigrationMark,
  of: number,
  identity: string,
): Promise<void> => {
  let [appends, events, noted] = [0, 0, mark];
  const note = async (position: number): Promise<void> => {
    noted = { ...noted, position, source: identity };
    await target.marks.write(noted);
    onStep('noted');
  };
  let last = mark.position;
  for (const append of source.log.appends(mark.position)) {
    signal.throwIfAborted();
    await target.mover.move(append, onStep);
    last = append.events.at(-1)?.position ?? last;
    appends += 1;
    events += append.events.length;
    if (appends % noteEvery === 0) await note(last);
    onProgress?.('moved', events, of);
  }
  if (last !== noted.position) await note(last);
};

/** Reads everything back, in the order of the server, and tells where it stands. */
const readBack = async (
  { source, target, signal, onProgress }: MigrateOptions,
  of: number,
): Promise<{ readonly log: LogDigest; readonly places: MovedPlaces }> => {
  const wanted = [await source.seals.followed()];
  for await (const { position } of allSeals(source.seals)) wanted.push(position);
  for await (const position of placesInCredentials(source.credentials)) wanted.push(position);
  const places = placesOf(wanted);
  const events = logDigest();
  let count = 0;
  const stop = new AbortController();
  try {
    for await (const message of target.eventStore.subscribe({
      after: 0,
      signal: AbortSignal.any([signal, stop.signal]),
    })) {
      if (message.kind === 'caught_up') break;
      for (const event of message.events) {
        events.add(event);
        if (event.movedFrom !== undefined) places.add(event.movedFrom, event.position);
      }
      count += message.events.length;
      onProgress?.('compared', count, of);
    }
    signal.throwIfAborted();
  } finally {
    stop.abort();
  }
  return { log: events.digest(), places: places.places() };
};

const commandsDifference = async ({ target }: MigrateOptions, expected: Survey['commands']): Promise<string | null> => {
  const commands = createHash('sha256');
  let count = 0;
  for await (const { stream, events } of target.mover.commands()) {
    count += 1;
    commands.update(
      commandText(
        stream,
        events.map((id) => ({ id })),
      ),
    );
  }
  return count === expected.count && commands.digest('hex') === expected.hash
    ? null
    : `команды: в источнике ${expected.count}, на сервере ${count}, или они другие`;
};

/** Browsers hold positions of the log of before: all of them begin anew. */
const resetReaders = async ({ target: { readStore, eventStore } }: MigrateOptions): Promise<void> => {
  const position = await eventStore.head();
  await readStore.commit({ docs: [], checkpoint: { partition: allPartitions, position, fence: 0 } });
  await readStore.clear();
};

/**
 * Moves an installation: the log in its order with the places and instants that its seals attest, the commands by which it is found, then
 * credentials and seals, and compares both sides. Read models are not moved, the projector makes them. May be broken off anywhere and called
 * again. Throws `BackupRefused` with a text for the operator when the servers hold something else, or the source has changed since.
 */
export const migrate = async (options: MigrateOptions): Promise<Migrated> => {
  const { source, target, now, dryRun = false, onStep = () => undefined, onProgress } = options;
  const mark = await target.marks.read();
  const movedTo = mark === null ? 0 : mark.doneAt === null ? mark.position : Number.MAX_SAFE_INTEGER;
  const { log, commands, identity, moved } = await survey(options, movedTo, (events) =>
    onProgress?.('checked', events, events),
  );
  if (mark !== null && mark.source !== identity)
    throw new BackupRefused(
      'На серверах начат перенос другой папки данных, или эта изменилась с тех пор: её нельзя использовать, пока перенос идёт. Задайте пустые EVENTSTOREDB_URL (или EVENTSTOREDB_NAMESPACE) и базу MONGODB_URL.',
    );
  if (!(await stand(target, moved)))
    throw new BackupRefused(
      'По MONGODB_URL перенос уже шёл, а на EVENTSTOREDB_URL его событий нет. Проверьте EVENTSTOREDB_URL и EVENTSTOREDB_NAMESPACE или начните на пустых серверах.',
    );
  const told = {
    events: log.events,
    streams: log.streams.size,
    commands: commands.count,
    wentOnFrom: mark?.position ?? null,
    credentials: 0,
    seals: 0,
    difference: null,
    doneAt: mark?.doneAt ?? null,
    faults: [],
  };
  const sealFaults = async () =>
    (await verifySeals({ eventStore: target.eventStore, seals: target.seals, signal: options.signal })).faults;
  if (mark !== null && mark.doneAt !== null) return { kind: 'before', ...told, faults: await sealFaults() };
  const filled = mark === null ? await target.filledWith() : null;
  if (filled !== null)
    throw new BackupRefused(
      `На серверах уже есть данные (${filled}), и это не начатый перенос. Перенос возможен только на пустые: задайте другую базу MONGODB_URL и другой EVENTSTOREDB_NAMESPACE.`,
    );
  if (dryRun) return { kind: 'planned', ...told };
  const begun = mark ?? { source: identity, position: 0, begunAt: new Date(now).toISOString(), doneAt: null };
  if (mark === null) {
    await target.marks.write(begun);
    onStep('begun');
  }
  await moveEvents(options, begun, log.events, identity);
  const back = await readBack(options, log.events);
  const wrongLog = logDifference(log, back.log) ?? (await commandsDifference(options, commands));
  if (wrongLog !== null) return { kind: 'different', ...told, difference: wrongLog };
  const rows = await moveCredentials(source.credentials, target.credentials, back.places, onStep);
  const seals = await moveSeals(source.seals, target.seals, back.places, onStep);
  const difference =
    (await credentialsDifference(source.credentials, target.credentials, back.places)) ??
    (await sealsDifference(source.seals, target.seals, back.places));
  const done = { ...told, credentials: rows, seals };
  if (difference !== null) return { kind: 'different', ...done, difference };
  const faults = await sealFaults();
  options.signal.throwIfAborted();
  await resetReaders(options);
  onStep('reset');
  const last = await target.marks.read();
  await target.marks.write({ ...(last ?? begun), doneAt: new Date(now).toISOString() });
  onStep('done');
  return { kind: 'done', ...done, faults, doneAt: new Date(now).toISOString() };
};

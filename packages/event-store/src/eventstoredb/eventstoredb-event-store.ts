import { checkAppend } from '../check-append.ts';
import type { AppendOptions, EventStore, Position } from '../event-store.ts';
import { LogBehind } from '../event-store.ts';
import { appendRefusal } from './append-refusal.ts';
import { appendedResult, commandLog } from './command-log.ts';
import { connection, reached } from './connection.ts';
import { finisher } from './finisher.ts';
import { licenceReader } from './licence-reader.ts';
import { serverNames } from './names.ts';
import { lastOwnPosition } from './last-own-position.ts';
import { streamReader } from './stream-reader.ts';
import type { LeftPlan } from './settle-plan.ts';
import { streamWriter, type TakenWrite, takenWrite } from './stream-writer.ts';
import { type AdapterLog, subscriptions } from './subscription.ts';

/** A position that the log is known to have reached, and who says so. */
export interface KnownBound {
  readonly position: Position;
  /** Named in the error when the log is behind, for example a read store's checkpoint. */
  readonly source: string;
}

/** What a store on EventStoreDB or KurrentDB is given. */
export interface EventStoreDbEventStoreOptions {
  /** Connection string: `esdb://user:password@host:2113?tls=true`. User and password are sent over TLS only. */
  readonly url: string;
  /** Letters and digits before every stream name, for several installations on one server. */
  readonly namespace?: string;
  /** The log must have come at least this far. */
  readonly knownBounds?: readonly KnownBound[];
  /** Whether this process makes plans that another one has left open. */
  readonly finishPlans?: boolean;
  /** Milliseconds that an open plan is left to whoever made it; default 5000. */
  readonly planPatience?: number;
  /** Called for each plan that was left open: its writes were made now, or one of them can never be made. */
  readonly onLeftPlan?: (left: LeftPlan) => void;
  /** Milliseconds that a call may go without an answer; default 5000. */
  readonly deadline?: number;
  /** Milliseconds that opening waits for the server; default 10,000. */
  readonly openWithin?: number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** From 0 to 1: spreads the attempts of several processes. */
  readonly chance?: () => number;
  readonly log?: AdapterLog;
}

export interface EventStoreDbEventStore extends EventStore {
  /** Told when what followed the log has lost its connection: nobody knows yet what is behind the next one. */
  onLost(listener: () => void): void;
}

const silent: AdapterLog = { info: () => undefined, warn: () => undefined };

/**
 * Opens a log on a server. Resolves when the server answers and lets this user in. Throws `EventStoreUnavailable` when it does not
 * answer in time, `EventStoreAccessDenied` when it refuses the credentials, `LogBehind` when its log ends before a known bound.
 */
export const eventStoreDbEventStore = async (
  options: EventStoreDbEventStoreOptions,
): Promise<EventStoreDbEventStore> => {
  const { url, namespace, knownBounds = [], finishPlans = false, planPatience = 5000, deadline = 5000 } = options;
  const { onLeftPlan = () => undefined, openWithin = 10_000, log = silent } = options;
  const { clock = Date.now, chance = Math.random } = options;
  const names = serverNames(namespace);
  const server = connection({ url, deadline });
  const { where } = server;
  const reader = streamReader(server, names);
  const writer = streamWriter(server, names, reader);
  const head = lastOwnPosition({ server, names, reader });
  const commands = commandLog({ names, reader, writer, closing: server.closing, chance });
  const readLicence = licenceReader(server, names, reader, deadline);
  const lostListeners = new Set<() => void>();
  const onLost = (): void => {
    for (const listener of lostListeners) listener();
  };
  const subscribe = subscriptions({ server, names, reader, log, chance, onLost });

  try {
    const end = await reached(where, openWithin, () => reader.head());
    const version = await server.version().catch(() => 'unknown');
    log.info({ where, version, head: end }, 'The event log is open');
    for (const { position, source } of knownBounds) {
      if (end < position) throw new LogBehind(`EventStoreDB ${where}`, end, position, source);
    }
  } catch (error) {
    await server.close();
    throw error;
  }
  const finishing = finishPlans
    ? finisher({ server, names, reader, writer, log, clock, chance, patience: planPatience, onLeftPlan, onLost })
    : Promise.resolve();

  const append = async (writes: readonly TakenWrite[], { unchanged = [], commandKey, planToken }: AppendOptions) => {
    if (unchanged.length > 0 || writes.length > 1) {
      const refused = await appendRefusal({ reader, writer }, writes, unchanged, planToken);
      if (refused !== undefined) {
        const known = commandKey !== undefined && (await commands.read(commandKey)).length > 0;
        return known ? ({ kind: 'command_known', commandKey } as const) : refused;
      }
    }
    const [only] = writes;
    const [part] = only?.parts ?? [];
    if (
      only === undefined ||
      part === undefined ||
      writes.length > 1 ||
      only.parts.length > 1 ||
      commandKey !== undefined
    ) {
      return commands.append(writes, commandKey, planToken);
    }
    const written = await writer.appendPart(only.stream, only.expectedRevision, part);
    if (written.kind === 'lost')
      return { kind: 'wrong_revision', stream: only.stream, actual: written.actual } as const;
    return appendedResult(writes, written.events);
  };

  return {
    atomicAcrossStreams: false,
    unfinished: {
      findPartial: (commandKey) => server.accepted(() => commands.findPartial(commandKey)),
      abandon: (commandKey, planToken) => server.accepted(() => commands.abandon(commandKey, planToken)),
    },

    append: (writes, appendOptions = {}) =>
      server.accepted(async () => {
        checkAppend(writes, appendOptions);
        return append(writes.map(takenWrite), appendOptions);
      }),

    read: (stream, range) => server.accepted(() => reader.read(stream, range)),
    revision: (stream) => server.accepted(() => reader.revision(stream)),
    readLicence: (licenceId, range = {}) => server.accepted(() => readLicence(licenceId, range)),
    readCommand: (commandKey) => server.accepted(() => commands.read(commandKey)),
    head: (signal) => server.accepted(() => head(signal)),
    subscribe,
    onLost: (listener) => void lostListeners.add(listener),

    async close() {
      await server.close();
      await finishing;
    },
  };
};

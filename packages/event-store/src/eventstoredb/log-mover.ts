import { hash } from 'node:crypto';
import type { RecordedEvent, StreamName } from '../event-store.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import { claimedType, closesPlan, type CommandPlan, planEvents, planIdOf } from './command-plans.ts';
import { connection, pauseBefore, pause, reached } from './connection.ts';
import { logSource } from './log-source.ts';
import { serverNames } from './names.ts';
import { stored, taken } from './stored-event.ts';
import { streamReader } from './stream-reader.ts';
import { partsOf, type PlacedWrite, streamWriter } from './stream-writer.ts';

/** The events of one append to another log, in its order. */
export interface MovedAppend {
  readonly events: readonly [RecordedEvent, ...RecordedEvent[]];
  /** Null = none of its events is found by a command. */
  readonly commandKey: string | null;
}

/** What a log knows of a command: in which stream it is claimed, and which events are its own, in their order. */
export interface MovedCommand {
  readonly stream: StreamName;
  readonly events: readonly string[];
}

/** Moves a log onto a server. Appends are moved one after the other, in the order of the other log. */
export interface LogMover {
  /**
   * Claims the command, then writes the events, each with the instant and the position that it has in the other log. Done again it does
   * nothing twice. `onStep`: called between two writes. Throws `MoveRefused` where something else stands in its place.
   */
  move(append: MovedAppend, onStep?: (step: string) => void): Promise<void>;
  /** Where a command of this key is claimed. */
  commandStream(commandKey: string): StreamName;
  /** Every command that is claimed, in log order. */
  commands(): AsyncGenerator<MovedCommand, void, undefined>;
  close(): Promise<void>;
}

/** Another event stands where one was to be moved to. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
  readonly stream: StreamName;
  constructor(stream: StreamName) {
    super(`Stream ${stream} holds other events than the log that is moved`);
    this.stream = stream;
  }
}

export interface LogMoverOptions {
  readonly url: string;
  readonly namespace?: string;
  /** Milliseconds that a call may go without an answer; default 5000. */
  readonly deadline?: number;
}

/** A UUID that is the same for the same text. */
const uuidOf = (text: string): string => {
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** A write for each stream, with the place that its events have in the other log. */
const writesOf = (events: readonly RecordedEvent[]): readonly PlacedWrite[] => {
  const byStream = new Map<StreamName, RecordedEvent[]>();
  for (const event of events) byStream.set(event.stream, [...(byStream.get(event.stream) ?? []), event]);
  return [...byStream].map(([stream, own]) => {
    const list = own.map((event) => ({
      ...taken(event),
      moved: { at: event.recordedAt, position: event.movedFrom ?? event.position },
    }));
    const first = own[0]?.revision ?? 0;
    return { stream, expectedRevision: first === 0 ? 'no_stream' : first - 1, events: list, parts: partsOf(list) };
  });
};

const mostAttempts = 20;

/** Opens a log on a server for moving another one into it. Throws as the store's opening does. */
export const eventStoreDbLogMover = async (options: LogMoverOptions): Promise<LogMover> => {
  const { url, namespace, deadline = 5000 } = options;
  const names = serverNames(namespace);
  const server = connection({ url, deadline });
  const reader = streamReader(server, names);
  const writer = streamWriter(server, names, reader);
  try {
    await reached(server.where, 10_000, () => reader.head());
  } catch (error) {
    await server.close();
    throw error;
  }

  const claim = async (commandKey: string, { events }: MovedAppend, writes: readonly PlacedWrite[]): Promise<void> => {
    const [first] = events;
    const stream = names.command(`key ${commandKey}`);
    const plan: CommandPlan = { id: uuidOf(`plan of ${first.id}`), writes };
    let part = 0;
    const newId = (): string => uuidOf(`part ${(part += 1)} of the plan of ${first.id}`);
    const planned = planEvents(plan, first.metadata, newId, claimedType);
    const write = { stream, expectedRevision: 'no_stream', events: planned, parts: partsOf(planned) } as const;
    const done = await writer.carryOut(write);
    if (done.kind === 'lost') throw new MoveRefused(stream);
  };

  const moveOnce = async (append: MovedAppend, onStep: (step: string) => void): Promise<void> => {
    const writes = writesOf(append.events);
    if (append.commandKey !== null) {
      await claim(append.commandKey, append, writes);
      onStep('claimed');
    }
    for (const write of writes) {
      const done = await writer.carryOut(write);
      if (done.kind === 'lost') throw new MoveRefused(write.stream);
      onStep('written');
    }
  };

  return {
    commandStream: (commandKey) => names.command(`key ${commandKey}`),

    move: async (append, onStep = () => undefined) => {
      /** What is not the server's goes to the caller as it is. */
      let own: { readonly error: unknown } | null = null;
      const step = (name: string): void => {
        try {
          onStep(name);
        } catch (error) {
          own = { error };
          throw error;
        }
      };
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await server.accepted(() => moveOnce(append, step));
        } catch (error) {
          if (own !== null) throw (own as { readonly error: unknown }).error;
          const refused = error instanceof Error && error.cause instanceof MoveRefused ? error.cause : null;
          if (refused !== null) throw refused;
          if (!(error instanceof EventStoreUnavailable) || attempt >= mostAttempts) throw error;
          await pause(pauseBefore(attempt, 0), server.closing);
        }
      }
    },

    async *commands() {
      const source = logSource(server.client, 0, { types: `^${claimedType}$` });
      const open = new Map<unknown, string[]>();
      try {
        for (;;) {
          const late = AbortSignal.timeout(deadline);
          await source.ready(late);
          let item = source.take();
          if (item === undefined && late.aborted)
            throw new EventStoreUnavailable(`EventStoreDB at ${server.where} does not tell its commands`);
          for (; item !== undefined; item = source.take()) {
            if (item.kind === 'caught_up') return;
            if (item.kind === 'dropped') throw item.error;
            if (item.kind !== 'record') continue;
            const stream = names.ofServer(item.record.streamId);
            const event = stream === undefined ? undefined : stored(item.record, stream, server.where)?.event;
            if (stream === undefined || event === undefined) continue;
            const writes = event.data['writes'] as unknown as readonly { readonly events: readonly { id: string }[] }[];
            const plan = planIdOf(event);
            const ids = [...(open.get(plan) ?? []), ...writes.flatMap((write) => write.events.map(({ id }) => id))];
            open.set(plan, ids);
            if (!closesPlan(event)) continue;
            open.delete(plan);
            yield { stream, events: ids };
          }
        }
      } finally {
        source.close();
      }
    },

    close: () => server.close(),
  };
};

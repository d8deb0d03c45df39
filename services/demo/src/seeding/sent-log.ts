import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { EventStore, EventToAppend, RecordedEvent, StreamWrite } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import type { AcceptedAppend } from './seeding-messages.ts';

/** A log that only its teller writes: it is kept in memory, and what it accepts is sent to where it becomes durable. */
export interface SentLog {
  readonly eventStore: EventStore;
  /** Takes in what is in the log already, in its order, whole commands at a time. */
  readonly remember: (events: readonly RecordedEvent[]) => Promise<void>;
  /** Sends what was not sent yet. */
  readonly flush: () => void;
}

/** Most appends that are sent together, and so become durable together. */
const together = 32;
/** Most events of them: more than one transaction of the log takes would be several, of which one may fail and the next may not. */
const eventsTogether = 500;

const eventsIn = (writes: AcceptedAppend['writes']): number =>
  writes.reduce((sum, { events }) => sum + events.length, 0);

/** The appends by which events came into the log: a command's stand together, those of each of its streams too. */
const appendsOf = (events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] => {
  const groups: RecordedEvent[][] = [];
  let last = '';
  for (const event of events) {
    const key = commandKeyOf(event.metadata.actorId, event.metadata.commandId);
    if (key === last) groups.at(-1)?.push(event);
    else groups.push([event]);
    last = key;
  }
  return groups;
};

const bare = ({ id, type, data, metadata }: RecordedEvent): EventToAppend => ({ id, type, data, metadata });

const writesOf = (events: readonly RecordedEvent[]): readonly StreamWrite[] => {
  const byStream = new Map<string, [RecordedEvent, ...RecordedEvent[]]>();
  for (const event of events) {
    const written = byStream.get(event.stream);
    if (written === undefined) byStream.set(event.stream, [event]);
    else written.push(event);
  }
  return [...byStream].map(([stream, [first, ...rest]]) => ({
    stream,
    expectedRevision: first.revision === 0 ? 'no_stream' : first.revision - 1,
    events: [bare(first), ...rest.map(bare)],
  }));
};

export const sentLog = (send: (appends: readonly AcceptedAppend[]) => void): SentLog => {
  // Nobody asks it when something was recorded: where it becomes durable tells that. Commands do not change what they have appended.
  const kept = inMemoryEventStore({ clock: () => 0, asStored: (event) => event });
  let outbox: AcceptedAppend[] = [];
  let eventsWaiting = 0;

  const flush = (): void => {
    if (outbox.length > 0) send(outbox);
    outbox = [];
    eventsWaiting = 0;
  };

  return {
    flush,

    eventStore: {
      ...kept,
      async append(writes, options = {}) {
        const result = await kept.append(writes, options);
        if (result.kind === 'appended') {
          if (eventsWaiting + eventsIn(writes) > eventsTogether) flush();
          eventsWaiting += eventsIn(writes);
          outbox.push({ writes, options, position: result.position });
          if (outbox.length >= together) flush();
        }
        return result;
      },
    },

    async remember(events) {
      for (const appended of appendsOf(events)) {
        const [first, ...rest] = writesOf(appended);
        const last = appended.at(-1);
        if (first === undefined || last === undefined) continue;
        const { actorId, commandId } = last.metadata;
        const result = await kept.append([first, ...rest], { commandKey: commandKeyOf(actorId, commandId) });
        if (result.kind !== 'appended' || result.position !== last.position)
          throw new Error(`The log cannot be taken in at position ${last.position}: ${result.kind}`);
      }
    },
  };
};

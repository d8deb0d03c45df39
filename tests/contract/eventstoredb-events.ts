import { randomUUID } from 'node:crypto';
import { sampleEvent } from '@zakup/event-store/contract-suite';
import type {
  AppendResult,
  EventStore,
  EventToAppend,
  RecordedEvent,
  StreamWrite,
  SubscriptionMessage,
} from '@zakup/event-store/event-store';

/** Fresh names of one licence. */
export const freshLicence = () => {
  const licenceId: string = randomUUID();
  const stream = (category = 'placement') => `${category}-${licenceId}~${randomUUID()}`;
  const event = (type?: string, data?: EventToAppend['data']) => sampleEvent(licenceId, type, data);
  const write = (
    to: string,
    expectedRevision: StreamWrite['expectedRevision'] = 'no_stream',
    count = 1,
  ): StreamWrite => ({
    stream: to,
    expectedRevision,
    events: Array.from({ length: count }, () => event()) as [EventToAppend, ...EventToAppend[]],
  });
  return { licenceId, stream, event, write };
};

export type Writes = readonly [StreamWrite, ...StreamWrite[]];

/** A command over three streams, one of which there is already. */
export interface Command {
  readonly writes: Writes;
  readonly commandKey: string;
  readonly licenceId: string;
}

export const threeWrites = async (store: EventStore): Promise<Command> => {
  const { licenceId, stream, write } = freshLicence();
  const old = stream('contractor');
  await store.append([write(old)]);
  const writes: Writes = [write(stream(), 'no_stream', 2), write(old, 0), write(stream('nick'))];
  return { writes, commandKey: randomUUID(), licenceId };
};

export const appended = (result: AppendResult): Extract<AppendResult, { kind: 'appended' }> => {
  if (result.kind !== 'appended') throw new Error(`Expected an append, got ${JSON.stringify(result)}`);
  return result;
};

export const idsOf = (events: readonly EventToAppend[]): readonly string[] => events.map(({ id }) => id);
export const idsOfWrites = (writes: readonly StreamWrite[]): readonly string[] =>
  writes.flatMap(({ events }) => idsOf(events));

/** Follows a store until `enough` says so. */
export const followed = async (
  store: EventStore,
  options: { readonly after: number; readonly partitions?: readonly string[]; readonly maxBatch?: number },
  enough: (events: readonly RecordedEvent[], message: SubscriptionMessage) => boolean,
): Promise<readonly RecordedEvent[]> => {
  const stop = new AbortController();
  const events: RecordedEvent[] = [];
  for await (const message of store.subscribe({ ...options, signal: stop.signal })) {
    if (message.kind === 'events') events.push(...message.events);
    if (enough(events, message)) stop.abort();
  }
  return events;
};

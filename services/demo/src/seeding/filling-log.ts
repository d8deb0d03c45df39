import type { EventStore, RecordedEvent, SubscribeOptions, SubscriptionMessage } from '@zakup/event-store/event-store';

/** As the port's. */
const defaultBatch = 500;

const nonEmpty = (events: RecordedEvent[]): events is [RecordedEvent, ...RecordedEvent[]] => events.length > 0;

/**
 * A log as those follow it who work while it is filled: until then nobody has caught up with it, and what comes is given in batches as
 * large as they are asked for, which costs less than following each append. Afterwards it is the log as it is.
 */
export const fillingLog = (eventStore: EventStore, filled: Promise<void>): EventStore => {
  const over = new AbortController();
  filled.then(
    () => over.abort(),
    // What is not filled is never caught up with.
    () => undefined,
  );

  async function* subscribe(options: SubscribeOptions): AsyncGenerator<SubscriptionMessage, void, undefined> {
    const { signal, maxBatch = defaultBatch } = options;
    let { after } = options;
    let batch: RecordedEvent[] = [];
    for await (const message of eventStore.subscribe({ ...options, signal: AbortSignal.any([signal, over.signal]) })) {
      if (message.kind === 'caught_up') continue;
      if (batch.length + message.events.length > maxBatch && nonEmpty(batch)) {
        yield { kind: 'events', events: batch };
        after = batch.at(-1)?.position ?? after;
        batch = [];
      }
      batch.push(...message.events);
    }
    // What was gathered for a batch that never became full comes again.
    if (!signal.aborted) yield* eventStore.subscribe({ ...options, after });
  }

  return { ...eventStore, subscribe };
};

/** A log as those follow it who have time: until then it gives nothing. */
export const heldLog = (eventStore: EventStore, then: Promise<void>): EventStore => ({
  ...eventStore,
  async *subscribe(options) {
    const { signal } = options;
    const released = then.catch(
      // It gives nothing until whoever follows it is stopped.
      () => new Promise<void>(() => undefined),
    );
    const stopped = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([released, stopped]);
    if (!signal.aborted) yield* eventStore.subscribe(options);
  },
});

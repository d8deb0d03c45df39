import { memoryEntryStore } from '../outbox/entry-store.ts';
import { openOutbox, type Outbox, type OutboxDeps } from '../outbox/outbox.ts';
import type { Transport } from '../outbox/transport.ts';
import { memoryReplica } from '../replica/replica.ts';

/** An outbox of one tab over `send`, whose next attempt comes when it is flushed. */
export const openedOutbox = (send: Transport['send'], more: Partial<OutboxDeps> = {}): Promise<Outbox> => {
  let count = 0;
  return openOutbox({
    personId: 'me',
    store: memoryEntryStore(),
    transport: { send },
    replica: memoryReplica(),
    newId: () => `command-${(count += 1)}`,
    clock: { now: () => Date.UTC(2026, 10, 21, 11, 2), setTimeout: () => 1, clearTimeout: () => undefined },
    chance: () => 1,
    tabs: null,
    election: (lead) => {
      lead();
      return () => undefined;
    },
    ...more,
  });
};

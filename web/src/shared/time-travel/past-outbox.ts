import type { Outbox } from '../outbox/outbox.ts';
import type { Entry } from '../outbox/entry.ts';

const none: readonly Entry[] = [];
const nothing = (): void => undefined;

/** What is over cannot be changed: holds nothing, takes nothing. */
export const pastOutbox: Outbox = {
  durable: () => true,
  issue: () => {
    throw new Error('The past cannot be changed');
  },
  reserve: () => Promise.reject(new Error('The past cannot be changed')),
  reserved: () => 0,
  withdraw: () => false,
  dismiss: nothing,
  keepMine: nothing,
  takeTheirs: nothing,
  tryAgain: nothing,
  revise: nothing,
  flush: nothing,
  entries: () => none,
  wasMade: () => false,
  entriesOf: () => none,
  subscribe: () => nothing,
  close: nothing,
};

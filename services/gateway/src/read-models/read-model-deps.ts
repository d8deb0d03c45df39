import type { EventStore } from '@zakup/event-store/event-store';
import type { ReadStore } from '@zakup/read-store/read-store';

/** What reading the models takes, beside which the gateway is given more. */
export interface ReadModelDeps {
  readonly readStore: ReadStore;
  /** Whose checkpoint the read models are complete to: `all` where one projector follows the whole log. */
  readonly partition: string;
  /** Asked how far the log goes, for single streams and whole licences, and, where it can be followed, since when what is not yet projected has been in it. */
  readonly eventStore: Pick<EventStore, 'head' | 'read' | 'readLicence'> & Partial<Pick<EventStore, 'subscribe'>>;
  /** UTC milliseconds. */
  readonly now: () => number;
}

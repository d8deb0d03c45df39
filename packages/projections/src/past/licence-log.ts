import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';

/** Events in one read of the log. */
const pageSize = 250;

/** The events of one licence, read in pages. */
export class LicenceLog {
  readonly #eventStore: Pick<EventStore, 'readLicence'>;
  readonly #licenceId: string;

  constructor(eventStore: Pick<EventStore, 'readLicence'>, licenceId: string) {
    this.#eventStore = eventStore;
    this.#licenceId = licenceId;
  }

  /** At most `limit` events after a position, up to `to`. */
  async readAfter(after: Position, limit: number, to?: Position): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (;;) {
      const most = Math.min(pageSize, limit - events.length);
      const from = events.at(-1)?.position ?? after;
      const page = await this.#eventStore.readLicence(this.#licenceId, {
        after: from,
        limit: most,
        ...(to !== undefined && { to }),
      });
      events.push(...page);
      if (page.length < most || events.length >= limit) return events;
    }
  }

  /** All events after a position as long as they fit, and perhaps some more. */
  async readWhile(after: Position, fits: (event: RecordedEvent) => boolean): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (;;) {
      const page = await this.readAfter(events.at(-1)?.position ?? after, pageSize);
      events.push(...page);
      const end = page.at(-1);
      if (end === undefined || page.length < pageSize || !fits(end)) return events;
    }
  }
}

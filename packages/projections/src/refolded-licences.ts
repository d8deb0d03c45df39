import { createYielder } from '@zakup/async/yielder';
import { declaredFields } from '@zakup/contracts/read-models';
import type { EventStore, Position } from '@zakup/event-store/event-store';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { ReadStore } from '@zakup/read-store/read-store';
import { ProjectionRunner } from './projection-runner.ts';

const eventsAtOnce = 250;
const docsAtOnce = 250;

/** A licence folded apart, in memory, up to a position. */
export interface Refolded {
  readonly store: ReadStore;
  readonly models: ProjectionRunner;
  position: Position;
  documents: number;
}

/** Licences folded again from their events, those that were used last kept as long as there is room. */
export class RefoldedLicences {
  readonly #eventStore: Pick<EventStore, 'readLicence'>;
  readonly #partition: string;
  readonly #capacity: number;
  /** Those that were used last stand last. */
  readonly #kept = new Map<string, Refolded>();

  /** `capacity`: in documents. */
  constructor(eventStore: Pick<EventStore, 'readLicence'>, partition: string, capacity: number) {
    this.#eventStore = eventStore;
    this.#partition = partition;
    this.#capacity = capacity;
  }

  /** The licence as it is after everything up to the position; goes on with `begun`, or with what is kept. */
  async foldedTo(licenceId: string, position: Position, begun = this.#kept.get(licenceId)): Promise<Refolded> {
    // A checkpoint that was put back: what was folded beyond it says nothing.
    const fold = begun !== undefined && begun.position <= position ? begun : await this.#begin();
    this.#kept.delete(licenceId);
    const yieldIfDue = createYielder();
    while (fold.position < position) {
      const range = { after: fold.position, to: position, limit: eventsAtOnce };
      const events = await this.#eventStore.readLicence(licenceId, range);
      await fold.models.fold(events);
      fold.documents += events.length;
      fold.position = events.length < eventsAtOnce ? position : (events.at(-1)?.position ?? position);
      await yieldIfDue();
    }
    return fold;
  }

  /** Keeps what fits; one that does not fit by itself is folded from its beginning each time. */
  keep(licenceId: string, fold: Refolded): void {
    this.#kept.delete(licenceId);
    this.#kept.set(licenceId, fold);
    let total = 0;
    for (const { documents } of this.#kept.values()) total += documents;
    for (const [id, { documents }] of this.#kept) {
      if (total <= this.#capacity) return;
      this.#kept.delete(id);
      total -= documents;
    }
  }

  async #begin(): Promise<Refolded> {
    const store = inMemoryReadStore({ declared: declaredFields });
    const models = new ProjectionRunner({
      eventStore: this.#eventStore,
      readStore: store,
      partition: this.#partition,
      fence: 0,
      maxDocs: docsAtOnce,
      onParked: () => undefined,
    });
    await models.open();
    return { store, models, position: 0, documents: 0 };
  }
}

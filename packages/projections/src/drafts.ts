import type { Position } from '@zakup/event-store/event-store';

/** What moved a draft last. */
export interface Touch {
  readonly licenceId: string;
  readonly position: Position;
}

/**
 * What is changed in place while events are folded, and written into the working set only when a commit comes: so that an event costs the
 * same with 10 rows or 100,000.
 */
export class Drafts<Draft, Moved extends Touch> {
  readonly #drafts = new Map<string, Draft>();
  readonly #touched = new Map<string, Moved>();
  readonly #capacity: number;

  /** `capacity`: how many are kept at most when a commit is through. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(id: string): Draft | undefined {
    return this.#drafts.get(id);
  }

  set(id: string, draft: Draft): void {
    this.#drafts.set(id, draft);
  }

  /** It has to be written. */
  touch(id: string, by: Moved): void {
    this.#touched.set(id, by);
  }

  touched(): ReadonlyMap<string, Moved> {
    return this.#touched;
  }

  /** What was touched is written into the working set; default: all of it. */
  settled(id?: string): void {
    if (id === undefined) this.#touched.clear();
    else this.#touched.delete(id);
  }

  /** How many documents settling will write at most. */
  size(): number {
    return this.#touched.size;
  }

  /** Everything settled is committed: only now may drafts be forgotten. */
  committed(): void {
    if (this.#drafts.size > this.#capacity) this.#drafts.clear();
  }

  drop(): void {
    this.#drafts.clear();
    this.#touched.clear();
  }
}

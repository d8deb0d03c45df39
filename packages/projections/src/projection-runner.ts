import { yieldToEventLoop } from '@zakup/async/event-loop';
import { serialQueue } from '@zakup/async/serial-queue';
import { createYielder } from '@zakup/async/yielder';
import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';
import type { Commit, ReadStore } from '@zakup/read-store/read-store';
import { beforeCommand, byCommand } from './command-groups.ts';
import type { ParkedState } from './documents.ts';
import { FencedStore } from './fenced-store.ts';
import { EventFold } from './fold-event.ts';
import { raiseAllFloors } from './resync-bounds.ts';
import { Unfoldable } from './unfoldable.ts';
import { type WorkingSet, workingSet } from './working-set.ts';

/** A licence whose models stay at `position` because the events after it cannot be folded by this version. */
export interface Parked {
  readonly licenceId: string;
  readonly position: Position;
  readonly reason: string;
}

export interface ProjectionOptions {
  readonly eventStore: Pick<EventStore, 'readLicence'>;
  readonly readStore: ReadStore;
  readonly partition: string;
  readonly partitions?: readonly string[] | undefined;
  readonly fence: number;
  /** Most documents in one commit; one event alone may need more. */
  readonly maxDocs: number;
  /** Why a licence that was halted must stay so, null = it need not; asked at each start. Default: it may go on. */
  readonly staysHalted?: ((licenceId: string) => Promise<string | null>) | undefined;
  /** Called once the parking is committed, and at each start while it lasts. */
  readonly onParked: (parked: Parked) => void;
}

export interface Folded {
  readonly events: number;
  readonly docs: number;
}

/** Documents to be put right, and the scopes whose readers have to begin anew. */
export interface Repair {
  readonly docs: Commit['docs'];
  readonly floors: NonNullable<Commit['floors']>;
}

/** Documents that one event of a placement changes at most; only campaigns, switches and terms reach further. */
const docsPerEvent = 10;
const pageSize = 500;

const parkedKey = (licenceId: string) => ({ kind: 'parked' as const, id: licenceId, licenceId });

/** Folds batches of the log into the read store, each with its checkpoint. After any throw, `open` must come before the next `fold`. */
export class ProjectionRunner {
  readonly #options: ProjectionOptions;
  readonly #store: FencedStore;
  readonly #set: WorkingSet;
  readonly #fold: EventFold;
  /** By licence. */
  readonly #parked = new Map<string, ParkedState>();
  /** One at a time: what is put right must not be folded on meanwhile. */
  readonly #queue = serialQueue();
  /** Parked since the last commit. */
  #announcements: Parked[] = [];
  #checkpoint: Position = 0;

  constructor(options: ProjectionOptions) {
    const { readStore, partition, fence } = options;
    this.#options = options;
    this.#store = new FencedStore(readStore, partition, fence);
    this.#set = workingSet(readStore);
    this.#fold = new EventFold(this.#set);
  }

  /** Starts from what is stored, trying parked licences again. Resolves with the position to go on after. Throws `LeaseLost`. */
  open(): Promise<Position> {
    return this.#queue.run(() => this.#open());
  }

  /**
   * Folds and commits a batch; events that are folded already are passed over. `most`: another bound on the documents of one commit than
   * `maxDocs`. Throws what the read store throws, `LeaseLost`, `CheckpointMoved`.
   */
  fold(batch: readonly RecordedEvent[], most?: number): Promise<Folded> {
    return this.#queue.run(() => this.#foldBatch(batch, most));
  }

  /**
   * Puts documents right while nothing is folded, as they should be at the position that `make` is given, the stored checkpoint; null =
   * nothing is to be done. Forgets every document that it holds. Throws as `fold` does.
   */
  repair(make: (position: Position) => Promise<Repair | null>): Promise<void> {
    return this.#queue.run(() => this.#repair(make));
  }

  /** Folds nothing more of a licence, from the next batch on; kept over restarts, until `staysHalted` lets it go on. Throws as `fold` does. */
  halt(licenceId: string, reason: string): Promise<void> {
    return this.#queue.run(() => this.#halt(licenceId, reason));
  }

  async #open(): Promise<Position> {
    const { readStore, partitions } = this.#options;
    this.#drop();
    this.#parked.clear();
    this.#checkpoint = await this.#store.takeOver();
    const { docs } = await readStore.query('parked', {});
    for (const { licenceId, data } of docs) {
      if (partitions !== undefined && !partitions.includes(licenceId.slice(0, 2))) continue;
      const state = data as unknown as ParkedState;
      if (!(await this.#isStillHalted(licenceId, state))) await this.#resume(licenceId, state);
    }
    return this.#checkpoint;
  }

  #drop(): void {
    this.#fold.drop();
    this.#announcements = [];
  }

  /** `name`: of the checkpoint, where it is not the partition's. */
  async #commit(position: Position, name?: string): Promise<number> {
    await this.#fold.settle();
    const { docs, floors } = this.#set.pending();
    await this.#store.commit({ docs, floors }, position, name);
    this.#fold.committed();
    for (const one of this.#announcements.splice(0)) this.#options.onParked(one);
    return docs.length;
  }

  async #foldBatch(batch: readonly RecordedEvent[], most?: number): Promise<Folded> {
    const start = this.#checkpoint;
    let docs = 0;
    const save = async (position: Position): Promise<void> => {
      docs += await this.#commit(position);
      this.#checkpoint = position;
    };
    for (;;) {
      const events = batch.filter(({ position }) => position > this.#checkpoint);
      try {
        await this.#pass(events, save, most);
        return { events: batch.filter(({ position }) => position > start).length, docs };
      } catch (error) {
        if (!(error instanceof Unfoldable)) throw error;
        this.#drop();
        const position = beforeCommand(batch, error.position, this.#checkpoint);
        this.#parked.set(error.licenceId, { position, failedAt: error.position, reason: error.message });
      }
    }
  }

  /** One pass over events after the last commit; `save` commits everything up to a position, some `most` documents at a time. */
  async #pass(
    events: readonly RecordedEvent[],
    save: (position: Position) => Promise<void>,
    most = this.#options.maxDocs,
  ): Promise<void> {
    let folded: Position | null = null;
    const yieldIfDue = createYielder();
    const hasRoom = (count: number): boolean => this.#fold.size() + count * docsPerEvent <= most;
    const makeRoom = async (): Promise<void> => {
      if (folded === null) return;
      const position = folded;
      folded = null;
      await save(position);
      await yieldToEventLoop();
    };
    for (const group of byCommand(events)) {
      if (!hasRoom(group.length)) await makeRoom();
      for (const event of group) {
        if (!hasRoom(1)) await makeRoom();
        const work = this.#foldOrPark(event);
        if (work !== undefined) await work;
        folded = event.position;
        await yieldIfDue();
      }
    }
    if (folded !== null) await save(folded);
  }

  /** Of a parked licence only what lies before its parking is folded. */
  #foldOrPark(event: RecordedEvent): Promise<void> | undefined {
    const { licenceId } = event.metadata;
    const parked = this.#parked.get(licenceId);
    if (parked === undefined || event.position <= parked.position) return this.#fold.fold(event);
    const isParkedHere = event.position === parked.failedAt && parked.halted !== true;
    return isParkedHere ? this.#park(licenceId, parked) : undefined;
  }

  async #park(licenceId: string, { position, failedAt, reason }: ParkedState): Promise<void> {
    const data = { position, failedAt, reason };
    await this.#set.put({ ...parkedKey(licenceId), position: failedAt, scopes: [], data });
    this.#announcements.push({ licenceId, position, reason });
  }

  /** Tries a parked licence again on its own log. Its commits carry a checkpoint of their own: the log's is ahead of them. */
  async #resume(licenceId: string, since: ParkedState): Promise<void> {
    const name = `${this.#options.partition}/parked/${licenceId}/${since.position}`;
    this.#parked.delete(licenceId);
    const { progress, failure } = await this.#foldParked(licenceId, since, name);
    if (failure !== null) {
      this.#parked.set(licenceId, failure);
      this.#options.onParked({ licenceId, position: failure.position, reason: failure.reason });
      if (progress === since.position) return;
      await this.#set.put({ ...parkedKey(licenceId), position: this.#checkpoint, scopes: [], data: failure });
    } else {
      await this.#set.remove(parkedKey(licenceId), this.#checkpoint);
    }
    await raiseAllFloors(this.#set, licenceId);
    await this.#commit(this.#checkpoint, name);
  }

  /** Folds a parked licence on as far as this version can. `failure`: where it cannot. */
  async #foldParked(
    licenceId: string,
    since: ParkedState,
    checkpointName: string,
  ): Promise<{ readonly progress: Position; readonly failure: ParkedState | null }> {
    let progress = since.position;
    let end = this.#checkpoint;
    let failure: ParkedState | null = null;
    const save = async (position: Position): Promise<void> => {
      await this.#set.put({ ...parkedKey(licenceId), position, scopes: [], data: { ...since, position } });
      await this.#commit(position, checkpointName);
      progress = position;
    };
    for (;;) {
      const range = { after: progress, to: end, limit: pageSize };
      const events = await this.#options.eventStore.readLicence(licenceId, range);
      if (events.length === 0) return { progress, failure };
      try {
        await this.#pass(events, save);
      } catch (error) {
        if (!(error instanceof Unfoldable)) throw error;
        this.#drop();
        end = beforeCommand(events, error.position, progress);
        failure = { position: end, failedAt: error.position, reason: error.message };
      }
    }
  }

  async #repair(make: (position: Position) => Promise<Repair | null>): Promise<void> {
    const { maxDocs } = this.#options;
    const position = await this.#store.checkpoint();
    const repair = await make(position);
    if (repair === null) return;
    // Whatever was read of the damaged documents.
    this.#drop();
    const { docs, floors } = repair;
    // Floors first: nobody goes on from what was wrong after some of it is right.
    for (let from = 0; from < floors.length; from += maxDocs)
      await this.#store.commit({ docs: [], floors: floors.slice(from, from + maxDocs), repair: true }, position);
    for (let from = 0; from < docs.length; from += maxDocs)
      await this.#store.commit({ docs: docs.slice(from, from + maxDocs), repair: true }, position);
  }

  /** Stops folding a licence: its models stay as they are, whatever the log says, until whoever may says that they need not. */
  async #halt(licenceId: string, reason: string): Promise<void> {
    if (this.#parked.get(licenceId)?.halted === true) return;
    const position = await this.#store.checkpoint();
    const state: ParkedState = { position, failedAt: position + 1, reason, halted: true };
    const doc = { ...parkedKey(licenceId), scopes: [], left: [], position, deleted: false, data: { ...state } };
    await this.#store.commit({ docs: [doc], repair: true }, position);
    this.#drop();
    this.#parked.set(licenceId, state);
    this.#options.onParked({ licenceId, position, reason });
  }

  async #isStillHalted(licenceId: string, state: ParkedState): Promise<boolean> {
    const { staysHalted, onParked } = this.#options;
    if (state.halted !== true || staysHalted === undefined) return false;
    const reason = await staysHalted(licenceId);
    if (reason === null) return false;
    this.#parked.set(licenceId, { ...state, reason });
    onParked({ licenceId, position: state.position, reason });
    return true;
  }
}

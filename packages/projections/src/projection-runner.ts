import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';
import type { Commit, ReadStore } from '@zakup/read-store/read-store';
import type { ParkedState } from './documents.ts';
import { EventFold } from './fold-event.ts';
import { createYielder } from '@zakup/async/yielder';
import { campaignScope, contractorScope, personScope, workspaceScope } from './scopes.ts';
import { Unfoldable } from './unfoldable.ts';
import { type WorkingSet, workingSet } from './working-set.ts';

/** A licence whose models stay at `position` because the events after it cannot be folded by this version. */
export interface Parked {
  readonly licenceId: string;
  readonly position: Position;
  readonly reason: string;
}

/** Another projector has taken over. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The stored checkpoint is not the one this projector went on from: what it holds in memory may be wrong. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
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

/** Documents that one event of a placement changes at most; only campaigns, switches and terms reach further. */
const docsPerEvent = 10;
const pageSize = 500;

/** Documents to be put right, and the scopes whose readers have to begin anew. */
export interface Repair {
  readonly docs: Commit['docs'];
  readonly floors: NonNullable<Commit['floors']>;
}

/** Events of one command stand together in the log and are committed together. */
const byCommand = (events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] => {
  const groups: RecordedEvent[][] = [];
  let last: RecordedEvent | undefined;
  for (const event of events) {
    const { commandId, actorId, licenceId } = event.metadata;
    const group = groups.at(-1);
    const same =
      last?.metadata.commandId === commandId &&
      last.metadata.actorId === actorId &&
      last.metadata.licenceId === licenceId;
    if (same && group !== undefined) group.push(event);
    else groups.push([event]);
    last = event;
  }
  return groups;
};

/** Every scope of a licence, after its content changed below positions that readers have already seen. */
const raiseAllFloors = async (set: WorkingSet, licenceId: string): Promise<void> => {
  set.raiseFloor(licenceId, workspaceScope);
  for (const { id } of await set.find('campaign', licenceId)) set.raiseFloor(licenceId, campaignScope(id));
  for (const { id } of await set.find('contractor', licenceId)) set.raiseFloor(licenceId, contractorScope(id));
  for (const { id } of await set.find('user', licenceId)) set.raiseFloor(licenceId, personScope(id));
};

/** Folds batches of the log into the read store, each with its checkpoint. After any throw, `open` must come before the next `fold`. */
export const projectionRunner = (options: ProjectionOptions) => {
  const { eventStore, readStore, partition, partitions, fence, maxDocs, onParked, staysHalted } = options;
  const set = workingSet(readStore);
  const fold = new EventFold(set);
  const parked = new Map<string, ParkedState>();
  let checkpoint: Position = 0;
  let announcements: Parked[] = [];

  const drop = (): void => {
    fold.drop();
    announcements = [];
  };

  const commit = async (name: string, position: Position): Promise<number> => {
    await fold.settle();
    const { docs, floors } = set.pending();
    const result = await readStore.commit({ docs, floors, checkpoint: { partition: name, position, fence } });
    if (result.kind === 'lost_lease') throw new LeaseLost(`A writer with fence ${result.fence} has taken over ${name}`);
    if (result.kind === 'older_checkpoint') throw new CheckpointMoved(`${name} is at ${result.stored} already`);
    fold.committed();
    for (const one of announcements.splice(0)) onParked(one);
    return docs.length;
  };

  const park = async (licenceId: string, { position, failedAt, reason }: ParkedState): Promise<void> => {
    const data = { position, failedAt, reason };
    await set.put({ kind: 'parked' as const, id: licenceId, licenceId, position: failedAt, scopes: [], data });
    announcements.push({ licenceId, position, reason });
  };

  /** One pass over events after the last commit; `save` commits everything up to a position, some `most` documents at a time. */
  const pass = async (
    events: readonly RecordedEvent[],
    save: (position: Position) => Promise<void>,
    most = maxDocs,
  ): Promise<void> => {
    let folded: Position | null = null;
    const yieldIfDue = createYielder();
    const makeRoom = async (count: number): Promise<void> => {
      if (folded === null || fold.size() + count * docsPerEvent <= most) return;
      const position = folded;
      folded = null;
      await save(position);
      await yieldToEventLoop();
    };
    for (const group of byCommand(events)) {
      await makeRoom(group.length);
      for (const event of group) {
        await makeRoom(1);
        const { licenceId } = event.metadata;
        const waiting = parked.get(licenceId);
        if (waiting === undefined || event.position <= waiting.position) await fold.fold(event);
        else if (event.position === waiting.failedAt && waiting.halted !== true) await park(licenceId, waiting);
        folded = event.position;
        await yieldIfDue();
      }
    }
    if (folded !== null) await save(folded);
  };

  /** Position of the last event before the command that the event belongs to. */
  const beforeCommand = (events: readonly RecordedEvent[], at: Position, committed: Position): Position => {
    const group = byCommand(events).find((one) => one.some(({ position }) => position === at));
    const first = group?.[0]?.position ?? at;
    return Math.max(committed, first - 1);
  };

  /** Tries a parked licence again on its own log. Its commits carry a checkpoint of their own: the log's is ahead of them. */
  const resume = async (licenceId: string, since: ParkedState): Promise<void> => {
    const name = `${partition}/parked/${licenceId}/${since.position}`;
    const key = { kind: 'parked' as const, id: licenceId, licenceId };
    let progress = since.position;
    let end = checkpoint;
    let failure: ParkedState | null = null;
    const save = async (position: Position): Promise<void> => {
      await set.put({ ...key, position, scopes: [], data: { ...since, position } });
      await commit(name, position);
      progress = position;
    };
    parked.delete(licenceId);
    for (;;) {
      const events = await eventStore.readLicence(licenceId, { after: progress, to: end, limit: pageSize });
      if (events.length === 0) break;
      try {
        await pass(events, save);
      } catch (error) {
        if (!(error instanceof Unfoldable)) throw error;
        drop();
        end = beforeCommand(events, error.position, progress);
        failure = { position: end, failedAt: error.position, reason: error.message };
      }
    }
    if (failure !== null) {
      parked.set(licenceId, failure);
      onParked({ licenceId, position: failure.position, reason: failure.reason });
      if (progress === since.position) return;
      await set.put({ ...key, position: checkpoint, scopes: [], data: failure });
    } else {
      await set.remove(key, checkpoint);
    }
    await raiseAllFloors(set, licenceId);
    await commit(name, checkpoint);
  };

  /**
   * Puts its own fence on the checkpoint before anything is read under it: what a former holder still commits after that is refused, so
   * that no batch is folded on documents that were read partly before and partly after such a commit.
   */
  const takeOver = async (): Promise<Position> => {
    for (;;) {
      const position = (await readStore.checkpoint(partition))?.position ?? 0;
      const result = await readStore.commit({ docs: [], checkpoint: { partition, position, fence } });
      if (result.kind === 'committed') return position;
      if (result.kind === 'lost_lease')
        throw new LeaseLost(`A writer with fence ${result.fence} has taken over ${partition}`);
    }
  };

  /** One at a time: what is put right must not be folded on meanwhile. */
  let last: Promise<unknown> = Promise.resolve();
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  const foldBatch = async (batch: readonly RecordedEvent[], most?: number): Promise<Folded> => {
    const start = checkpoint;
    let docs = 0;
    const save = async (position: Position): Promise<void> => {
      docs += await commit(partition, position);
      checkpoint = position;
    };
    for (;;) {
      const events = batch.filter(({ position }) => position > checkpoint);
      try {
        await pass(events, save, most);
        return { events: batch.filter(({ position }) => position > start).length, docs };
      } catch (error) {
        if (!(error instanceof Unfoldable)) throw error;
        drop();
        const position = beforeCommand(batch, error.position, checkpoint);
        parked.set(error.licenceId, { position, failedAt: error.position, reason: error.message });
      }
    }
  };

  const repairNow = async (make: (position: Position) => Promise<Repair | null>): Promise<void> => {
    const stored = await readStore.checkpoint(partition);
    const position = stored?.position ?? 0;
    const repair = await make(position);
    if (repair === null) return;
    // Whatever was read of the damaged documents.
    drop();
    const { docs, floors } = repair;
    // Floors first: nobody goes on from what was wrong after some of it is right.
    for (let from = 0; from < floors.length; from += maxDocs)
      await repairPart(position, { docs: [], floors: floors.slice(from, from + maxDocs), repair: true });
    for (let from = 0; from < docs.length; from += maxDocs)
      await repairPart(position, { docs: docs.slice(from, from + maxDocs), repair: true });
  };

  /** Stops folding a licence: its models stay as they are, whatever the log says, until whoever may says that they need not. */
  const haltNow = async (licenceId: string, reason: string): Promise<void> => {
    if (parked.get(licenceId)?.halted === true) return;
    const position = (await readStore.checkpoint(partition))?.position ?? 0;
    const state: ParkedState = { position, failedAt: position + 1, reason, halted: true };
    const data = { ...state };
    const doc = { kind: 'parked', id: licenceId, licenceId, scopes: [], left: [], position, deleted: false, data };
    await repairPart(position, { docs: [doc], repair: true });
    drop();
    parked.set(licenceId, state);
    onParked({ licenceId, position, reason });
  };

  const isStillHalted = async (licenceId: string, state: ParkedState): Promise<boolean> => {
    if (state.halted !== true || staysHalted === undefined) return false;
    const reason = await staysHalted(licenceId);
    if (reason === null) return false;
    parked.set(licenceId, { ...state, reason });
    onParked({ licenceId, position: state.position, reason });
    return true;
  };

  const repairPart = async (position: Position, part: Omit<Commit, 'checkpoint'>): Promise<void> => {
    const result = await readStore.commit({ ...part, checkpoint: { partition, position, fence } });
    if (result.kind === 'lost_lease')
      throw new LeaseLost(`A writer with fence ${result.fence} has taken over ${partition}`);
    if (result.kind === 'older_checkpoint') throw new CheckpointMoved(`${partition} is at ${result.stored} already`);
  };

  return {
    /** Starts from what is stored, trying parked licences again. Resolves with the position to go on after. Throws `LeaseLost`. */
    open: (): Promise<Position> =>
      alone(async () => {
        drop();
        parked.clear();
        checkpoint = await takeOver();
        const { docs } = await readStore.query('parked', {});
        for (const { licenceId, data } of docs) {
          if (partitions !== undefined && !partitions.includes(licenceId.slice(0, 2))) continue;
          const state = data as unknown as ParkedState;
          if (!(await isStillHalted(licenceId, state))) await resume(licenceId, state);
        }
        return checkpoint;
      }),

    /**
     * Folds and commits a batch; events that are folded already are passed over. `most`: another bound on the documents of one commit than
     * `maxDocs`. Throws what the read store throws, `LeaseLost`, `CheckpointMoved`.
     */
    fold: (batch: readonly RecordedEvent[], most?: number): Promise<Folded> => alone(() => foldBatch(batch, most)),

    /**
     * Puts documents right while nothing is folded, as they should be at the position that `make` is given, the stored checkpoint; null =
     * nothing is to be done. Forgets every document that it holds. Throws as `fold` does.
     */
    repair: (make: (position: Position) => Promise<Repair | null>): Promise<void> => alone(() => repairNow(make)),

    /** Folds nothing more of a licence, from the next batch on; kept over restarts, until `staysHalted` lets it go on. Throws as `fold` does. */
    halt: (licenceId: string, reason: string): Promise<void> => alone(() => haltNow(licenceId, reason)),
  };
};

export type ProjectionRunner = ReturnType<typeof projectionRunner>;

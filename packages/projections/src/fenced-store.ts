import type { Position } from '@zakup/event-store/event-store';
import type { Commit, ReadStore } from '@zakup/read-store/read-store';

/** Another projector has taken over. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The stored checkpoint is not the one this projector went on from: what it holds in memory may be wrong. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/** Commits to a read store under one fence, each with a checkpoint of the partition. */
export class FencedStore {
  readonly #readStore: ReadStore;
  readonly #partition: string;
  readonly #fence: number;

  constructor(readStore: ReadStore, partition: string, fence: number) {
    this.#readStore = readStore;
    this.#partition = partition;
    this.#fence = fence;
  }

  async checkpoint(): Promise<Position> {
    return (await this.#readStore.checkpoint(this.#partition))?.position ?? 0;
  }

  /** `name`: another checkpoint than the partition's. Throws `LeaseLost`, `CheckpointMoved`. */
  async commit(part: Omit<Commit, 'checkpoint'>, position: Position, name = this.#partition): Promise<void> {
    const checkpoint = { partition: name, position, fence: this.#fence };
    const result = await this.#readStore.commit({ ...part, checkpoint });
    if (result.kind === 'lost_lease') throw new LeaseLost(`A writer with fence ${result.fence} has taken over ${name}`);
    if (result.kind === 'older_checkpoint') throw new CheckpointMoved(`${name} is at ${result.stored} already`);
  }

  /**
   * Puts its own fence on the checkpoint before anything is read under it: what a former holder still commits after that is refused, so
   * that no batch is folded on documents that were read partly before and partly after such a commit. Throws `LeaseLost`.
   */
  async takeOver(): Promise<Position> {
    for (;;) {
      const position = await this.checkpoint();
      try {
        await this.commit({ docs: [] }, position);
        return position;
      } catch (error) {
        if (!(error instanceof CheckpointMoved)) throw error;
      }
    }
  }
}

import type { Commit, CommitResult, Position } from '../read-store.ts';
import type { StoredCheckpoint } from './stored.ts';

interface UnsureCommit {
  readonly position: Position;
  readonly fence: number;
  readonly commit: string;
}

/** What this process knows of its own commits, by partition. */
export class OwnCommits {
  /** Those that may or may not have been carried out. */
  readonly #unsure = new Map<string, UnsureCommit>();
  /** Where this process left each partition. Positions never fall but by a clearing. */
  readonly #left = new Map<string, Position>();

  /** Whether the stored checkpoint is that of this commit, of the name or of an earlier attempt whose answer was lost. */
  has(stored: StoredCheckpoint | null, commit: Commit, id: string): boolean {
    if (stored === null) return false;
    if (stored.commit === id) return true;
    const { partition, position, fence } = commit.checkpoint;
    const unsure = this.#unsure.get(partition);
    // What is folded up to a position is the same however often it is folded.
    return (
      unsure !== undefined &&
      unsure.commit === stored.commit &&
      unsure.position === position &&
      unsure.fence === fence &&
      commit.docs.length > 0 &&
      commit.repair !== true
    );
  }

  /** Where this process left the partition's checkpoint with its last commit; 0 when there was none. */
  left(partition: string): Position {
    return this.#left.get(partition) ?? 0;
  }

  /** The commit's answer came; `gone`: as of `writeCommit`. */
  settle({ checkpoint: { partition, position } }: Commit, outcome: CommitResult['kind'] | 'gone'): void {
    this.#unsure.delete(partition);
    if (outcome === 'committed') this.#left.set(partition, position);
    // Whoever asks for the checkpoint now and goes on from there is right again.
    if (outcome === 'gone') this.#left.delete(partition);
  }

  /** The commit was sent under this name, and no answer came. */
  doubt({ checkpoint: { partition, position, fence } }: Commit, id: string): void {
    this.#unsure.set(partition, { position, fence, commit: id });
  }

  /** The checkpoints were removed on purpose. */
  forget(): void {
    this.#left.clear();
  }
}

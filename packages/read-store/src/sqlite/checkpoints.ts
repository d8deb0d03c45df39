import type { Checkpoint } from '../read-store.ts';
import type { Tables } from './schema.ts';
import type { Prepare, StoreConnection } from './store-connection.ts';
import { activeTables } from './stored-generations.ts';

export const storedCheckpoint = (prepareOn: Prepare, { checkpoints }: Tables, partition: string): Checkpoint | null =>
  (prepareOn(`SELECT partition, position, fence FROM ${checkpoints} WHERE partition = ?`).get(partition) as
    | Checkpoint
    | undefined) ?? null;

/** Checkpoints of what readers see, which are asked for far more often than they change. */
export interface ActiveCheckpoints {
  readonly get: (partition: string) => Checkpoint | null;
  /** This process has changed the partition's checkpoint; absent = any of them. */
  readonly forget: (partition?: string) => void;
}

export const activeCheckpoints = ({ file, prepare, dataVersion }: StoreConnection): ActiveCheckpoints => {
  const tablesNow = activeTables(file);
  // The engine counts the commits of other connections, so what was read stays true until that number moves.
  const cached = new Map<string, Checkpoint | null>();
  let cachedVersion: number | undefined;
  return {
    get: (partition) => {
      const version = dataVersion();
      if (version !== cachedVersion) cached.clear();
      cachedVersion = version;
      const known = cached.get(partition);
      if (known !== undefined) return known;
      const stored = storedCheckpoint(prepare, tablesNow(prepare), partition);
      cached.set(partition, stored);
      return stored;
    },
    forget: (partition) => {
      if (partition === undefined) cached.clear();
      else cached.delete(partition);
    },
  };
};

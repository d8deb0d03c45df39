import { join } from 'node:path';

export interface StoreFiles {
  readonly events: string;
  readonly readModels: string;
  readonly credentials: string;
  readonly seals: string;
}

/** The stores of a data folder; SQLite keeps `-wal` and `-shm` beside each. */
export const storeFiles = (dir: string): StoreFiles => ({
  events: join(dir, 'events.db'),
  readModels: join(dir, 'read-models.db'),
  credentials: join(dir, 'credentials.db'),
  seals: join(dir, 'seals.db'),
});

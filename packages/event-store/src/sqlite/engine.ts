import type { DatabaseSync } from '@photostructure/sqlite';

export type Database = InstanceType<typeof DatabaseSync>;

// Older SQLite versions can reset a WAL that another connection still reads.
const oldest = [3, 51, 3] as const;

const newEnough = (version: string | undefined): boolean => {
  if (version === undefined) return false;
  const parts = version.split('.').map(Number);
  const at = oldest.findIndex((part, index) => part !== parts[index]);
  return at === -1 || (parts[at] ?? 0) > (oldest[at] ?? 0);
};

/** `node:sqlite` where it is there and its SQLite is 3.51.3 or newer, else the same API from a package. */
const engine = newEnough(process.versions['sqlite'])
  ? (process.getBuiltinModule('node:sqlite') as { readonly DatabaseSync: typeof DatabaseSync })
  : await import('@photostructure/sqlite');

/** Opens a database file; rows come back as arrays only where a statement asks for it. Throws the engine's error. */
export const openDatabase = (file: string, options: { readonly readOnly: boolean }): Database =>
  new engine.DatabaseSync(file, { readOnly: options.readOnly, timeout: 5000 });

import type { Database } from '@zakup/sqlite/engine';
import { activeTables } from './stored-generations.ts';

/** Documents of the content that is read, by kind, `gone` of them deleted; and at most 100 licences that stand still, with what is stored of it. */
export interface CountedDocuments {
  readonly kinds: Readonly<Record<string, { readonly all: number; readonly gone: number }>>;
  /** `data`: JSON, unread. */
  readonly parked: readonly { readonly licenceId: string; readonly data: string }[];
}

/** Counts the documents of a read store, on a connection of its own that only reads. Throws the engine's errors. */
export const countDocuments = (database: Database, file: string): CountedDocuments => {
  const { documents } = activeTables(file)((sql) => database.prepare(sql));
  const kinds = database
    .prepare(`SELECT kind, count(*) AS placed, sum(deleted) AS gone FROM ${documents} GROUP BY kind`)
    .all() as { readonly kind: string; readonly placed: number; readonly gone: number }[];
  const parked = database
    .prepare(`SELECT licence AS licenceId, data FROM ${documents} WHERE kind = 'parked' AND deleted = 0 LIMIT 100`)
    .all() as CountedDocuments['parked'];
  return { kinds: Object.fromEntries(kinds.map(({ kind, placed, gone }) => [kind, { all: placed, gone }])), parked };
};

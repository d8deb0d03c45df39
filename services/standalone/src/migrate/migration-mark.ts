import { connectMongo } from '@zakup/mongodb/connection';

/** Which installation is moved, and how far it has come. Lies in MongoDB, so that whoever goes on finds it where the data goes. */
export interface MigrationMark {
  /** Over everything in the log that is moved: another one has another. */
  readonly source: string;
  /** Every append of the source up to this position is on the server. */
  readonly position: number;
  readonly begunAt: string;
  /** Null = not yet done. */
  readonly doneAt: string | null;
}

export interface MigrationMarks {
  read(): Promise<MigrationMark | null>;
  write(mark: MigrationMark): Promise<void>;
  close(): Promise<void>;
}

type StoredMark = MigrationMark & { readonly _id: 'migration' };

/** Throws an Error when the server is away or does not let this user in. */
export const migrationMarks = async (url: string): Promise<MigrationMarks> => {
  const seen = (where: string, error: unknown): Error =>
    new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  const { client, database } = await connectMongo({ url, store: 'migration', journal: true, seen });
  const marks = database.collection<StoredMark>('migration');
  return {
    read: async () => {
      const found = await marks.findOne({ _id: 'migration' });
      if (found === null) return null;
      const { _id, ...mark } = found;
      return mark;
    },
    write: async (mark) => {
      await marks.replaceOne({ _id: 'migration' }, { ...mark }, { upsert: true });
    },
    close: () => client.close(),
  };
};

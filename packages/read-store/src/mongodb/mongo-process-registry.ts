/** Which processes work on a database, as each tells of itself, for whoever looks after them. */
import type { Collection } from 'mongodb';
import { ownCollections } from './collections.ts';
import { connectReadStore } from './connection.ts';
import { readStoreError } from './errors.ts';

/** What a process does, in numbers and words that only its readers understand. */
export type ProcessFigures = Readonly<Record<string, number | boolean>>;

interface StoredProcess {
  readonly _id: string;
  readonly service: string;
  readonly ready: boolean;
  /** Absent where an earlier version told. */
  readonly figures?: ProcessFigures;
  /** By the server's clock. */
  readonly at: Date;
}

/** What a process has told of itself. */
export interface SeenProcess {
  readonly service: string;
  readonly ready: boolean;
  readonly figures: ProcessFigures;
  /** Milliseconds since it told so, by the server's clock. */
  readonly age: number;
}

export interface MongoProcessRegistry {
  /** Tells of this process. Throws `ReadStoreUnavailable`. */
  tell(ready: boolean, figures?: ProcessFigures): Promise<void>;
  /** Tells of this process too, and answers with everyone who has told within a day. Throws `ReadStoreUnavailable`. */
  seen(ready: boolean, figures?: ProcessFigures): Promise<readonly SeenProcess[]>;
  /** Takes this process from the list and ends the connection. Never rejects. */
  close(): Promise<void>;
}

export interface MongoProcessRegistryOptions {
  /** Servers, credentials and database, as for the read store. */
  readonly url: string;
  /** Names the process; no two at a time have the same. */
  readonly holder: string;
  /** What it does: `command`. */
  readonly service: string;
}

/** Milliseconds after which one that was killed is forgotten. */
const longestAge = 24 * 60 * 60_000;

/**
 * Connects first: throws `ReadStoreUnavailable` when the server is away, and an Error when URL, credentials or kind of server are wrong.
 */
export const mongoProcessRegistry = async ({
  url,
  holder,
  service,
}: MongoProcessRegistryOptions): Promise<MongoProcessRegistry> => {
  const { client, database, where } = await connectReadStore(url);
  const processes: Collection<StoredProcess> = database.collection<StoredProcess>(ownCollections.processes);
  const id = `${service}/${holder}`;

  const asked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw readStoreError(where, error);
    }
  };
  const tell = async (ready: boolean, figures: ProcessFigures = {}): Promise<void> => {
    // The server's clock dates all of them: no clock is compared with another machine's.
    const update = { $set: { service, ready, figures }, $currentDate: { at: true } } as const;
    await processes.updateOne({ _id: id }, update, { upsert: true });
  };

  return {
    tell: (ready, figures) => asked(() => tell(ready, figures)),
    seen: (ready, figures) =>
      asked(async () => {
        await tell(ready, figures);
        const all = await processes.find({}).toArray();
        const now = Math.max(...all.map(({ at }) => at.getTime()));
        await processes.deleteMany({ at: { $lt: new Date(now - longestAge) } });
        return all
          .map(({ at, figures: told = {}, ...one }) => ({
            service: one.service,
            ready: one.ready,
            figures: told,
            age: now - at.getTime(),
          }))
          .filter(({ age }) => age <= longestAge);
      }),
    async close() {
      await processes.deleteOne({ _id: id }).catch(() => undefined);
      await client.close().catch(() => undefined);
    },
  };
};

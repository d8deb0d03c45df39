import { EventStoreDBClient } from '@eventstore/db-client';

interface BatchStream {
  listeners(event: 'data'): readonly ((response: unknown) => void)[];
  removeAllListeners(event: 'data'): void;
  on(event: 'data', listener: (response: unknown) => void): void;
  write(...message: readonly unknown[]): boolean;
  cancel(): void;
}

type StreamCreator = (
  service: unknown,
  name: string,
  create: (service: unknown) => unknown,
  cache?: unknown,
) => () => Promise<unknown>;

/** What the client keeps from its users but hands to its own calls. */
interface Inside {
  GRPCStreamCreator: StreamCreator;
  supports: () => Promise<boolean>;
  readonly capabilities: Promise<{ readonly serverVersion: string }>;
  getChannel(): Promise<{ close(): void }>;
}

/** The client, made fit for a process that outlives its connections. */
export interface GuardedClient {
  readonly client: EventStoreDBClient;
  /** Asks the server for its version. Rejects with the client's error. */
  serverVersion(): Promise<string>;
  /**
   * Ends the stream of appends when nothing has come back on it for so many milliseconds; the next append begins another. What waited
   * for an answer is rejected: whether it was made is not known.
   */
  endSilentBatch(milliseconds: number): void;
  /** Cancels every call and closes the connection. */
  close(): Promise<void>;
}

/**
 * The client keeps the appends that wait for an answer in one list of the process. Two of its habits would end the process when a
 * connection ends under load: an answer to an append that it has already given up throws where nobody catches, and so does an append
 * that still waited for room to be sent. The first is dropped here; the second cannot happen when the stream always has room, and how
 * much waits is bounded by whoever waits for the answers.
 */
const guarded = (stream: BatchStream, heard: () => void): BatchStream => {
  const answered = stream.listeners('data');
  stream.removeAllListeners('data');
  stream.on('data', (response) => {
    heard();
    for (const listener of answered) {
      try {
        listener(response);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
  });
  const write = stream.write.bind(stream);
  stream.write = (...message) => {
    write(...message);
    return true;
  };
  return stream;
};

/**
 * The schemes of KurrentDB's own manuals, which mean the same, as this client knows them; and without `tlsVerifyCert=false`: it has no
 * effect, and the client would print the whole connection string, password included, to say so.
 */
const asKnown = (url: string): string =>
  url
    .trim()
    .replace(/^(?:kurrentdb|kurrent|kdb)(?=(?:\+discover)?:\/\/)/, 'esdb')
    .replaceAll(/(?<=[?&])tlsVerifyCert=false(?:&|$)/gi, '')
    .replace(/[?&]$/, '');

/** Opens no connection yet. Throws for a malformed connection string. */
export const guardedClient = (url: string): GuardedClient => {
  const client = EventStoreDBClient.connectionString(asKnown(url));
  const inside = client as unknown as Inside;
  const create = inside.GRPCStreamCreator;
  let batch: { readonly stream: BatchStream; heardAt: number } | undefined;

  const batchStream = (stream: BatchStream): BatchStream => {
    const current = { stream, heardAt: performance.now() };
    batch = current;
    return guarded(stream, () => {
      current.heardAt = performance.now();
    });
  };

  inside.GRPCStreamCreator = (service, name, creator, cache) =>
    create(
      service,
      name,
      name === 'appendToStream' ? (grpc) => batchStream(creator(grpc) as BatchStream) : creator,
      cache,
    );
  // Asked anew after every reconnection, and an answer that failed is kept for ever. Every server this adapter is for appends in batches.
  inside.supports = () => Promise.resolve(true);
  return {
    client,
    serverVersion: async () => (await inside.capabilities).serverVersion,
    endSilentBatch(milliseconds) {
      if (batch === undefined || performance.now() - batch.heardAt < milliseconds) return;
      batch.stream.cancel();
      batch = undefined;
    },
    async close() {
      await client.dispose();
      (await inside.getChannel()).close();
    },
  };
};

import {
  type AllStreamResolvedEvent,
  EventStoreDBClient,
  type ReadAllOptions,
  type StreamingRead,
} from '@eventstore/db-client';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';

interface BatchStream {
  listeners(event: 'data'): readonly ((response: unknown) => void)[];
  removeAllListeners(event: 'data'): void;
  on(event: 'data', listener: (response: unknown) => void): void;
  write(...message: readonly unknown[]): boolean;
  cancel(): void;
}

/** What a call of the client's is made with. */
interface Service {
  read(request: ReadReq, ...rest: readonly unknown[]): unknown;
}

type StreamCreator = (
  service: unknown,
  name: string,
  create: (service: Service) => unknown,
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
export interface PatchedClient {
  readonly client: EventStoreDBClient;
  /**
   * `readAll` of the streams whose names fit the expression. The server looks through all others without a word, and goes on behind the
   * last event that was asked for until there is another one: whoever has what it wanted cancels the read.
   */
  readFiltered(options: ReadAllOptions, streams: string): StreamingRead<AllStreamResolvedEvent>;
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
const patchedStream = (stream: BatchStream, heard: () => void): BatchStream => {
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

/** Events that the server looks at before it lets others have their turn. */
const searchWindow = 2048;

const filtered = (request: ReadReq, streams: string): ReadReq => {
  const { FilterOptions } = streamsPb.ReadReq.Options;
  const expression = new FilterOptions.Expression();
  expression.setRegex(streams);
  const filter = new FilterOptions();
  filter.setStreamIdentifier(expression);
  filter.setMax(searchWindow);
  request.getOptions()?.setFilter(filter);
  return request;
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
export const patchedClient = (url: string): PatchedClient => {
  const client = EventStoreDBClient.connectionString(asKnown(url));
  const inside = client as unknown as Inside;
  const create = inside.GRPCStreamCreator;
  let batch: { readonly stream: BatchStream; heardAt: number } | undefined;

  const batchStream = (stream: BatchStream): BatchStream => {
    const current = { stream, heardAt: performance.now() };
    batch = current;
    return patchedStream(stream, () => {
      current.heardAt = performance.now();
    });
  };

  /** Of the read that is being made: the server takes a filter for reads too, but the client passes one on for subscriptions only. */
  let wanted: string | undefined;
  const creatorOf = (name: string, creator: (grpc: Service) => unknown): ((grpc: Service) => unknown) => {
    const streams = wanted;
    if (streams !== undefined) {
      return (grpc) => creator({ read: (request, ...rest) => grpc.read(filtered(request, streams), ...rest) });
    }
    return name === 'appendToStream' ? (grpc) => batchStream(creator(grpc) as BatchStream) : creator;
  };

  inside.GRPCStreamCreator = (service, name, creator, cache) => create(service, name, creatorOf(name, creator), cache);
  // Asked anew after every reconnection, and an answer that failed is kept for ever. Every server this adapter is for appends in batches.
  inside.supports = () => Promise.resolve(true);
  return {
    client,
    readFiltered(options, streams) {
      wanted = streams;
      try {
        return client.readAll(options);
      } finally {
        wanted = undefined;
      }
    },
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

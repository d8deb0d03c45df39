import { randomBytes, randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, StreamNotFoundError } from '@eventstore/db-client';
import type { EventStore } from '@zakup/event-store/event-store';
import {
  eventStoreDbEventStore,
  type EventStoreDbEventStoreOptions,
} from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { afterAll, onTestFinished } from 'vitest';
import { eventStoreDbServer } from '../support/eventstoredb-server.ts';

/** Milliseconds: how fast a busy machine answers is not what these tests are about. */
const deadline = 30_000;

/** The server of the environment, or a stand-in, as one that others use too; for all tests of a file. */
export const sharedServer = async () => {
  const server = await eventStoreDbServer();
  const client = EventStoreDBClient.connectionString(server.url);
  afterAll(async () => {
    await client.dispose();
    await server.stop();
  });

  const [, username = 'admin', password = 'changeit'] = /:\/\/([^:@/]*):([^@/]*)@/.exec(server.url) ?? [];
  // Credentials in a call keep it out of the batch stream, which a client shares with all others of its process.
  const alone = { credentials: { username: decodeURIComponent(username), password: decodeURIComponent(password) } };
  const strange = () =>
    jsonEvent({ type: 'SomethingElse', data: { amount: 1 }, metadata: { $correlationId: randomUUID() } });

  /** Position of the last event on the server, whoever wrote it. */
  const end = async (): Promise<number> => {
    let position = 0;
    for await (const { event } of client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 })) {
      position = Number(event?.position.commit ?? 0);
    }
    return position;
  };

  return {
    url: server.url,
    kind: server.kind,
    end,
    /** Somebody else's events, in one append; resolves with the position of the last. */
    strangersWrite: async (stream: string, count = 1): Promise<number> => {
      const events = Array.from({ length: count }, strange);
      const { position } = await client.appendToStream(stream, events, alone);
      return Number(position?.commit ?? 0);
    },
    /** Types of what stands in a stream of the server, by its whole name; none for one that is not there. */
    typesIn: async (stream: string): Promise<readonly string[]> => {
      const types: string[] = [];
      try {
        for await (const { event } of client.readStream(stream)) types.push(event?.type ?? '');
      } catch (error) {
        if (!(error instanceof StreamNotFoundError)) throw error;
      }
      return types;
    },
    /** An installation of its own, for one test: nothing of it lies before `now`. */
    installation: async () => {
      const namespace = `t${randomBytes(8).toString('hex')}`;
      const stores: EventStore[] = [];
      onTestFinished(async () => {
        await Promise.all(stores.map((store) => store.close()));
      });
      return {
        namespace,
        now: await end(),
        open: async (more: Partial<EventStoreDbEventStoreOptions> = {}): Promise<EventStore> => {
          const store = await eventStoreDbEventStore({ url: server.url, namespace, deadline, ...more });
          stores.push(store);
          return store;
        },
      };
    },
  };
};

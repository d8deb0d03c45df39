import { randomBytes } from 'node:crypto';
import { declaredFields } from '@zakup/contracts/read-models';
import { mongoTables } from '@zakup/credentials/mongodb/mongo-tables';
import type { Tables } from '@zakup/credentials/tables';
import type { EventStore } from '@zakup/event-store/event-store';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { eventStoreDbLogMover, type LogMover } from '@zakup/event-store/eventstoredb/log-mover';
import { mongoReadStore } from '@zakup/read-store/mongodb/mongo-read-store';
import type { ReadStore } from '@zakup/read-store/read-store';
import { mongoSealStore } from '@zakup/seals/mongodb/mongo-seal-store';
import type { SealStore } from '@zakup/seals/seal-store';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import { type MigrationMarks, migrationMarks } from './migration-mark.ts';
import { holdsCredentials } from './move-documents.ts';

/** Servers that an installation moves to. */
export interface TargetServers {
  readonly eventStoreDbUrl: string;
  readonly eventStoreDbNamespace?: string | undefined;
  readonly mongoDbUrl: string;
}

export interface MigrationTarget {
  readonly mover: LogMover;
  readonly eventStore: EventStore;
  readonly credentials: Tables;
  readonly seals: SealStore;
  readonly readStore: ReadStore;
  readonly marks: MigrationMarks;
  /** What is there already, in words for the operator; null = nothing. */
  filledWith(): Promise<string | null>;
  close(): Promise<void>;
}

/** Throws what the stores throw when a server is away, or does not fit. */
export const openTarget = async ({
  eventStoreDbUrl,
  eventStoreDbNamespace,
  mongoDbUrl,
}: TargetServers): Promise<MigrationTarget> => {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).toReversed()) await one();
  };
  const opened = async <Store extends { close(): Promise<unknown> }>(store: Promise<Store>): Promise<Store> => {
    const there = await store;
    closing.push(() => there.close());
    return there;
  };
  const log = {
    url: eventStoreDbUrl,
    ...(eventStoreDbNamespace === undefined ? {} : { namespace: eventStoreDbNamespace }),
  };
  try {
    const eventStore = await opened(eventStoreDbEventStore(log));
    const mover = await opened(eventStoreDbLogMover(log));
    const credentials = await opened(mongoTables({ url: mongoDbUrl, random: (bytes) => randomBytes(bytes) }));
    const seals = await opened(mongoSealStore({ url: mongoDbUrl }));
    const readStore = await opened(mongoReadStore({ url: mongoDbUrl, declared: declaredFields }));
    return {
      mover,
      eventStore,
      credentials,
      seals,
      readStore,
      marks: migrationMarks(readStore),
      async filledWith() {
        if ((await eventStore.head()) > 0) return 'журнал событий';
        for await (const _ of mover.commands()) return 'журнал команд';
        if (await holdsCredentials(credentials)) return 'учётные данные';
        if ((await seals.licences()).length > 0) return 'печати';
        return (await readStore.checkpoint(allPartitions)) === null ? null : 'модели чтения';
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
